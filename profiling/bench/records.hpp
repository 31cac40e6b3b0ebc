// Makes parts of the benchmark's report from records of runs: one side of a row (ours or the library's), a ratio, and
// earlier results of the history.
#pragma once

#include <string>
#include <vector>

#include "core/run/record.hpp"
#include "kernels/product/row.hpp"
#include "profiling/bench/result.hpp"

namespace warpspy {

// Makes one side of a row (ours or the library's) from a successful run of run_in_turn (core/run/engine.hpp): its time,
// and its preparation time.
BenchSide side_of(const RunRecord& r);

// (The library's time) / (our time). If both took turns, the ratio has quartiles, and `library` must be the last in
// each round. Otherwise, as for two modelled runs, it is the ratio of their times.
Ratio ratio_of(const RunRecord& ours, const RunRecord& library);

// Tells whether a search may choose a run of the history. The run must be a measured product by one of these kernels,
// in this precision and cache state, and not a rough timing that only ranks. With `in_order` each of its products must
// also wait for the end of the previous one.
struct Choosable {
  std::vector<const KernelRow*> rows;  // of kernels
  Precision precision = Precision::f32;
  CacheState state = CacheState::warm;
  bool in_order = false;
  std::string before = {};  // only runs that began before this time (utc_now_ms); "": all
  bool operator()(const RunRecord& r) const;
};

}  // namespace warpspy
