// Private to the room (and its tests): what the papers print of row lengths beyond the collection's statistics.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/generate/collection_table.hpp"
#include "core/generate/row_lengths.hpp"

namespace warpspy::generate_detail {

// A matrix as the papers count it.
struct PrintedFacts {
  CollectionFacts facts;  // of the papers' version of the matrix
  std::span<const RowCut> cuts;
};

// Nothing if the papers print no more of this matrix than the collection says.
std::optional<PrintedFacts> as_printed(const CollectionFacts& facts);

// The names that have printed facts: "rail4284, rma10, ...".
std::string printed_names();

}  // namespace warpspy::generate_detail
