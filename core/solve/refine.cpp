#include "core/solve/refine.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "core/solve/on_host.hpp"

namespace warpspy {

Refined refined(const LinearSystem& outer, LinearSystem& inner, const SolveOptions& options, const SolveInner& solve,
                Progress& progress) {
  using Clock = std::chrono::steady_clock;
  const auto us_since = [](Clock::time_point t) {
    return std::chrono::duration<double, std::micro>(Clock::now() - t).count();
  };
  Refined f;
  f.x = outer.x0;
  SolveResult& result = f.result;
  const auto size = outer.b.size();
  auto begin = Clock::now();
  std::vector<double> r = residual(outer, f.x);
  result.residuals = {norm(r) / outer.b_norm};
  inner.x0.assign(size, 0);
  inner.b.resize(size);
  bool stalled = false, broke_down = false;
  while (result.residuals.back() > options.tolerance && result.iterations < options.most_iterations && !stalled) {
    progress.check();
    const double before = result.residuals.back(), length = before * outer.b_norm;
    for (std::size_t i = 0; i < size; ++i) inner.b[i] = static_cast<float>(r[i] / length);
    inner.b_norm = norm(inner.b);
    SolveOptions of_step = options;
    of_step.tolerance = std::clamp(options.tolerance / before / 2, inner_tolerance, 0.5);
    of_step.most_iterations = options.most_iterations - result.iterations;
    f.steps_us += us_since(begin);
    const InnerSolve s = solve(inner, of_step);
    begin = Clock::now();
    for (std::size_t k = 1; k < s.residuals.size(); ++k) result.residuals.push_back(s.residuals[k] * before);
    result.iterations += s.residuals.size() - 1;
    ++f.steps;
    std::vector<double> x = f.x;
    for (std::size_t i = 0; i < size; ++i) x[i] += length * s.x[i];
    r = residual(outer, x);
    const double now = norm(r) / outer.b_norm;
    stalled = !(now < before / 2), broke_down = stalled && s.broke_down;
    if (!(now < before)) {  // so that x is never worse than before
      result.residuals.back() = before;
      break;
    }
    f.x = std::move(x);
    result.residuals.back() = now;
  }
  f.steps_us += us_since(begin);
  result.true_residual = true_residual(outer, f.x);
  result.solution_norm = norm(f.x);
  judge(result, options, broke_down);
  if (stalled && !broke_down && result.end != SolveEnd::converged) {
    result.end = SolveEnd::stagnated;
    result.why = "a step of the refinement does not halve the residual: f32 is too coarse for this matrix";
  }
  result.why += ", in " + std::to_string(f.steps) + (f.steps == 1 ? " step" : " steps") + " of refinement";
  return f;
}

}  // namespace warpspy
