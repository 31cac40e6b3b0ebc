#include "core/formats/padding.hpp"

#include <algorithm>

namespace warpspy {

index_t PaddingProfile::padding() const {
  index_t sum = 0;
  for (const Group& g : groups) sum += g.padding;
  return sum;
}

PaddingRows::PaddingRows(const FormatFacts& facts_of, const ParamSet& given, const Estimate& estimate_of,
                         int most_groups)
    : facts(facts_of), params(given), estimate(estimate_of) {
  const index_t rows = facts.csr().rows(), most = std::max(1, most_groups);
  each_ = std::max<index_t>(1, (rows + most - 1) / most);
  profile.groups.resize(static_cast<std::size_t>((rows + each_ - 1) / each_));
}

void PaddingRows::add(index_t row, index_t length, index_t width) {
  PaddingProfile::Group& g = profile.groups[static_cast<std::size_t>(row / each_)];
  const index_t in = std::min(length, width);
  ++g.rows;
  g.entries += in, g.padding += width - in, g.rest += length - in;
}

void PaddingRows::add_all(const std::function<index_t(index_t length)>& width) {
  const Csr& a = facts.csr();
  for (index_t row = 0; row < a.rows(); ++row) add(row, a.row_length(row), width(a.row_length(row)));
}

void PaddingRows::by_length(bool longest_first, const std::function<void(index_t, index_t)>& f) const {
  const LengthCounts& lengths = facts.lengths();
  index_t row = 0;
  for (index_t k = 0; k <= lengths.longest; ++k) {
    const index_t n = longest_first ? lengths.longest - k : k;
    for (index_t i = lengths.rows_of_length(n); i > 0; --i) f(row++, n);
  }
}

index_t PaddingRows::fact(const std::string& name) const {
  const FormatFact* f = estimate.fact(name);
  return f ? static_cast<index_t>(f->value) : 0;
}

void no_padding(PaddingRows& to) {
  to.add_all([](index_t length) { return length; });
}

std::optional<PaddingProfile> padding_profile(const FormatFacts& facts, const std::string& format,
                                              const ParamSet& params, const Estimate& estimate, int most_groups) {
  const FormatRow& row = format_row(format);
  if (!row.padding) return std::nullopt;
  PaddingRows rows(facts, params, estimate, most_groups);
  row.padding(rows);
  return std::move(rows.profile);
}

}  // namespace warpspy
