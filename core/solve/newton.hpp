// Newton's method for F(u) = 0. Each step solves a linear system with the Jacobian J(u), by any of the solvers.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/jobs/progress.hpp"
#include "core/solve/newton_result.hpp"

namespace warpspy {

// Returns F(u), a vector as long as u.
using NonlinearResidual = std::function<std::vector<double>(std::span<const double> u)>;
// Solves J(u) y = f and returns y. Fills the fields of `step` that describe the linear solve, and adds the time of
// making J.
using LinearStep =
    std::function<std::vector<double>(std::span<const double> u, const std::vector<double>& f, NewtonStep& step)>;

// `u` begins as the start and ends as the last iterate. A step that lets |F| fall too little is halved, until |F| falls
// enough or a step is a thousandth of the full one (then the method has stagnated). "Enough" is what the backtracking
// line search of PETSc asks for: |F(u - s y)|^2 <= (1 - 2e-4 s) |F(u)|^2. Throws what `linear` throws, and Cancelled.
NewtonResult newton(const NonlinearResidual& residual, const NewtonOptions& options, const LinearStep& linear,
                    Progress& progress, std::vector<double>& u);

}  // namespace warpspy
