// The search for the fastest kernel of a matrix as a plan, alike for the window and the command line.
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
  double budget_s = 1;             // of search, for each precision and operation
  std::string history_until = {};  // what the history knew then; empty: all that it knows
};

// Its trials find, and its finals are the best and the second in turn. It begins at what the history knows of the
// matrix; nullptr: of nothing. Matrix and history must live longer. Implemented by profiling/bench/best.hpp; who has no
// tables of kernels is handed it.
using MakeBest = std::function<std::unique_ptr<Plan>(const Matrix&, const BestRequest&, History*)>;

// Why none of its finals is good, in a line; "": one is.
std::string nothing_found(const Results& results);

}  // namespace warpspy
