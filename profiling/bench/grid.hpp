// What `warpspy bench` wrote, as a grid: what a performance profile of our best kernel and the library's is made of.
#pragma once

#include <string>
#include <vector>

#include "core/model/run_grid.hpp"

namespace warpspy {

struct BenchGridOptions {
  Operation operation = Operation::product;
  CacheState state = CacheState::warm;
  Precision precision = Precision::f32;
  bool in_order = false;  // ours where each product waits for the one before
};

// A matrix for each case of a report, a column for us and one for the library. Of several reports the later ones win.
// Throws Error for what is no report of bench.
RunGrid grid_of_bench(const std::vector<std::string>& files, const BenchGridOptions& options);

}  // namespace warpspy
