#include "core/formats/build.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cstdio>

#include "core/formats/budget.hpp"
#include "core/matrix/memory.hpp"

namespace warpspy {

void require_memory(const std::string& format, const Estimate& estimate, const FormatFacts& facts,
                    Precision precision) {
  require_memory(format, estimate, facts, precision, available_memory());
}

void require_memory(const std::string& format, const Estimate& estimate, const FormatFacts& facts, Precision precision,
                    std::uint64_t available) {
  const Budget budget{.host = available};
  if (!fits(estimate, budget).fits) throw refusal(format, estimate, facts, precision, budget);
}

void require_symmetric_values(const std::string& format, const FormatFacts& facts) {
  const SymmetryFacts& s = facts.symmetry();
  if (s.values) return;
  const Csr& a = facts.csr();
  const std::string why = s.row < 0 ? "is " + std::to_string(a.rows()) + " x " + std::to_string(a.cols())
                                    : "has an entry in row " + std::to_string(s.row + 1) + ", column " +
                                          std::to_string(s.column + 1) +
                                          (a.find(s.column, s.row) < 0 ? ", and none across the diagonal"
                                                                       : ", and another value across the diagonal");
  throw Error("format " + format + " is for symmetric matrices, and this one " + why, {}, "use format csr");
}

std::size_t saturating_bytes(index_t count, std::size_t each) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(static_cast<std::size_t>(count), each, &bytes))
    return std::numeric_limits<std::size_t>::max();
  return bytes;
}

index_t saturating_count(index_t a, index_t b) {
  index_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::numeric_limits<index_t>::max();
  return product;
}

ArraySize values_size(const std::string& name, index_t count, Precision precision) {
  return {name, Kind::values, saturating_bytes(count, static_cast<std::size_t>(bytes_of(precision)))};
}

std::size_t skippable_of(index_t padding, index_t unseen, index_t cols, Precision precision) {
  std::size_t sum = 0;
  const bool absurd = __builtin_add_overflow(values_size({}, padding, precision).bytes,
                                             index_size({}, Kind::indices, unseen, cols).bytes, &sum);
  return absurd ? std::numeric_limits<std::size_t>::max() : sum;
}

ArraySize index_size(const std::string& name, Kind kind, index_t count, index_t largest) {
  return {name, kind, saturating_bytes(count, IndexArray::width(largest))};
}

ArrayView view_of(const std::string& name, const Values& values, std::vector<index_t> shape, int part) {
  return values.visit([&]<class T>(std::span<const T> v) {
    const auto type = std::is_same_v<T, float> ? ArrayView::Type::f32 : ArrayView::Type::f64;
    return ArrayView{name, Kind::values, type, v.data(), std::move(shape), part};
  });
}

ArrayView view_of(const std::string& name, Kind kind, const IndexArray& array, std::vector<index_t> shape, int part) {
  return array.visit([&]<class I>(std::span<const I> v) {
    const auto type = sizeof(I) == 4 ? ArrayView::Type::i32 : ArrayView::Type::i64;
    return ArrayView{name, kind, type, v.data(), std::move(shape), part};
  });
}

void for_blocks(index_t count, index_t block, Progress& progress, const std::function<void(index_t, index_t)>& body) {
  progress.check();
  std::atomic<index_t> done{0};
  tbb::parallel_for(index_t{0}, divided_up(count, block), [&](index_t b) {
    progress.check();
    const index_t first = b * block, last = std::min(first + block, count);
    body(first, last);
    progress.set(static_cast<double>(done += last - first) / static_cast<double>(count));
  });
}

index_t for_blocks_placed(index_t count, index_t block, Progress& progress,
                          const std::function<index_t(index_t, index_t)>& size,
                          const std::function<void(index_t, index_t, index_t)>& body) {
  std::vector<index_t> begin(static_cast<std::size_t>(divided_up(count, block)) + 1);
  for_blocks(count, block, progress,
             [&](index_t first, index_t last) { begin[first / block + 1] = size(first, last); });
  for (std::size_t b = 1; b < begin.size(); ++b) begin[b] += begin[b - 1];
  for_blocks(count, block, progress, [&](index_t first, index_t last) { body(first, last, begin[first / block]); });
  return begin.back();
}

void sort_rows_by_length(const FormatFacts& facts, IndexArray& out) {
  const Csr& a = facts.csr();
  // Longer rows come first.
  std::vector<index_t> next(facts.lengths().at_least.begin() + 1, facts.lengths().at_least.end());
  out.visit_mut([&]<class I>(std::span<I> order) {
    for (index_t row = 0; row < a.rows(); ++row) order[next[a.row_length(row)]++] = static_cast<I>(row);
  });
}

template <class T, class C>
void TypedCsr<T, C>::refuse(index_t begin, index_t end) const {
  index_t k = begin;
  const auto size_of = [&](index_t at) { return std::abs(im ? std::hypot(re[at], im[at]) : re[at]); };
  while (k + 1 < end && !(size_of(k) > std::numeric_limits<float>::max() && std::isfinite(size_of(k)))) ++k;
  const auto row = std::upper_bound(a.row_ptr().begin(), a.row_ptr().end(), k) - a.row_ptr().begin() - 1;
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", im ? std::hypot(re[k], im[k]) : re[k]);
  throw Error("value " + std::string(text) + " in row " + std::to_string(row) + ", column " +
                  std::to_string(columns[k]) + " does not fit f32",
              {}, "use precision f64");
}
template struct TypedCsr<float, std::int32_t>;
template struct TypedCsr<float, std::int64_t>;

}  // namespace warpspy
