// What is measured on a GPU so that its model can learn (calibrate.hpp), as requests of one plan.
#pragma once

#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/run/record.hpp"

namespace warpspy {

// How a product is measured.
struct MeasureWay {
  Precision precision = Precision::f32;
  CacheState caches = CacheState::cold;
  bool operator==(const MeasureWay&) const = default;
};
// "f32-cold". Throws Error for any other text than these four.
MeasureWay measure_way(const std::string& text);
std::vector<MeasureWay> all_measure_ways();

struct MeasureOptions {
  std::vector<std::string> kernels = {};  // ids; empty: every kernel of ours that multiplies with A or A^T
  std::vector<MeasureWay> ways = all_measure_ways();
  double budget_s = 0.1;          // the time that timing one product may take
  std::string counters = "none";  // set of counters that is read of each product
  MemoryBudget memory = {};       // of the formats; what does not fit fails, and the plan goes on
};

// First of each matrix, in f32 and f64: each kernel with its default parameters, cold and then warm (those ways that
// are wanted), so that a format is prepared once for both. Then of each matrix the kernels with those parameters with
// which a search would begin besides (KernelInfo::starts). Last, unless kernels were chosen, 20 iterations of each
// solver in each precision; of a matrix that is not square they fail at once. So a plan that is stopped early knows the
// defaults on all matrices first.
std::vector<RunRequest> measure_requests(const std::vector<std::string>& matrices, const Catalog& catalog,
                                         const DeviceInfo& device, const MeasureOptions& options = {});

}  // namespace warpspy
