#include "core/solve/on_host.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>

#include "core/jobs/parallel.hpp"

namespace warpspy {
namespace {

using Vector = std::vector<double>;
constexpr std::size_t parts = 64;

// Vectors hold numbers of the system's precision; sums are made in f64 and rounded once.
class Method {
 public:
  Method(const LinearSystem& s, const SolveOptions& options, Progress& progress, Vector& x)
      : s_(s), options_(options), progress_(progress), x_(x), r_(residual(s, s.x0)) {
    x_ = s.x0;
    result_.numbers_from = "this machine's processors";
    tell(norm(s, r_));
  }

  SolveResult solve() {
    bool broke_down = false;
    if (!enough()) {
      switch (options_.solver) {
        case Solver::cg:
          broke_down = cg();
          break;
        case Solver::pipelined_cg:
          broke_down = pipelined_cg();
          break;
        case Solver::bicgstab:
          broke_down = bicgstab();
          break;
        case Solver::gmres:
          broke_down = gmres();
          break;
        case Solver::none:
          solver_info(options_.solver);  // throws
      }
    }
    result_.true_residual = true_residual(s_, x_);
    result_.solution_norm = norm(s_, x_);
    judge(result_, options_, broke_down);
    return std::move(result_);
  }

  // What CG leaves, to its end.
  CgCoefficients coefficients() {
    if (!enough()) cg();
    return std::move(coefficients_);
  }

 private:
  double rounded(double v) const { return s_.precision == Precision::f32 ? static_cast<float>(v) : v; }
  // Element i becomes what(i), on all processors.
  template <class What>
  void each(Vector& v, const What& what) const {
    in_parallel(parts, [&](std::size_t part) {
      for (std::size_t i = part_begin(v.size(), part, parts); i < part_begin(v.size(), part + 1, parts); ++i)
        v[i] = rounded(what(i));
    });
  }
  // y += a x.
  void add(Vector& y, double a, const Vector& x) const {
    each(y, [&](std::size_t i) { return y[i] + a * x[i]; });
  }
  double dot(const Vector& a, const Vector& b) const {
    std::vector<double> sums(parts);
    in_parallel(parts, [&](std::size_t part) {
      double sum = 0;
      for (std::size_t i = part_begin(a.size(), part, parts); i < part_begin(a.size(), part + 1, parts); ++i)
        sum += a[i] * b[i];
      sums[part] = sum;
    });
    double sum = 0;
    for (const double s : sums) sum += s;
    if (s_.shared.peers) s_.shared.peers->add_up({&sum, 1});
    return rounded(sum);
  }
  Vector times(const Vector& x) const { return product(s_, x); }
  Vector precondition(const Vector& r) const { return preconditioned(s_, r); }

  // Takes the residual of one more iteration. true: the solve goes on.
  void tell(double residual_norm) { result_.residuals.push_back(residual_norm / s_.b_norm); }
  bool enough() const { return !(result_.residuals.back() > options_.tolerance); }
  bool goes_on(double residual_norm) {
    tell(residual_norm);
    ++result_.iterations;
    progress_.set(static_cast<double>(result_.iterations) / static_cast<double>(options_.most_iterations));
    progress_.check();
    return !enough() && result_.iterations < options_.most_iterations;
  }

  bool cg() {
    Vector z = precondition(r_), p = z;
    double rz = dot(r_, z);
    coefficients_.rz = {rz};
    while (true) {
      const Vector w = times(p);
      const double pw = dot(p, w), alpha = rounded(rz / pw);
      coefficients_.alpha.push_back(pw > 0 ? alpha : 0);
      if (!(pw > 0) || !(alpha != 0)) return true;
      add(x_, alpha, p);
      add(r_, -alpha, w);
      z = precondition(r_);
      const double next = dot(r_, z), beta = rounded(next / rz);
      rz = next;
      coefficients_.rz.push_back(rz);
      if (!goes_on(std::sqrt(dot(r_, r_)))) return false;
      each(p, [&](std::size_t i) { return z[i] + beta * p[i]; });
    }
  }

  bool pipelined_cg() {
    Vector u = precondition(r_), w = times(u), p(u.size()), s(u.size()), q(u.size()), z(u.size());
    double before = 0, alpha = 0;
    for (bool first = true;; first = false) {
      const double ru = dot(r_, u), wu = dot(w, u), beta = first ? 0 : rounded(ru / before);
      const double divisor = first ? wu : wu - beta * ru / alpha;
      const Vector m = precondition(w), n = times(m);
      alpha = rounded(ru / divisor);
      if (!(divisor > 0) || !(alpha != 0)) return true;
      before = ru;
      each(z, [&](std::size_t i) { return n[i] + beta * z[i]; });
      each(q, [&](std::size_t i) { return m[i] + beta * q[i]; });
      each(s, [&](std::size_t i) { return w[i] + beta * s[i]; });
      each(p, [&](std::size_t i) { return u[i] + beta * p[i]; });
      add(x_, alpha, p), add(r_, -alpha, s), add(u, -alpha, q), add(w, -alpha, z);
      if (!goes_on(std::sqrt(dot(r_, r_)))) return false;
      if (result_.iterations % static_cast<std::uint64_t>(replaced_after(s_.precision)) != 0) continue;
      // As kernels/solve/pipelined_cg.hpp: rounding errors have added up.
      s = times(p), q = precondition(s), z = times(q);
      r_ = residual(s_, x_), u = precondition(r_), w = times(u);
    }
  }

  bool bicgstab() {
    const Vector r0 = r_;
    Vector p = r_;
    double rho = dot(r_, r_);
    while (true) {
      const Vector p_hat = precondition(p), v = times(p_hat);
      const double rv = dot(r0, v), alpha = rv != 0 ? rounded(rho / rv) : 0;
      if (!(alpha != 0)) return true;
      add(x_, alpha, p_hat);
      add(r_, -alpha, v);
      const Vector s_hat = precondition(r_), t = times(s_hat);
      const double tt = dot(t, t), omega = tt > 0 ? rounded(dot(t, r_) / tt) : 0;
      add(x_, omega, s_hat);
      add(r_, -omega, t);
      const double next = omega != 0 ? dot(r0, r_) : 0;
      if (!goes_on(std::sqrt(dot(r_, r_)))) return false;
      if (!(next != 0)) return true;
      const double beta = rounded(next / rho * (alpha / omega));
      rho = next;
      each(p, [&](std::size_t i) { return r_[i] + beta * (p[i] - omega * v[i]); });
    }
  }

  bool gmres() {
    const auto m = static_cast<std::size_t>(options_.restart);
    for (bool goes = true; goes;) {
      const double start = norm(s_, r_);
      if (start == 0) return false;
      std::vector<Vector> basis{r_};
      each(basis[0], [&](std::size_t i) { return r_[i] / start; });
      std::vector<Vector> columns;  // of the triangle
      Vector cosines, sines, g{start};
      for (std::size_t j = 0; j < m && goes; ++j) {
        Vector y = times(precondition(basis[j])), h(j + 1);
        for (int round = 0; round < 2; ++round) {
          Vector sums(j + 1);
          for (std::size_t i = 0; i <= j; ++i) sums[i] = dot(basis[i], y);
          for (std::size_t i = 0; i <= j; ++i) add(y, -sums[i], basis[i]), h[i] += sums[i];
        }
        const double length = std::sqrt(dot(y, y));
        for (std::size_t i = 0; i < j; ++i) {
          const double above = h[i], below = h[i + 1];
          h[i] = cosines[i] * above + sines[i] * below;
          h[i + 1] = cosines[i] * below - sines[i] * above;
        }
        const double diagonal = std::hypot(h[j], length);
        if (!(diagonal > 0)) break;
        cosines.push_back(h[j] / diagonal), sines.push_back(length / diagonal);
        h[j] = diagonal;
        g.push_back(-sines[j] * g[j]);
        g[j] *= cosines[j];
        columns.push_back(h);
        goes = goes_on(std::fabs(g[j + 1]));
        if (length > 0) each(y, [&](std::size_t i) { return y[i] / length; });
        basis.push_back(std::move(y));
      }
      if (columns.empty()) return true;  // A takes the residual to 0: it is singular
      for (std::size_t i = columns.size(); i-- > 0;) {
        for (std::size_t j = i + 1; j < columns.size(); ++j) g[i] -= columns[j][i] * g[j];
        g[i] /= columns[i][i];
      }
      Vector sum(x_.size());
      for (std::size_t i = 0; i < columns.size(); ++i) add(sum, g[i], basis[i]);
      add(x_, 1, precondition(sum));
      r_ = residual(s_, x_);
    }
    return false;
  }

  const LinearSystem& s_;
  const SolveOptions& options_;
  Progress& progress_;
  Vector& x_;
  Vector r_;
  SolveResult result_;
  CgCoefficients coefficients_;
};

std::string scientific(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", v);
  return text;
}

}  // namespace

SolveResult solve_on_host(const LinearSystem& s, const SolveOptions& options, Progress& progress, Vector& x) {
  return Method(s, options, progress, x).solve();
}

CgCoefficients cg_on_host(const LinearSystem& s, const SolveOptions& options, Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<double> x;
  CgCoefficients cg = Method(s, options, progress, x).coefficients();
  cg.us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  return cg;
}

void judge(SolveResult& r, const SolveOptions& options, bool broke_down) {
  const double last = r.residuals.back();
  const std::string after = " after " + std::to_string(r.iterations) + " iterations";
  if (!(last > options.tolerance) && std::isfinite(last)) {
    r.end = SolveEnd::converged;
    r.why = "the residual is below the tolerance" + after;
    // The method's residual goes on to fall where the true one cannot.
    if (!(r.true_residual > 10 * options.tolerance)) return;
    r.end = SolveEnd::stagnated;
    r.why = "the residual that the method updates is below the tolerance" + after +
            ", but the true one, |b - A x| computed at the end, is " + scientific(r.true_residual) +
            " |b|: the precision cannot reach the tolerance";
    return;
  }
  if (broke_down || !std::isfinite(last)) {
    r.end = SolveEnd::broke_down;
    const SolverInfo& info = solver_info(options.solver);
    r.why =
        std::string(info.label) + " broke down" + after +
        (options.solver == Solver::pipelined_cg ? ": its rounding errors have grown too large, or the matrix is not "
                                                  "positive definite"
         : info.symmetric                       ? ": the matrix or the preconditioner is not positive definite"
                                                : ": it would divide by zero");
    return;
  }
  // No progress over the second half of the iterations.
  const std::size_t half = r.residuals.size() / 2;
  const double first =
      *std::min_element(r.residuals.begin(), r.residuals.begin() + static_cast<std::ptrdiff_t>(half) + 1);
  const double second = *std::min_element(r.residuals.begin() + static_cast<std::ptrdiff_t>(half), r.residuals.end());
  r.end = r.residuals.size() > 20 && second > 0.9 * first ? SolveEnd::stagnated : SolveEnd::most_iterations;
  r.why = r.end == SolveEnd::stagnated ? "the residual has stopped falling: " + scientific(second) + after
                                       : "the tolerance was not reached: the residual is " + scientific(last) + after;
}

}  // namespace warpspy
