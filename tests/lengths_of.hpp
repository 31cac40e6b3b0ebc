// Stand-ins of the collection's matrices, in a tenth of the time.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/generate/collection_table.hpp"
#include "core/generate/row_lengths.hpp"
#include "core/matrix/csr.hpp"

namespace warpspy::testing {

// The row lengths of the stand-in alone, ascending, in the first columns: what estimates see of it, in a tenth of the
// time.
inline Csr lengths_of(const generate_detail::CollectionFacts& facts) {
  const generate_detail::RowLengths lengths(facts);
  std::vector<index_t> ptr{0};
  ptr.reserve(static_cast<std::size_t>(facts.rows) + 1);
  const auto& runs = lengths.runs();
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const index_t end = k + 1 < runs.size() ? runs[k + 1].first_rank : facts.rows;
    for (index_t rank = runs[k].first_rank; rank < end; ++rank) ptr.push_back(ptr.back() + runs[k].length);
  }
  std::vector<std::int32_t> columns(static_cast<std::size_t>(ptr.back()));
  for (std::size_t row = 0; row + 1 < ptr.size(); ++row)
    for (index_t k = ptr[row]; k < ptr[row + 1]; ++k) columns[k] = static_cast<std::int32_t>(k - ptr[row]);
  std::vector<double> values(columns.size(), 1);
  return Csr(facts.rows, facts.cols, std::move(ptr), Indices(std::move(columns)), std::move(values));
}

}  // namespace warpspy::testing
