// Runs Newton's method for a nonlinear problem: each step is a solve as any other, with a Jacobian whose values are
// new.
#pragma once

#include <functional>
#include <optional>

#include "core/generate/bratu.hpp"
#include "profiling/engine/solve_runner.hpp"

namespace warpspy {

// Prepares the matrix for the record's kernel, solves, and fills the record. Throws as a solve does.
using LinearSolve = std::function<void(RunRecord& step, const Matrix& jacobian, SolveVectors& vectors)>;

// Returns the nonlinear problem that a request means, or nothing for a linear solve. Throws Error as bratu_of() does.
std::optional<Bratu> problem_of(const RunRequest& request);

// Runs Newton's method. `r` becomes the record of the first step, with all steps in `newton` and their sums among the
// details. `matrix` is the first Jacobian, as the user opened it. Throws Error for a right-hand side or a start in the
// request, since Newton's method has its own.
void run_newton(const Bratu& problem, RunRecord& r, const Matrix& matrix, Progress& progress, const LinearSolve& solve);

}  // namespace warpspy
