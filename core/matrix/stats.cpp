#include "core/matrix/stats.hpp"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/matrix/memory_guard.hpp"

namespace warpspy {
namespace {

constexpr index_t kHistogramMost = index_t{1} << 26;  // longest row that still gets a histogram
constexpr index_t kLocalMost = index_t{1} << 16;      // longest row for one histogram per thread
constexpr std::size_t kLongest = 20;

using Rows = tbb::blocked_range<index_t>;
constexpr index_t kGrain = 4096;

struct LengthCount {
  index_t length = 0, rows = 0;
};

index_t longest_row(const Csr& a) {
  return tbb::parallel_reduce(
      Rows(0, a.rows(), kGrain), index_t{0},
      [&](const Rows& range, index_t most) {
        for (index_t i = range.begin(); i < range.end(); ++i) most = std::max(most, a.row_length(i));
        return most;
      },
      [](index_t x, index_t y) { return std::max(x, y); });
}

std::vector<index_t> histogram_of(const Csr& a, index_t most) {
  const auto bins = static_cast<std::size_t>(most) + 1;
  require_memory(static_cast<double>(bins) * sizeof(index_t), "the histogram of row lengths");
  std::vector<index_t> sum(bins, 0);
  if (most > kLocalMost) {
    for (index_t i = 0; i < a.rows(); ++i) ++sum[a.row_length(i)];
    return sum;
  }
  tbb::enumerable_thread_specific<std::vector<index_t>> local([bins] { return std::vector<index_t>(bins, 0); });
  tbb::parallel_for(Rows(0, a.rows(), kGrain), [&](const Rows& range) {
    auto& mine = local.local();
    for (index_t i = range.begin(); i < range.end(); ++i) ++mine[a.row_length(i)];
  });
  for (const auto& part : local)
    for (std::size_t l = 0; l < bins; ++l) sum[l] += part[l];
  return sum;
}

// The distinct row lengths in increasing order, and how many rows have each.
std::vector<LengthCount> counts_of(const Csr& a, const std::vector<index_t>& histogram) {
  std::vector<LengthCount> counts;
  for (std::size_t l = 0; l < histogram.size(); ++l)
    if (histogram[l] > 0) counts.push_back({static_cast<index_t>(l), histogram[l]});
  if (!histogram.empty()) return counts;

  require_memory(static_cast<double>(a.rows()) * sizeof(index_t), "the list of row lengths");
  std::vector<index_t> lengths(static_cast<std::size_t>(a.rows()));
  tbb::parallel_for(Rows(0, a.rows(), kGrain), [&](const Rows& range) {
    for (index_t i = range.begin(); i < range.end(); ++i) lengths[i] = a.row_length(i);
  });
  tbb::parallel_sort(lengths.begin(), lengths.end());
  for (const index_t l : lengths) {
    if (counts.empty() || counts.back().length != l) counts.push_back({l, 0});
    ++counts.back().rows;
  }
  return counts;
}

double length_at_rank(const std::vector<LengthCount>& counts, index_t rank) {
  for (const auto& c : counts) {
    if (rank < c.rows) return static_cast<double>(c.length);
    rank -= c.rows;
  }
  return 0;
}

double quantile(const std::vector<LengthCount>& counts, index_t rows, double q) {
  const double at = q * static_cast<double>(rows - 1);
  const auto below = static_cast<index_t>(std::floor(at));
  const double low = length_at_rank(counts, below);
  if (below + 1 >= rows) return low;
  return low + (at - static_cast<double>(below)) * (length_at_rank(counts, below + 1) - low);
}

std::vector<index_t> longest_of(const Csr& a, const std::vector<LengthCount>& counts) {
  // Fewer than kLongest rows are longer than `threshold`; rows of exactly that length fill up the list.
  index_t threshold = 0;
  index_t seen = 0;
  for (auto c = counts.rbegin(); c != counts.rend() && seen < static_cast<index_t>(kLongest); ++c) {
    threshold = c->length;
    seen += c->rows;
  }
  std::vector<index_t> longer, equal;
  for (index_t i = 0; i < a.rows(); ++i) {
    const index_t l = a.row_length(i);
    if (l > threshold) longer.push_back(i);
    if (l == threshold && equal.size() < kLongest) equal.push_back(i);
  }
  std::stable_sort(longer.begin(), longer.end(),
                   [&](index_t x, index_t y) { return a.row_length(x) > a.row_length(y); });
  longer.insert(longer.end(), equal.begin(), equal.end());
  longer.resize(std::min(longer.size(), kLongest));
  return longer;
}

// Sums over a range of rows. Adding is exact, so the result does not depend on how rows are divided.
struct Tally {
  index_t lower = 0, upper = 0, zeros = 0, diagonal = 0, mirrored_pattern = 0, mirrored_value = 0;

  Tally operator+(const Tally& o) const {
    return {std::max(lower, o.lower),
            std::max(upper, o.upper),
            zeros + o.zeros,
            diagonal + o.diagonal,
            mirrored_pattern + o.mirrored_pattern,
            mirrored_value + o.mirrored_value};
  }
};

template <class Span>
void tally_row(const Csr& a, Span columns, index_t i, Tally& t) {
  const auto ptr = a.row_ptr();
  const auto values = a.values();
  const auto imag = a.imag();
  const index_t begin = ptr[i], end = ptr[i + 1];
  if (begin == end) return;
  t.lower = std::max(t.lower, i - static_cast<index_t>(columns[begin]));
  t.upper = std::max(t.upper, static_cast<index_t>(columns[end - 1]) - i);
  for (index_t k = begin; k < end; ++k) t.zeros += values[k] == 0 && (imag.empty() || imag[k] == 0);

  const auto first = columns.begin() + begin, last = columns.begin() + end;
  auto at = std::lower_bound(first, last, i);
  if (at != last && *at == i) {
    ++t.diagonal;
    ++at;
  }
  if (a.rows() != a.cols()) return;
  // Only above the diagonal: a mirrored pair counts for both of its entries.
  for (; at != last; ++at) {
    const index_t k = at - columns.begin();
    const index_t mirror = a.find(*at, i);
    if (mirror < 0) continue;
    t.mirrored_pattern += 2;
    if (values[k] == values[mirror] && (imag.empty() || imag[k] == imag[mirror])) t.mirrored_value += 2;
  }
}

}  // namespace

RowStats row_stats(const Csr& a) {
  RowStats s;
  if (a.rows() == 0) return s;
  s.max = longest_row(a);
  if (s.max <= kHistogramMost) s.histogram = histogram_of(a, s.max);
  const auto counts = counts_of(a, s.histogram);
  s.min = counts.front().length;
  s.empty = s.min == 0 ? counts.front().rows : 0;

  const auto rows = static_cast<double>(a.rows());
  s.mean = static_cast<double>(a.nnz()) / rows;
  double second = 0, third = 0;
  for (const auto& c : counts) {
    const double d = static_cast<double>(c.length) - s.mean;
    second += static_cast<double>(c.rows) * d * d;
    third += static_cast<double>(c.rows) * d * d * d;
  }
  s.variance = counts.size() == 1 ? 0 : second / rows;
  s.skew = s.variance > 0 ? third / rows / (s.variance * std::sqrt(s.variance)) : 0;
  s.q1 = quantile(counts, a.rows(), 0.25);
  s.median = quantile(counts, a.rows(), 0.5);
  s.q3 = quantile(counts, a.rows(), 0.75);
  s.longest = longest_of(a, counts);
  return s;
}

Structure structure_of(const Csr& a) {
  const Tally t = a.columns().visit([&](auto columns) {
    return tbb::parallel_reduce(
        Rows(0, a.rows(), 1024), Tally{},
        [&](const Rows& range, Tally sum) {
          for (index_t i = range.begin(); i < range.end(); ++i) tally_row(a, columns, i, sum);
          return sum;
        },
        [](const Tally& x, const Tally& y) { return x + y; });
  });
  Structure s;
  s.lower_bandwidth = t.lower;
  s.upper_bandwidth = t.upper;
  s.explicit_zeros = t.zeros;
  s.diagonal_entries = t.diagonal;
  if (a.rows() != a.cols()) return s;
  const auto off_diagonal = static_cast<double>(a.nnz() - t.diagonal);
  s.pattern_symmetry = off_diagonal == 0 ? 1 : static_cast<double>(t.mirrored_pattern) / off_diagonal;
  s.value_symmetry = off_diagonal == 0 ? 1 : static_cast<double>(t.mirrored_value) / off_diagonal;
  return s;
}

MatrixFacts facts_of(const Csr& a) { return {row_stats(a), structure_of(a)}; }

}  // namespace warpspy
