#include "core/formats/compare.hpp"

#include <bit>
#include <cmath>
#include <cstdio>

#include "core/base/splitmix.hpp"
#include "core/matrix/memory_guard.hpp"

namespace warpspy {
namespace {

using splitmix::after;

struct Sum {
  std::uint64_t sum = 0;
  index_t entries = 0;
  void add(index_t row, index_t column, double value) {
    // All NaNs count as equal, and so do +0 and -0, since formats need not distinguish them.
    const std::uint64_t bits = std::isnan(value) ? 1 : value == 0 ? 0 : std::bit_cast<std::uint64_t>(value);
    sum += after(after(after(static_cast<std::uint64_t>(row)) + static_cast<std::uint64_t>(column)) + bits);
    ++entries;
  }
};

std::string entry_difference(const Csr& a, const Format& built, Precision precision, RealView view,
                             Progress& progress) {
  Sum expected, found;
  for (index_t row = 0; row < a.rows(); ++row) {
    if (row % 4096 == 0) progress.check();
    for (index_t k = a.row_ptr()[row]; k < a.row_ptr()[row + 1]; ++k) {
      const double v = a.real_value(k, view);
      expected.add(row, a.columns()[static_cast<std::size_t>(k)],
                   precision == Precision::f32 ? static_cast<double>(static_cast<float>(v)) : v);
    }
  }
  built.for_each([&](index_t row, index_t column, double value) {
    found.add(row, column, value);
    if (found.entries % 65536 == 0) progress.check();
  });
  if (found.entries != expected.entries)
    return std::to_string(found.entries) + " entries came back, of " + std::to_string(expected.entries);
  return found.sum == expected.sum ? "" : "entries came back changed";
}

std::string place(index_t row, index_t column) {
  return "row " + std::to_string(row + 1) + ", column " + std::to_string(column + 1);
}

// Contributions to one entry.
struct Sums {
  explicit Sums(index_t nnz) {
    const auto n = static_cast<std::size_t>(nnz);
    require_memory(static_cast<double>(nnz) * (2 * sizeof(double) + sizeof(std::uint32_t)), "the comparison");
    value.resize(n), magnitude.resize(n), count.resize(n);
  }
  std::vector<double> value, magnitude;
  std::vector<std::uint32_t> count;
};

std::string sum_difference(const Csr& a, const Format& built, Precision precision, RealView view, Progress& progress) {
  Sums sums(a.nnz());
  std::string stray;
  index_t seen = 0;
  built.for_each([&](index_t row, index_t column, double value) {
    if (++seen % 65536 == 0) progress.check();
    const index_t k = a.find(row, column);
    if (k < 0) {
      if (stray.empty()) stray = place(row, column) + " has a contribution and is no entry of the matrix";
      return;
    }
    sums.value[k] += value;
    sums.magnitude[k] += std::abs(value);
    ++sums.count[k];
  });
  if (!stray.empty()) return stray;
  const double unit = precision == Precision::f32 ? 0x1p-24 : 0;
  for (index_t row = 0; row < a.rows(); ++row) {
    if (row % 4096 == 0) progress.check();
    for (index_t k = a.row_ptr()[row]; k < a.row_ptr()[row + 1]; ++k) {
      const index_t column = a.columns()[static_cast<std::size_t>(k)];
      if (sums.count[k] == 0) return place(row, column) + " has no contribution";
      const double stored = a.real_value(k, view);
      const double most = (unit + 2.0 * sums.count[k] * 0x1p-53) * sums.magnitude[k];
      if (std::abs(sums.value[k] - stored) <= most) continue;
      char text[160];
      std::snprintf(text, sizeof text,
                    ": %u contributions add up to %.17g, the matrix has %.17g, beyond rounding (%.3g)", sums.count[k],
                    sums.value[k], stored, most);
      return place(row, column) + text;
    }
  }
  return {};
}

}  // namespace

std::string difference(const Csr& a, const Format& built, Precision precision, RealView view, Progress& progress) {
  const bool sums = format_row(built.id()).from_elements;
  return (sums ? sum_difference : entry_difference)(a, built, precision, view, progress);
}

}  // namespace warpspy
