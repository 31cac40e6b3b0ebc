// The list of all matrices of the SuiteSparse Matrix Collection (Davis & Hu 2011), from the file ssstats.csv that it
// publishes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/types.hpp"

namespace warpspy {

struct CollectionEntry {
  std::string group, name;
  index_t rows = 0, cols = 0, nnz = 0;
  std::string kind;  // "2D/3D problem"
  std::string full() const { return group + "/" + name; }
  bool operator==(const CollectionEntry&) const = default;
};

struct CollectionIndex {
  std::string dated;  // date of the index, in the collection's form
  std::vector<CollectionEntry> entries;
};

// The file has the number of matrices, a date, and a line for each matrix. Throws Error with the line if the file is
// cut off or invalid.
CollectionIndex parse_index(std::string_view text, const std::string& where);

// Whether a name has only harmless characters: it must not lead out of a folder, or change a query.
bool is_collection_name(std::string_view name);

// GROUP/NAME in any case, or a name alone that only one matrix has. Throws Error that names the candidates, or similar
// names.
const CollectionEntry& find_entry(const CollectionIndex& index, const std::string& wanted);

// Whether the index has GROUP/NAME, in upper or lower case.
bool is_listed(const CollectionIndex& index, const std::string& full_name);

// Entries whose full name contains all the words, in upper or lower case. Names that begin with the words stand first.
// Without words: all entries.
std::vector<const CollectionEntry*> matching(const CollectionIndex& index, std::string_view words, std::size_t most);

}  // namespace warpspy
