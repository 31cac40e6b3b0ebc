// Matrices that every format and kernel must get right, by name; small enough for the emulator. Deterministic.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "core/matrix/csr.hpp"

namespace warpspy::testing {

struct Shape {
  std::string name;
  Csr matrix;
};

// A matrix from the columns of its rows (sorted and made unique here); values are value(row, column).
inline Csr from_rows(index_t cols, const std::vector<std::vector<index_t>>& rows,
                     const std::function<double(index_t, index_t)>& value) {
  std::vector<index_t> row_ptr{0};
  std::vector<std::int32_t> columns;
  std::vector<double> values;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::set<index_t> sorted(rows[r].begin(), rows[r].end());
    for (index_t c : sorted) {
      columns.push_back(static_cast<std::int32_t>(c));
      values.push_back(value(static_cast<index_t>(r), c));
    }
    row_ptr.push_back(static_cast<index_t>(columns.size()));
  }
  return Csr(static_cast<index_t>(rows.size()), cols, std::move(row_ptr), Indices(std::move(columns)),
             std::move(values));
}

// Both signs, no two equal, exact in f32.
inline double some_value(index_t r, index_t c) {
  const auto h = static_cast<std::uint32_t>(r) * 2654435761u ^ static_cast<std::uint32_t>(c) * 40503u;
  return (static_cast<double>(h % 4093) - 2046) / 512;
}

inline Csr random_rows(index_t rows, index_t cols, const std::function<index_t(index_t)>& length, unsigned seed) {
  std::mt19937 rng(seed);
  std::vector<std::vector<index_t>> list(static_cast<std::size_t>(rows));
  for (index_t r = 0; r < rows; ++r)
    for (index_t k = 0, n = std::min(length(r), cols); k < n; ++k)
      list[r].push_back(static_cast<index_t>(rng() % cols));
  return from_rows(cols, list, some_value);
}

inline std::vector<Shape> shapes() {
  const auto constant = [](index_t n) { return [n](index_t) { return n; }; };
  std::vector<Shape> all;
  const auto add = [&](std::string name, Csr m) { all.push_back({std::move(name), std::move(m)}); };

  add("0x0", from_rows(0, {}, some_value));
  add("0x7", from_rows(7, {}, some_value));
  add("7x0", from_rows(0, std::vector<std::vector<index_t>>(7), some_value));
  add("1x1", from_rows(1, {{0}}, some_value));
  add("all_empty_40x9", from_rows(9, std::vector<std::vector<index_t>>(40), some_value));
  add("empty_rows", random_rows(300, 50, [](index_t r) { return r % 3 == 0 ? index_t{0} : r % 7; }, 1));
  add("one_dense_row", random_rows(200, 600, [](index_t r) { return r == 137 ? index_t{5000} : index_t{2}; }, 2));
  add("stored_zeros", from_rows(5, {{0, 1, 4}, {2}, {}, {0, 1, 2, 3, 4}},
                                [](index_t r, index_t c) { return (r + c) % 2 == 0 ? 0.0 : 1.5; }));
  add("1xn", random_rows(1, 777, constant(900), 3));
  add("nx1", random_rows(777, 1, [](index_t r) { return r % 2; }, 4));
  add("tall", random_rows(1500, 12, constant(3), 5));
  add("wide", random_rows(9, 4000, constant(150), 6));
  add("power_law",
      random_rows(700, 700, [](index_t r) { return 1 + static_cast<index_t>(400 / std::pow(r + 1.0, 0.8)); }, 7));
  std::vector<std::vector<index_t>> band(333);
  for (index_t r = 0; r < 333; ++r)
    for (index_t c = std::max<index_t>(0, r - 4); c <= std::min<index_t>(332, r + 4); ++c) band[r].push_back(c);
  add("banded", from_rows(333, band, some_value));
  add("warp_edges", random_rows(129, 70, [](index_t r) { return 30 + r % 5; }, 8));  // rows of about 32 entries
  return all;
}

// x with both signs, exact in f32, no zero.
inline std::vector<double> some_vector(index_t n) {
  std::vector<double> x(static_cast<std::size_t>(n));
  for (index_t i = 0; i < n; ++i) x[i] = some_value(i, 3 * i + 1) + 0.001953125;
  return x;
}

// Componentwise |y - ref| <= gamma(n) (|A||x|), gamma(n) = n u / (1 - n u), n = entries of the row (each is rounded
// once as a product and once in the sum, whatever the order). `tiny` allows for products that underflow.
struct Reference {
  std::vector<long double> y, bound;
};
inline Reference reference(const Csr& a, const std::vector<double>& x, Precision precision) {
  const long double u = precision == Precision::f32 ? 0x1p-24L : 0x1p-53L;
  const long double tiny = precision == Precision::f32 ? 0x1p-149L : 0x1p-1074L;
  Reference ref;
  for (index_t r = 0; r < a.rows(); ++r) {
    long double sum = 0, sum_abs = 0;
    for (index_t k = a.row_ptr()[r]; k < a.row_ptr()[r + 1]; ++k) {
      const long double product = static_cast<long double>(a.values()[k]) * x[a.columns()[k]];
      sum += product;
      sum_abs += std::abs(product);
    }
    const long double n = static_cast<long double>(a.row_length(r));
    ref.y.push_back(sum);
    ref.bound.push_back(n * u / (1 - n * u) * sum_abs + n * tiny);
  }
  return ref;
}

// "" when every row is within its bound; else the first row that is not.
inline std::string first_wrong_row(const Reference& ref, const std::vector<double>& y) {
  if (y.size() != ref.y.size()) return "y has " + std::to_string(y.size()) + " rows";
  for (std::size_t r = 0; r < y.size(); ++r) {
    if (std::abs(y[r] - ref.y[r]) <= ref.bound[r]) continue;  // false for NaN
    return "row " + std::to_string(r) + ": " + std::to_string(y[r]) + ", not " +
           std::to_string(static_cast<double>(ref.y[r]));
  }
  return {};
}

// Every combination of {min, default, max} of each parameter.
template <class Specs>
auto parameter_corners(const Specs& specs) {
  using Set = std::map<std::string, double>;
  std::vector<Set> corners{Set{}};
  for (const auto& spec : specs) {
    std::vector<Set> longer;
    for (const Set& corner : corners)
      for (double v : std::set<double>{spec.min, spec.def, spec.max}) {
        longer.push_back(corner);
        longer.back()[spec.id] = v;
      }
    corners = std::move(longer);
  }
  return corners;
}

}  // namespace warpspy::testing
