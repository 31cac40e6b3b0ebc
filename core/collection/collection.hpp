// Matrices of the SuiteSparse Matrix Collection by name. A matrix is downloaded from the collection or from a mirror,
// or taken from a folder. Nothing is downloaded unless the user asks for it.
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
constexpr int kIndexDays = 30;  // after so many days the index is downloaded again

struct CollectionPlace {
  std::string from = kCollectionUrl;  // WARPSPY_COLLECTION: a mirror, or a folder whose files are used without a copy
  std::string folder;                 // of the downloads: $XDG_CACHE_HOME/warpspy/collection; empty: no folder
  std::uint64_t most_bytes = kMostCollectionBytes;  // of that; WARPSPY_COLLECTION_BYTES
  int stall_s = 30;                                 // a server that sends nothing for so long counts as gone
  bool is_folder() const;
};
CollectionPlace collection_place();  // from the environment

// "collection:GROUP/NAME" names a matrix of the collection everywhere. Only a downloaded matrix can be opened.
constexpr std::string_view kCollectionPrefix = "collection:";
// The file of GROUP/NAME: the kept download, or a file of the folder. If neither exists, the file that a download would
// make. It only looks whether files exist. Throws Error if the text is no valid name.
std::string collection_file(const CollectionPlace& place, const std::string& full_name);
// Notes that the file was used now. When space runs out, the file that was used longest ago is removed first.
void mark_used(const CollectionPlace& place, const std::string& full_name);

// The index on this machine, however old it is, without the network. Returns nothing if there is no complete index.
std::optional<CollectionIndex> downloaded_index(const CollectionPlace& place);
struct FetchedIndex {
  CollectionIndex index;
  std::string remark;  // why this index is old; mostly empty
};
// The index on this machine if it is younger than a month and `renew` is off; else the collection's. Throws Error and
// Cancelled.
FetchedIndex fetch_index(const CollectionPlace& place, Progress& progress, bool renew = false);

struct FetchedMatrix {
  std::string full_name;  // "Williams/cant"
  std::string path;
  bool was_here = false;             // the file was here already; nothing was downloaded
  std::uint64_t bytes = 0;           // of the file
  std::vector<std::string> removed;  // downloads that were removed to make room, "GROUP/NAME"
  std::string remark;                // a note for the user; usually empty
};
// Fetches GROUP/NAME, or a name without a group, which is looked up in the index. A file on this machine is compared
// with its check sum, and downloaded again if they disagree. A download that broke off is continued. Throws Error and
// Cancelled.
FetchedMatrix fetch_matrix(const CollectionPlace& place, const std::string& wanted, Progress& progress);

// These list the kept downloads as "GROUP/NAME", count their bytes, and remove them.
std::vector<std::string> downloaded_matrices(const CollectionPlace& place);
struct CollectionUsage {
  std::uint64_t files = 0, bytes = 0;
};
CollectionUsage collection_usage(const CollectionPlace& place);
CollectionUsage clear_collection(const CollectionPlace& place);

}  // namespace warpspy
