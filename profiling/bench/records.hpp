// The benchmark's report from records: a side of a row, a ratio, and earlier results of the history.
#pragma once

#include <string>
#include <vector>

#include "core/run/record.hpp"
#include "kernels/product/row.hpp"
#include "profiling/bench/result.hpp"

namespace warpspy {

// A side from a good run of run_in_turn (core/run/engine.hpp): its time, and its preparation time.
BenchSide side_of(const RunRecord& r);

// The library's time / our time. If both took turns, it has quartiles; else, as for two modelled runs, it is the ratio
// of their times. `library` was the last in its turns.
Ratio ratio_of(const RunRecord& ours, const RunRecord& library);

// Whether a search could choose a run: measured, y = A x (or transposed), by one of these kernels, in this precision
// and cache state, and not only timed to be ranked. `in_order`: also, no product begins before the previous one has
// ended.
struct Choosable {
  std::vector<const KernelRow*> rows;  // of kernels
  Precision precision = Precision::f32;
  CacheState state = CacheState::warm;
  bool in_order = false;
  std::string before = {};  // only runs that began before this time (utc_now_ms); "": all
  bool operator()(const RunRecord& r) const;
};

}  // namespace warpspy
