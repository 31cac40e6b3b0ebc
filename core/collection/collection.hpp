// Matrices of the SuiteSparse Matrix Collection by name. What is asked for is fetched from the collection, from a
// mirror, or taken out of a folder; nothing is ever fetched by itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/collection/index.hpp"
#include "core/jobs/progress.hpp"

namespace warpspy {

constexpr const char* kCollectionUrl = "https://sparse.tamu.edu";
constexpr std::uint64_t kMostCollectionBytes = 20'000'000'000;
constexpr int kIndexDays = 30;  // as long the index is good

struct CollectionPlace {
  std::string from = kCollectionUrl;  // WARPSPY_COLLECTION: a mirror, or a folder whose files are used where they lie
  std::string folder;                 // where what was fetched is kept: $XDG_CACHE_HOME/warpspy/collection; empty: none
  std::uint64_t most_bytes = kMostCollectionBytes;  // of that; WARPSPY_COLLECTION_BYTES
  int stall_s = 30;                                 // of silence, until a server counts as gone
  bool is_folder() const;
};
CollectionPlace collection_place();  // from the environment

// "collection:GROUP/NAME" is a matrix of the collection wherever a matrix is opened, once it was fetched.
constexpr std::string_view kCollectionPrefix = "collection:";
// The file of GROUP/NAME: the one that is kept, or lies in the folder. Where there is none, the one that fetching would
// make. Looks whether files are there, no more. Throws Error on what is no name.
std::string collection_file(const CollectionPlace& place, const std::string& full_name);
// It was opened: of what is kept, it goes last.
void mark_used(const CollectionPlace& place, const std::string& full_name);

// The index that is here, however old, without the network; nothing where there is none, or none that is whole.
std::optional<CollectionIndex> downloaded_index(const CollectionPlace& place);
struct FetchedIndex {
  CollectionIndex index;
  std::string remark;  // why it is an old one; mostly empty
};
// The one that is here while it is younger than a month and `renew` is off, else the collection's. Throws Error and
// Cancelled.
FetchedIndex fetch_index(const CollectionPlace& place, Progress& progress, bool renew = false);

struct FetchedMatrix {
  std::string full_name;  // "Williams/cant"
  std::string path;
  bool was_here = false;             // nothing was fetched
  std::uint64_t bytes = 0;           // of the file
  std::vector<std::string> removed;  // what made room for it, "GROUP/NAME"
  std::string remark;                // what the user should know; mostly empty
};
// GROUP/NAME, or a name alone, for which the index is asked. What is here is compared with its check sum, and fetched
// again where it does not agree; a download that broke is gone on with. Throws Error and Cancelled.
FetchedMatrix fetch_matrix(const CollectionPlace& place, const std::string& wanted, Progress& progress);

// What is kept of the collection, as "GROUP/NAME", what it takes, and its removal.
std::vector<std::string> downloaded_matrices(const CollectionPlace& place);
struct CollectionUsage {
  std::uint64_t files = 0, bytes = 0;
};
CollectionUsage collection_usage(const CollectionPlace& place);
CollectionUsage clear_collection(const CollectionPlace& place);

}  // namespace warpspy
