// Refinement: iterations in f32, on the host and in the emulator, inside steps in f64.
#include "core/solve/refine.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/solve/on_host.hpp"
#include "kernels/solve/iteration.hpp"
#include "tests/products.hpp"

namespace warpspy {
namespace {

struct BothSystems {
  LinearSystem outer, inner;
};
BothSystems both_of(const Matrix& m, const SolveOptions& options) {
  Progress progress;
  const index_t rows = m.csr->rows();
  const auto of = [&](Precision precision, const char* b, const SolveOptions& o) {
    return make_system(m.csr, RealView::real_part, precision, o, vector_of_word(b, rows, 3),
                       vector_of_word("zeros", rows, 1), progress);
  };
  SolveOptions plain = options;
  plain.preconditioner = Preconditioner::none;
  return {of(Precision::f64, "random", plain), of(Precision::f32, "ones", options)};
}
Matrix made_of(const std::string& text) {
  Progress progress;
  return generate(text, progress);
}

Refined refined_on_host(BothSystems& s, const SolveOptions& options) {
  Progress progress;
  return refined(
      s.outer, s.inner, options,
      [&](const LinearSystem& inner, const SolveOptions& of_step) {
        InnerSolve solved;
        const SolveResult r = solve_on_host(inner, of_step, progress, solved.x);
        EXPECT_NEAR(inner.b_norm, 1, 1e-5);
        EXPECT_GE(of_step.tolerance, inner_tolerance);
        solved.residuals = r.residuals, solved.broke_down = r.end == SolveEnd::broke_down;
        return solved;
      },
      progress);
}

TEST(Refinement, ReachesWhatF32AloneCannot) {
  const Matrix m = made_of("laplace5?nx=30&ny=25");
  for (const SolverInfo& info : solvers())
    for (const PreconditionerInfo& preconditioner : preconditioners()) {
      const std::string what = std::string(info.label) + ", " + preconditioner.label;
      const SolveOptions options{.solver = info.solver,
                                 .preconditioner = preconditioner.preconditioner,
                                 .tolerance = 1e-11,
                                 .most_iterations = 2000,
                                 .restart = 60};
      BothSystems s = both_of(m, options);
      const Refined f = refined_on_host(s, options);
      EXPECT_EQ(f.result.end, SolveEnd::converged) << what << ": " << f.result.why;
      EXPECT_LE(f.result.true_residual, 1e-11) << what;
      EXPECT_NEAR(true_residual(s.outer, f.x), f.result.true_residual, 1e-14) << what;
      EXPECT_GE(f.steps, 3) << what;  // 1e-4 a step
      EXPECT_EQ(f.result.residuals.size(), f.result.iterations + 1) << what;
      EXPECT_NE(f.result.why.find(std::to_string(f.steps) + " steps"), std::string::npos) << f.result.why;
      if (info.solver != Solver::cg) continue;
      // f32 alone stays behind.
      Progress progress;
      std::vector<double> x;
      const SolveResult alone = solve_on_host(both_of(m, options).inner, options, progress, x);
      EXPECT_GT(alone.true_residual, 1e-8) << what;
    }
}

TEST(Refinement, TakesTheIterationsOfTheEmulator) {
  const Matrix m = made_of("laplace5?nx=19&ny=10");
  const KernelRow& kernel = kernel_row("csr_vector");
  const SolveOptions options{.solver = Solver::cg, .preconditioner = Preconditioner::jacobi, .tolerance = 1e-12};
  BothSystems s = both_of(m, options), again = both_of(m, options);
  const Refined host = refined_on_host(again, options);
  const auto p = testing::product_of(kernel, m, Precision::f32, {});
  Progress progress;
  const Refined f = refined(
      s.outer, s.inner, options,
      [&](const LinearSystem& inner, const SolveOptions& of_step) {
        const EmulatedIteration it = emulated_iteration(kernel, p->inputs, iteration_inputs(inner, of_step, 4));
        std::vector<double> rr;
        InnerSolve solved;
        for (int u = 0; u < 100; ++u) {
          for (std::size_t launch = 0; launch < it.plan.unit_launches(); ++launch)
            for (std::int64_t block = 0; block < it.product->launches()[launch].grid; ++block)
              it.product->emulate_block(static_cast<int>(launch), block, nullptr);
          rr = it.product->state("rr");
          if (!(rr[static_cast<std::size_t>(it.plan.begin_slot + 4 * u + 4)] > it.plan.enough)) break;
        }
        for (auto slot = static_cast<std::size_t>(it.plan.first_slot); rr[slot] > 0; ++slot) {
          solved.residuals.push_back(std::sqrt(rr[slot]) / inner.b_norm);
          if (!(rr[slot] > it.plan.enough)) break;
        }
        solved.x = it.product->state("x");
        return solved;
      },
      progress);
  EXPECT_EQ(f.result.end, SolveEnd::converged) << f.result.why;
  EXPECT_LE(f.result.true_residual, 1e-12);
  EXPECT_EQ(f.steps, host.steps);
  EXPECT_NEAR(static_cast<double>(f.result.iterations), static_cast<double>(host.result.iterations), 3);
}

TEST(Refinement, SaysWhyItEnds) {
  const Matrix m = made_of("laplace5?nx=40&ny=40");
  SolveOptions options{.solver = Solver::cg, .tolerance = 1e-10, .most_iterations = 7};
  BothSystems s = both_of(m, options);
  EXPECT_EQ(refined_on_host(s, options).result.end, SolveEnd::most_iterations);
  EXPECT_EQ(refined_on_host(s, options).result.iterations, 7u);
  // No f64 reaches it, so the last step does not halve the residual.
  options.tolerance = 1e-30, options.most_iterations = 10'000;
  const Refined f = refined_on_host(s, options);
  EXPECT_EQ(f.result.end, SolveEnd::stagnated) << f.result.why;
  EXPECT_LT(f.result.true_residual, 1e-14);
  // From the solution there is nothing to do.
  options.tolerance = 1e-10;
  s.outer.x0 = f.x;
  const Refined none = refined_on_host(s, options);
  EXPECT_EQ(none.steps, 0);
  EXPECT_EQ(none.result.iterations, 0u);
  EXPECT_EQ(none.result.end, SolveEnd::converged);
}

// A matrix that f32 sees as another one: a step makes x worse, and is taken back.
TEST(Refinement, TakesAWorseStepBack) {
  const Matrix m = made_of("laplace5?nx=12&ny=12");
  const SolveOptions options{.solver = Solver::cg, .tolerance = 1e-10};
  BothSystems s = both_of(m, options);
  Progress progress;
  const Refined f = refined(
      s.outer, s.inner, options,
      [&](const LinearSystem& inner, const SolveOptions&) {
        return InnerSolve{std::vector<double>(inner.b.size(), 1e6), {1, 0.5}, false};
      },
      progress);
  EXPECT_EQ(f.result.end, SolveEnd::stagnated);
  EXPECT_EQ(f.x, s.outer.x0);
  EXPECT_EQ(f.result.residuals.back(), f.result.residuals.front());
}

}  // namespace
}  // namespace warpspy
