// Small matrices for the raster tests, and the slow and obvious way to count them.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "core/raster/raster.hpp"

namespace warpspy::testing_raster {

using Places = std::set<std::pair<index_t, index_t>>;

inline std::shared_ptr<const Csr> matrix_of(index_t rows, index_t cols, const Places& places) {
  std::vector<index_t> row_ptr(rows + 1);
  Indices columns = Indices::sized(cols, places.size());
  std::vector<double> values;
  columns.visit_mut([&](auto out) {
    std::size_t k = 0;
    for (const auto& [row, col] : places) {
      ++row_ptr[row + 1];
      out[k++] = static_cast<typename decltype(out)::value_type>(col);
      values.push_back(static_cast<double>(k));
    }
  });
  for (index_t row = 0; row < rows; ++row) row_ptr[row + 1] += row_ptr[row];
  return std::make_shared<const Csr>(rows, cols, std::move(row_ptr), std::move(columns), std::move(values));
}

inline std::shared_ptr<const Csr> random_matrix(index_t rows, index_t cols, int entries, unsigned seed) {
  std::mt19937_64 random(seed);
  Places places;
  if (rows > 0 && cols > 0)
    for (int i = 0; i < entries; ++i)
      places.emplace(static_cast<index_t>(random() % rows), static_cast<index_t>(random() % cols));
  return matrix_of(rows, cols, places);
}

template <class Visit>
void for_each_entry(const Csr& a, const Visit& visit) {
  for (index_t row = 0; row < a.rows(); ++row)
    for (index_t k = a.row_ptr()[row]; k < a.row_ptr()[row + 1]; ++k) visit(row, a.columns()[k]);
}

inline bool inside(const Window& w, index_t row, index_t col) {
  return row >= w.row0 && row < w.row1 && col >= w.col0 && col < w.col1;
}

// By the definition: the cell whose edges enclose the entry, found by trying them all.
inline std::vector<std::uint32_t> counted_slowly(const Csr& a, const CountGrid& grid) {
  std::vector<std::uint32_t> counts(static_cast<std::size_t>(grid.width) * grid.height);
  for_each_entry(a, [&](index_t row, index_t col) {
    if (!inside(grid.window, row, col)) return;
    for (int y = 0; y < grid.height; ++y)
      for (int x = 0; x < grid.width; ++x)
        if (row >= grid.row_edge(y) && row < grid.row_edge(y + 1) && col >= grid.col_edge(x) &&
            col < grid.col_edge(x + 1))
          ++counts[static_cast<std::size_t>(y) * grid.width + x];
  });
  return counts;
}

inline std::uint64_t sum_of(const std::vector<std::uint32_t>& counts) {
  std::uint64_t sum = 0;
  for (const std::uint32_t c : counts) sum += c;
  return sum;
}

}  // namespace warpspy::testing_raster
