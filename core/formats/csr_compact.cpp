#include "core/formats/csr_compact.hpp"

#include <algorithm>
#include <bit>
#include <type_traits>

#include "core/formats/build.hpp"

namespace warpspy {
namespace {

constexpr index_t kShortColumns = index_t{1} << 16;  // a matrix with at most so many columns stores them in 16 bits

bool are_short(const Csr& a) { return has_short_columns(a.cols(), a.nnz()); }

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

// Sizes of what holds the values.
std::vector<ArraySize> sizes_of(ValueForm form, index_t distinct, index_t nnz, Precision precision) {
  switch (form) {
    case ValueForm::one:
      return {values_size("table", distinct, precision)};
    case ValueForm::indexed:
      return {{"value_index", Kind::values, saturating_bytes(nnz, 1)}, values_size("table", distinct, precision)};
    case ValueForm::narrow:
      return {values_size("values", nnz, Precision::f32)};
    case ValueForm::whole:
      return {values_size("values", nnz, precision)};
  }
  return {};
}

index_t distinct_of(const ValueFacts& values) { return static_cast<index_t>(values.distinct.size()); }

ValueForm form_of(const ValueFacts& values, index_t nnz, Precision precision) {
  return value_form_of(distinct_of(values), values.exact_in_f32, nnz, precision);
}

std::vector<FormatFact> facts_of(ValueForm form, Precision precision, index_t table, bool short_columns, index_t cols) {
  const double bits = form == ValueForm::one       ? 0
                      : form == ValueForm::indexed ? 8
                      : form == ValueForm::narrow  ? 32
                                                   : 8 * bytes_of(precision);
  return {{"value_bits", bits},
          {"distinct", static_cast<double>(table)},
          {"column_bits", short_columns ? 16 : 8 * static_cast<double>(IndexArray::width(cols))}};
}

}  // namespace

ValueForm value_form_of(index_t distinct, bool exact_in_f32, index_t nnz, Precision precision) {
  const auto bytes = [&](ValueForm form) {
    std::size_t sum = 0;
    for (const ArraySize& s : sizes_of(form, distinct, nnz, precision)) sum += s.bytes;
    return sum;
  };
  if (distinct == 1) return ValueForm::one;
  ValueForm best = ValueForm::whole;
  if (exact_in_f32) best = ValueForm::narrow;
  if (distinct > 0 && bytes(ValueForm::indexed) <= bytes(best)) best = ValueForm::indexed;
  return best;
}

bool has_short_columns(index_t cols, index_t nnz) { return cols <= kShortColumns && nnz > 0; }

Estimate csr_compact_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params) {
  checked_params({}, params);
  const Csr& a = facts.csr();
  const ValueFacts& values = facts.values(precision);
  const ValueForm form = form_of(values, a.nnz(), precision);
  const bool tabled = form == ValueForm::one || form == ValueForm::indexed;
  Estimate e{sizes_of(form, distinct_of(values), a.nnz(), precision), a.nnz(), 0};
  if (are_short(a))
    e.arrays.push_back({"columns", Kind::indices, saturating_bytes(a.nnz(), 2)});
  else
    e.arrays.push_back(index_size("columns", Kind::indices, a.nnz(), a.cols()));
  e.arrays.push_back(index_size("row_ptr", Kind::pointers, a.rows() + 1, a.nnz()));
  e.facts = facts_of(form, precision, tabled ? distinct_of(values) : 0, are_short(a), a.cols());
  return e;
}

CsrCompactFormat::CsrCompactFormat(const FormatFacts& facts, Precision precision, RealView view, Progress& progress)
    : Format(facts.csr()),
      precision_(precision),
      form_(form_of(facts.values(precision), facts.csr().nnz(), precision)),
      row_ptr_(facts.csr().nnz(), facts.csr().rows() + 1) {
  const Csr& a = facts.csr();
  const ValueFacts& known = facts.values(precision);
  const bool tabled = form_ == ValueForm::one || form_ == ValueForm::indexed;
  if (are_short(a))
    short_columns_ = Buffer<std::uint16_t>(static_cast<std::size_t>(a.nnz()));
  else
    columns_ = IndexArray(a.cols(), a.nnz());
  table_ = Values(precision, tabled ? distinct_of(known) : 0);
  if (form_ == ValueForm::indexed) value_index_ = Buffer<std::uint8_t>(static_cast<std::size_t>(a.nnz()));
  values_ = Values(form_ == ValueForm::narrow ? Precision::f32 : precision, tabled ? 0 : a.nnz());

  row_ptr_.visit_mut([&](auto out) {
    for_blocks(rows() + 1, kEntryBlock, progress, [&](index_t first, index_t last) {
      std::copy(a.row_ptr().begin() + first, a.row_ptr().begin() + last, out.begin() + first);
    });
  });
  with_typed(a, precision, view, [&]<class T, class C>(const TypedCsr<T, C>& s) {
    const std::span<T> table = table_.as_mut<T>();
    for (std::size_t i = 0; i < table.size(); ++i)
      table[i] = std::bit_cast<T>(static_cast<BitsOf<T>>(known.distinct[i]));
    for_blocks(a.nnz(), kEntryBlock, progress, [&](index_t first, index_t last) {
      s.check(first, last);
      if (short_columns_.size() > 0)
        for (index_t k = first; k < last; ++k) short_columns_.span()[k] = static_cast<std::uint16_t>(s.columns[k]);
      else
        std::copy(s.columns + first, s.columns + last, columns_.as_mut<C>().begin() + first);
      if (form_ == ValueForm::indexed)
        for (index_t k = first; k < last; ++k)
          value_index_.span()[k] = known.place_of(std::bit_cast<BitsOf<T>>(s.value(k)));
      if (form_ == ValueForm::narrow)
        for (index_t k = first; k < last; ++k) values_.as_mut<float>()[k] = static_cast<float>(s.value(k));
      if (form_ == ValueForm::whole)
        for (index_t k = first; k < last; ++k) values_.as_mut<T>()[k] = s.value(k);
    });
  });
}

double CsrCompactFormat::value(index_t k) const {
  if (form_ == ValueForm::one) return table_[0];
  return form_ == ValueForm::indexed ? table_[value_index_.span()[k]] : values_[k];
}

std::vector<ArrayView> CsrCompactFormat::arrays() const {
  std::vector<ArrayView> all;
  const auto table = static_cast<index_t>(table_.size());
  if (form_ == ValueForm::indexed)
    all.push_back({"value_index", Kind::values, ArrayView::Type::u8, value_index_.span().data(), {nnz()}, 0});
  if (form_ == ValueForm::one || form_ == ValueForm::indexed)
    all.push_back(view_of("table", table_, {table}, -1));
  else
    all.push_back(view_of("values", values_, {nnz()}, 0));
  if (has_short_columns())
    all.push_back({"columns", Kind::indices, ArrayView::Type::u16, short_columns_.span().data(), {nnz()}, 0});
  else
    all.push_back(view_of("columns", Kind::indices, columns_, {nnz()}, 0));
  all.push_back(view_of("row_ptr", Kind::pointers, row_ptr_, {rows() + 1}));
  return all;
}

std::vector<FormatFact> CsrCompactFormat::facts() const {
  return facts_of(form_, precision_, static_cast<index_t>(table_.size()), has_short_columns(), cols());
}

void CsrCompactFormat::for_each_slot(const SlotVisitor& visit) const {
  for (index_t row = 0; row < rows(); ++row)
    for (index_t k = row_ptr_[row]; k < row_ptr_[row + 1]; ++k)
      visit({0, k, row, has_short_columns() ? index_t{short_columns()[k]} : columns_[k], value(k)});
}

std::shared_ptr<const Format> csr_compact_build(const FormatFacts& facts, Precision precision, RealView view,
                                                const ParamSet& params, Progress& progress) {
  require_memory("csr_compact", csr_compact_estimate(facts, precision, params), facts, precision);
  return std::make_shared<CsrCompactFormat>(facts, precision, view, progress);
}

FormatInfo csr_compact_info() {
  return {
      .id = "csr_compact",
      .label = "CSR, compact",
      .help =
          "CSR with the same numbers in fewer bytes: values that are all equal stored once, at most 256 different "
          "ones as a byte each, f64 values that are exact in f32 as these, and columns in 16 bits where there are at "
          "most 65536. Graphs (values of 1), stencils and matrices of small integers gain, up to two thirds in f64; "
          "where values are many and columns too, it is CSR. To convert costs a pass over the values more than to "
          "copy CSR.",
      .source = "after Kourtis, Goumas & Koziris 2008",
      .fact_names = {{"value_bits", "bits per value"},
                     {"distinct", "values in the table"},
                     {"column_bits", "bits per column"}},
      .compact_of = "csr"};
}

}  // namespace warpspy
