// Runs a sweep as a plan. The plan's cases are the sweep's waiting cells.
#pragma once

#include <functional>

#include "core/experiment/executor.hpp"
#include "core/run/sweep.hpp"

namespace warpspy {

// The plan's case for a cell (one product of the sweep).
Case case_of(const SweepCell& cell);

// Runs the waiting cells, and reports each result to the sweep. `begins` is called before each cell, `ended` after it,
// with the cell's number. Throws Error when a result cannot be written.
PlanEnd run_sweep(Sweep& sweep, Executor& executor, const MatrixOf& matrix_of, Progress& progress,
                  const std::function<void(std::size_t cell)>& begins,
                  const std::function<void(std::size_t cell, const CaseResult&)>& ended);

}  // namespace warpspy
