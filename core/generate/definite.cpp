#include "core/generate/definite.hpp"

#include <algorithm>
#include <atomic>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/splitmix.hpp"
#include "core/jobs/parallel.hpp"
#include "core/matrix/memory_guard.hpp"

namespace warpspy::generate_detail {
namespace {

constexpr std::size_t ranges = 64;
constexpr double dominance = 1.01;

template <class Work>
void for_each_row(const Csr& a, const Work& work) {
  const auto rows = static_cast<std::size_t>(a.rows());
  in_parallel(ranges, [&](std::size_t part) {
    for (std::size_t i = part_begin(rows, part, ranges); i < part_begin(rows, part + 1, ranges); ++i)
      work(static_cast<index_t>(i));
  });
}

bool has_full_symmetric_pattern(const Csr& a) {
  std::atomic<bool> full{true};
  for_each_row(a, [&](index_t i) {
    if (!full) return;
    if (a.find(i, i) < 0) full = false;
    for (index_t k = a.row_ptr()[i]; k < a.row_ptr()[i + 1] && full; ++k)
      if (a.find(a.columns()[static_cast<std::size_t>(k)], i) < 0) full = false;
  });
  return full;
}

// The pattern with its mirror and the diagonal; the values mean nothing.
Csr completed(const Csr& a) {
  Coo all;
  all.rows = all.cols = a.rows();
  constexpr double bytes_of_entry = 2 * sizeof(index_t) + sizeof(double);
  require_memory(2 * bytes_of_entry * (2 * static_cast<double>(a.nnz()) + static_cast<double>(a.rows())),
                 "the matrix with its mirror");
  const auto count = 2 * static_cast<std::size_t>(a.nnz()) + static_cast<std::size_t>(a.rows());
  all.row = Indices::sized(a.rows(), count), all.col = Indices::sized(a.rows(), count);
  all.values.assign(count, 1.0);
  all.row.visit_mut([&]<class I>(std::span<I> row) {
    all.col.visit_mut([&]<class J>(std::span<J> col) {
      std::size_t at = 0;
      const auto add = [&](index_t i, index_t j) {
        row[at] = static_cast<I>(i), col[at] = static_cast<J>(j);
        ++at;
      };
      for (index_t i = 0; i < a.rows(); ++i) {
        add(i, i);
        for (index_t k = a.row_ptr()[i]; k < a.row_ptr()[i + 1]; ++k) {
          const index_t j = a.columns()[static_cast<std::size_t>(k)];
          add(i, j), add(j, i);
        }
      }
    });
  });
  return csr_from_coo(std::move(all));
}

double weight(index_t i, index_t j) {
  const auto low = static_cast<std::uint64_t>(std::min(i, j)), high = static_cast<std::uint64_t>(std::max(i, j));
  const std::uint64_t drawn = splitmix::mixed(splitmix::after(low) ^ high);
  return static_cast<double>((drawn >> 40) + 1) * 0x1p-24;
}

}  // namespace

Csr positive_definite(const Csr& a, Progress& progress) {
  if (a.rows() != a.cols())
    throw Error("a positive definite matrix is square, and this one has " + std::to_string(a.rows()) + " rows and " +
                    std::to_string(a.cols()) + " columns",
                {}, "leave spd out");
  std::optional<Csr> own;
  if (!has_full_symmetric_pattern(a)) own.emplace(completed(a));
  progress.check();
  const Csr& pattern = own ? *own : a;
  std::vector<double> values(static_cast<std::size_t>(pattern.nnz()));
  for_each_row(pattern, [&](index_t i) {
    double sum = 0;
    for (index_t k = pattern.row_ptr()[i]; k < pattern.row_ptr()[i + 1]; ++k) {
      const index_t j = pattern.columns()[static_cast<std::size_t>(k)];
      if (i == j) continue;
      const double w = weight(i, j);
      values[static_cast<std::size_t>(k)] = -w;
      sum += w;
    }
    values[static_cast<std::size_t>(pattern.find(i, i))] = sum > 0 ? static_cast<float>(dominance * sum) : 1.0;
  });
  std::vector<index_t> row_ptr(pattern.row_ptr().begin(), pattern.row_ptr().end());
  Indices columns = pattern.columns();
  const index_t n = pattern.rows();
  return Csr(n, n, std::move(row_ptr), std::move(columns), std::move(values));
}

}  // namespace warpspy::generate_detail
