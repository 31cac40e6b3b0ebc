// What the benchmark found, as runs of the history, and what the history knows already.
#pragma once

#include <string>
#include <vector>

#include "core/run/record.hpp"
#include "kernels/product/row.hpp"
#include "profiling/bench/bench.hpp"

namespace warpspy {

// The sides of a row, each as a final product of the plan "bench": ours, ours in order, ours with a stored transpose,
// the library's. `source` and `fingerprint` (core/run/fingerprint.hpp): of the matrix.
std::vector<RunRecord> records_of(const BenchRow& row, const BenchReport& report, const BenchOptions& options,
                                  const std::string& source, const std::string& fingerprint);

// Whether a run is a product that a search could choose: measured, y = A x (or transposed), by one of these kernels,
// in this precision and state; `in_order`: and none begins before the one before has ended.
struct Choosable {
  std::vector<const KernelRow*> rows;  // of kernels
  Precision precision = Precision::f32;
  CacheState state = CacheState::warm;
  bool in_order = false;
  bool operator()(const RunRecord& r) const;
};

}  // namespace warpspy
