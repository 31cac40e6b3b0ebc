// Stand-ins of the collection's matrices, in a tenth of the time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/generate/collection_table.hpp"
#include "core/generate/printed_table.hpp"
#include "core/generate/row_lengths.hpp"
#include "core/matrix/csr.hpp"

namespace warpspy::testing {

// The row lengths of the stand-in alone, ascending, in the first columns: what estimates see of it, in a tenth of the
// time.
inline Csr lengths_of(const generate_detail::CollectionFacts& facts,
                      std::span<const generate_detail::RowCut> cuts = {}) {
  const generate_detail::RowLengths lengths(facts, cuts);
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

// The same of the parameters of a stand-in: "rma10" or "rma10&facts=papers". Nothing for other names.
inline std::optional<Csr> lengths_of_like(std::string name) {
  const std::string papers = "&facts=papers";
  const bool printed = name.ends_with(papers);
  if (printed) name.resize(name.size() - papers.size());
  for (const auto& facts : generate_detail::collection_table()) {
    if (facts.name != name) continue;
    if (!printed) return lengths_of(facts);
    const auto of_papers = generate_detail::as_printed(facts);
    return of_papers ? std::optional(lengths_of(of_papers->facts, of_papers->cuts)) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace warpspy::testing
