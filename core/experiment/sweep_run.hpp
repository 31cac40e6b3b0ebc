// A sweep as a plan: the cells of its grid that wait.
#pragma once

#include <functional>

#include "core/experiment/executor.hpp"
#include "core/run/sweep.hpp"

namespace warpspy {

// The case of a cell.
Case case_of(const SweepCell& cell);

// Runs the cells that wait, and tells the sweep what became of each; `begins` is called before each, `ended` behind it
// with the number of the cell. Throws Error when a result cannot be written.
PlanEnd run_sweep(Sweep& sweep, Executor& executor, const MatrixOf& matrix_of, Progress& progress,
                  const std::function<void(std::size_t cell)>& begins,
                  const std::function<void(std::size_t cell, const CaseResult&)>& ended);

}  // namespace warpspy
