// The benchmark's report as questions to records: a side of a row, a ratio, and what the history knows already.
#pragma once

#include <string>
#include <vector>

#include "core/run/record.hpp"
#include "kernels/product/row.hpp"
#include "profiling/bench/result.hpp"

namespace warpspy {

// Of a good run of run_in_turn (core/run/engine.hpp): its time, and what it took to prepare.
BenchSide side_of(const RunRecord& r);

// The library's time / ours, with quartiles where they took turns; of two that did not, of two modelled ones say, their
// times' alone. `library` was the last of its turns.
Ratio ratio_of(const RunRecord& ours, const RunRecord& library);

// Whether a run is a product that a search could choose: measured, y = A x (or transposed), by one of these kernels,
// in this precision and state; not one that was only ranked. `in_order`: and none begins before the one before has
// ended.
struct Choosable {
  std::vector<const KernelRow*> rows;  // of kernels
  Precision precision = Precision::f32;
  CacheState state = CacheState::warm;
  bool in_order = false;
  std::string before = {};  // and that began before then (utc_now_ms); "": at any time
  bool operator()(const RunRecord& r) const;
};

}  // namespace warpspy
