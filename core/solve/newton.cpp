#include "core/solve/newton.hpp"

#include <chrono>
#include <cstdio>
#include <string>

#include "core/solve/system.hpp"

namespace warpspy {
namespace {

constexpr double kLeastShare = 1.0 / 1024, kFall = 2e-4;

class Newton {
 public:
  Newton(const NonlinearResidual& residual, std::vector<double>& u) : residual_(residual), u_(u) {}

  // F(u), and |F| in `norm_`. Adds its time to the step.
  void evaluate(NewtonStep& step) {
    const auto before = std::chrono::steady_clock::now();
    f_ = residual_(u_);
    norm_ = norm(f_);
    const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - before;
    step.assembly_us += spent.count();
  }

  // Goes along -y. false: no share of it lets |F| fall enough, and u is as it was.
  bool go(const std::vector<double>& y, NewtonStep& step) {
    const std::vector<double> from = u_;
    for (step.share = 1; step.share >= kLeastShare; step.share /= 2) {
      for (std::size_t i = 0; i < from.size(); ++i) u_[i] = from[i] - step.share * y[i];
      evaluate(step);
      if (norm_ * norm_ <= (1 - kFall * step.share) * step.norm * step.norm) return true;
    }
    step.share = 0;
    u_ = from;
    norm_ = step.norm;
    return false;
  }

  const std::vector<double>& f() const { return f_; }
  double f_norm() const { return norm_; }

 private:
  const NonlinearResidual& residual_;
  std::vector<double>& u_;
  std::vector<double> f_;
  double norm_ = 0;
};

std::string why_of(const NewtonResult& r, const NewtonOptions& options) {
  char text[160];
  if (r.end == SolveEnd::stagnated)
    std::snprintf(text, sizeof text, "no share of step %zu lets |F| = %.3g fall; a smaller --tol may help",
                  r.steps.size(), r.norm);
  else
    std::snprintf(text, sizeof text, "|F| fell from %.3g to %.3g in %zu steps; %.3g of the start was asked for",
                  r.steps.empty() ? r.norm : r.steps.front().norm, r.norm, r.steps.size(), options.tolerance);
  return text;
}

}  // namespace

NewtonResult newton(const NonlinearResidual& residual, const NewtonOptions& options, const LinearStep& linear,
                    Progress& progress, std::vector<double>& u) {
  NewtonResult r;
  Newton at(residual, u);
  NewtonStep step;
  at.evaluate(step);
  const double enough = options.tolerance * at.f_norm();
  while (at.f_norm() > enough && r.steps.size() < options.most_steps && r.end != SolveEnd::stagnated) {
    progress.check();
    step.norm = at.f_norm();
    const std::vector<double> y = linear(u, at.f(), step);
    if (!at.go(y, step)) r.end = SolveEnd::stagnated;
    r.steps.push_back(step);
    step = {};
  }
  r.norm = at.f_norm();
  if (!(r.norm > enough)) r.end = SolveEnd::converged;
  r.why = why_of(r, options);
  return r;
}

}  // namespace warpspy
