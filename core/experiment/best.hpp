// The search for the fastest kernel of a matrix as a plan. The window and the command line use the same plan.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/experiment/plan.hpp"
#include "core/matrix/csr.hpp"
#include "core/run/history.hpp"

namespace warpspy {

struct BestRequest {
  std::string source = {};  // of the matrix
  DeviceInfo device = {};
  std::vector<Precision> precisions = {};
  CacheState caches = CacheState::warm;
  double budget_s = 1;             // seconds of search for each precision and operation
  std::string history_until = {};  // only runs of the history up to this time count; empty: all runs
};

// Makes that plan. Its trials search; its finals are the best and the second-best product, timed in turn. The search
// begins with the matrix's runs in the history (nullptr: without any). Matrix and history must live longer.
// profiling/bench/best.hpp implements it; code without the tables of kernels is handed it.
using MakeBest = std::function<std::unique_ptr<Plan>(const Matrix&, const BestRequest&, History*)>;

// Why no final is good, in one line; "" if one is good.
std::string nothing_found(const Results& results);

}  // namespace warpspy
