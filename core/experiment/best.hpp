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

// Makes the plan that searches for the fastest kernel. Its trials are short runs that search. At the end the best and
// the second-best product are timed again in turn, as finals. The search begins with the matrix's runs in the history
// (nullptr: without any). Matrix and history must live longer than the plan. profiling/bench/best.hpp implements it. It
// is passed as a function, since code in core cannot include the tables of kernels.
using MakeBest = std::function<std::unique_ptr<Plan>(const Matrix&, const BestRequest&, History*)>;

// Returns why every final product of the search failed, in one line; "" if at least one succeeded.
std::string nothing_found(const Results& results);

}  // namespace warpspy
