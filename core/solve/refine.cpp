#include "core/solve/refine.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "core/solve/on_host.hpp"

namespace warpspy {

namespace {

class OnHost final : public RefinementWork {
 public:
  OnHost(const LinearSystem& outer, LinearSystem& inner, Progress& progress)
      : outer_(outer), inner_(inner), progress_(progress), x_(outer.x0) {
    inner_.x0.assign(x_.size(), 0);
    inner_.b.resize(x_.size());
  }
  double residual() override {
    r_ = warpspy::residual(outer_, x_);
    return norm(r_);
  }
  InnerSolve solve(double scale, const SolveOptions& options) override {
    scale_ = scale;
    for (std::size_t i = 0; i < r_.size(); ++i) inner_.b[i] = static_cast<float>(scale * r_[i]);
    inner_.b_norm = norm(inner_.b);
    const SolveResult s = solve_on_host(inner_, options, progress_, d_);
    return {s.residuals, s.end == SolveEnd::broke_down};
  }
  void add() override {
    before_ = x_;
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += d_[i] / scale_;
  }
  void take_back() override { x_ = before_; }
  std::vector<double> x() override { return x_; }

 private:
  const LinearSystem& outer_;
  LinearSystem& inner_;
  Progress& progress_;
  std::vector<double> x_, before_, r_, d_;
  double scale_ = 1;
};

}  // namespace

std::unique_ptr<RefinementWork> refinement_on_host(const LinearSystem& outer, LinearSystem& inner, Progress& progress) {
  return std::make_unique<OnHost>(outer, inner, progress);
}

Refined refined(RefinementWork& work, const LinearSystem& outer, const SolveOptions& options,
                const Progress& progress) {
  const auto begin = std::chrono::steady_clock::now();
  Refined f;
  SolveResult& result = f.result;
  double length = work.residual();
  result.residuals = {length / outer.b_norm};
  bool stalled = false, broke_down = false;
  while (result.residuals.back() > options.tolerance && result.iterations < options.most_iterations && !stalled) {
    progress.check();
    const double before = result.residuals.back();
    SolveOptions of_step = options;
    of_step.tolerance = std::clamp(options.tolerance / before / 2, inner_tolerance, 0.5);
    of_step.most_iterations = options.most_iterations - result.iterations;
    const double scale = inner_tolerance / of_step.tolerance / length;
    const InnerSolve s = work.solve(scale, of_step);
    for (std::size_t k = 1; k < s.residuals.size(); ++k) result.residuals.push_back(s.residuals[k] * before);
    result.iterations += s.residuals.size() - 1;
    ++f.steps;
    work.add();
    length = work.residual();
    const double now = length / outer.b_norm;
    stalled = !(now < before / 2), broke_down = stalled && s.broke_down;
    if (!(now < before)) {  // so that x is never worse than before
      work.take_back();
      result.residuals.back() = before;
      break;
    }
    result.residuals.back() = now;
  }
  f.us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
  f.x = work.x();
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
