#include "core/formats/jds.hpp"

#include <algorithm>

#include "core/formats/build.hpp"
#include "core/formats/padding.hpp"

namespace warpspy {

Estimate jds_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params) {
  checked_params({}, params);
  const Csr& a = facts.csr();
  const index_t diagonals = facts.lengths().longest;
  return {{values_size("values", a.nnz(), precision), index_size("columns", Kind::indices, a.nnz(), a.cols()),
           index_size("diagonal_ptr", Kind::pointers, diagonals + 1, a.nnz()),
           index_size("permutation", Kind::pointers, a.rows(), a.rows())},
          a.nnz(),
          0,
          {{"diagonals", static_cast<double>(diagonals)}},
          saturating_bytes(diagonals + 2, 8)};
}

JdsFormat::JdsFormat(const FormatFacts& facts, Precision precision, RealView view, Progress& progress)
    : Format(facts.csr()),
      permutation_(rows(), rows()),
      diagonal_ptr_(nnz(), facts.lengths().longest + 1),
      columns_(cols(), nnz()),
      values_(precision, nnz()) {
  progress.check();
  const LengthCounts& lengths = facts.lengths();
  // within[n] entries come before diagonal n.
  diagonal_ptr_.visit_mut([&](auto out) { std::copy(lengths.within.begin(), lengths.within.end(), out.begin()); });
  sort_rows_by_length(facts, permutation_);
  with_typed(facts.csr(), precision, view, [&]<class T, class C>(const TypedCsr<T, C>& s) {
    const std::span<C> columns = columns_.as_mut<C>();
    const std::span<T> values = values_.as_mut<T>();
    permutation_.visit([&](auto permutation) {
      for_blocks(rows(), 256, progress, [&](index_t first, index_t last) {
        for (index_t i = first; i < last; ++i) s.check_rows(permutation[i], permutation[i] + 1);
        // Rows are sorted by falling length: diagonal n has the first at_least[n + 1] rows.
        for (index_t n = 0; n < lengths.longest && lengths.at_least[n + 1] > first; ++n) {
          const index_t end = std::min(last, lengths.at_least[n + 1]), to = lengths.within[n];
          for (index_t i = first; i < end; ++i) columns[to + i] = s.columns[s.ptr[permutation[i]] + n];
          for (index_t i = first; i < end; ++i) values[to + i] = s.value(s.ptr[permutation[i]] + n);
        }
      });
    });
  });
}

std::vector<ArrayView> JdsFormat::arrays() const {
  return {view_of("values", values_, {nnz()}, 0), view_of("columns", Kind::indices, columns_, {nnz()}, 0),
          view_of("diagonal_ptr", Kind::pointers, diagonal_ptr_, {diagonals() + 1}),
          view_of("permutation", Kind::pointers, permutation_, {rows()})};
}

std::vector<FormatFact> JdsFormat::facts() const { return {{"diagonals", static_cast<double>(diagonals())}}; }

void JdsFormat::for_each_slot(const SlotVisitor& visit) const {
  for (index_t n = 0; n < diagonals(); ++n)
    for (index_t at = diagonal_ptr_[n]; at < diagonal_ptr_[n + 1]; ++at)
      visit({0, at, permutation_[at - diagonal_ptr_[n]], columns_[at], values_[at]});
}

std::shared_ptr<const Format> jds_build(const FormatFacts& facts, Precision precision, RealView view,
                                        const ParamSet& params, Progress& progress) {
  require_memory("jds", jds_estimate(facts, precision, params), facts, precision);
  return std::make_shared<JdsFormat>(facts, precision, view, progress);
}

void jds_padding(PaddingRows& to) {
  to.profile.order = "rows, longest first";
  to.by_length(true, [&](index_t row, index_t length) { to.add(row, length, length); });
}

FormatInfo jds_info() {
  return {
      .id = "jds",
      .label = "JDS",
      .help =
          "Jagged diagonals: all rows sorted by length and stored column by column, each column as long as there are "
          "rows for it. Coalesced without padding; y must be put back in order.",
      .source = "Saad 1989; Bell & Garland 2008, section 3.7"};
}

}  // namespace warpspy
