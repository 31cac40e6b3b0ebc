// Reports of `warpspy bench` as a grid, for a performance profile of our best kernel and the library's.
#pragma once

#include <string>
#include <vector>

#include "core/model/run_grid.hpp"

namespace warpspy {

struct BenchGridOptions {
  Operation operation = Operation::product;
  CacheState state = CacheState::warm;
  Precision precision = Precision::f32;
  bool in_order = false;  // our times with each product waiting for the previous one
};

// The grid has a row for each case of a report, a column for our kernels and one for the library's. If several reports
// have the same case, the last one counts. Throws Error if a file is no report of bench.
RunGrid grid_of_bench(const std::vector<std::string>& files, const BenchGridOptions& options);

}  // namespace warpspy
