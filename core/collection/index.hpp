// The list of what the SuiteSparse Matrix Collection has (Davis & Hu 2011): the file ssstats.csv that it publishes.
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
  std::string dated;  // as the collection writes it
  std::vector<CollectionEntry> entries;
};

// How many there are, a date, then a line for each. Throws Error with the line where it is cut or makes no sense.
CollectionIndex parse_index(std::string_view text, const std::string& where);

// What a name may be made of, so that it is no way out of a folder or into a query.
bool is_collection_name(std::string_view name);

// GROUP/NAME in any case, or a name alone that only one matrix has. Throws Error that names the candidates, or what is
// called nearly so.
const CollectionEntry& find_entry(const CollectionIndex& index, const std::string& wanted);

// Whether it has GROUP/NAME, in any case.
bool is_listed(const CollectionIndex& index, const std::string& full_name);

// Entries whose full name has the words in it, in any case: those that begin with it first. No words: all.
std::vector<const CollectionEntry*> matching(const CollectionIndex& index, std::string_view words, std::size_t most);

}  // namespace warpspy
