// Refinement: iterations in f32, on the host and in the emulator, inside steps in f64.
#include "core/solve/refine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/solve/on_host.hpp"
#include "kernels/solve/iteration.hpp"
#include "kernels/solve/refinement.hpp"
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

// Looks at what the steps ask for.
class Watched final : public RefinementWork {
 public:
  Watched(std::unique_ptr<RefinementWork> work, const LinearSystem& inner) : work_(std::move(work)), inner_(inner) {}
  double residual() override { return work_->residual(); }
  InnerSolve solve(double scale, const SolveOptions& options) override {
    EXPECT_GE(options.tolerance, inner_tolerance);
    InnerSolve s = work_->solve(scale, options);
    EXPECT_NEAR(inner_.b_norm * options.tolerance / inner_tolerance, 1, 1e-5);
    return s;
  }
  void add() override { work_->add(); }
  void take_back() override { work_->take_back(); }
  std::vector<double> x() override { return work_->x(); }

 private:
  std::unique_ptr<RefinementWork> work_;
  const LinearSystem& inner_;
};
Refined refined_on_host(BothSystems& s, const SolveOptions& options) {
  Progress progress;
  Watched work(refinement_on_host(s.outer, s.inner, progress), s.inner);
  return refined(work, s.outer, options, progress);
}

// What a device does, in the emulator: one iteration that begins anew in each step, and the steps behind a product in
// f64.
class InEmulator final : public RefinementWork {
 public:
  static constexpr int unit = 4;
  InEmulator(const Matrix& m, BothSystems& s, SolveOptions options)
      : plain_(testing::product_of(kernel_row("csr_vector"), m, Precision::f32, {})),
        exact_(testing::product_of(kernel_row("csr_vector"), m, Precision::f64, {})),
        steps_(emulated_refinement(kernel_row("csr_vector"), exact_->inputs, s.outer)),
        iteration_([&] {
          options.tolerance = inner_tolerance;
          const int own = options.solver == Solver::gmres ? options.restart : unit;
          return emulated_iteration(kernel_row("csr_vector"), plain_->inputs, restarting_inputs(s.inner, options, own));
        }()),
        size_(s.outer.b.size()) {}
  double residual() override {
    run(*steps_.product, 0, steps_.plan.scale);
    length_ = steps_.product->state("norm").at(0);
    return length_;
  }
  InnerSolve solve(double scale, const SolveOptions& options) override {
    EmulatedProduct& product = *iteration_.product;
    const IterationPlan& plan = iteration_.plan;
    *steps_.plan.factor = scale;
    run(*steps_.product, steps_.plan.scale, steps_.plan.add);
    std::copy_n(steps_.plan.scaled, size_, static_cast<float*>(plan.b));
    run(product, plan.begin, plan.parts.size());
    std::vector<double> rr;
    const auto units = static_cast<std::int64_t>(options.most_iterations) / plan.unit;
    const int replaced = replaced_after(Precision::f32) / plan.unit;
    for (std::int64_t u = 0; u < units; ++u) {
      run(product, 0, plan.unit_launches());
      if (plan.replacement > 0 && (u + 1) % replaced == 0) run(product, plan.replacement, plan.replacement_end());
      rr = product.state("rr");
      if (!(rr.at(static_cast<std::size_t>(plan.begin_slot + (u + 1) * plan.unit)) > plan.enough)) break;
    }
    InnerSolve s;
    for (auto slot = static_cast<std::size_t>(plan.first_slot); rr.at(slot) > 0; ++slot) {
      s.residuals.push_back(std::sqrt(rr[slot]) / (scale * length_));
      if (!(rr[slot] > plan.enough)) break;
    }
    return s;
  }
  void add() override {
    std::copy_n(static_cast<const float*>(iteration_.plan.x), size_, steps_.plan.difference);
    run(*steps_.product, steps_.plan.add, steps_.product->launches().size());
  }
  void take_back() override { back_ = true; }
  std::vector<double> x() override { return steps_.product->state(back_ ? "before" : "x"); }

 private:
  static void run(EmulatedProduct& product, std::size_t from, std::size_t to) {
    for (std::size_t launch = from; launch < to; ++launch)
      for (std::int64_t block = 0; block < product.launches()[launch].grid; ++block)
        product.emulate_block(static_cast<int>(launch), block, nullptr);
  }
  std::optional<testing::Product> plain_, exact_;
  EmulatedRefinement steps_;
  EmulatedIteration iteration_;
  std::size_t size_;
  double length_ = 0;
  bool back_ = false;
};

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

TEST(Refinement, RunsInTheEmulatorAsOnADevice) {
  const Matrix m = made_of("laplace5?nx=19&ny=10");
  for (const SolverInfo& info : solvers())
    for (const PreconditionerInfo& preconditioner : preconditioners()) {
      const std::string what = std::string(info.label) + ", " + preconditioner.label;
      const SolveOptions options{.solver = info.solver,
                                 .preconditioner = preconditioner.preconditioner,
                                 .degree = 2,
                                 .tolerance = 1e-12,
                                 .most_iterations = 800,
                                 .restart = 20};
      BothSystems s = both_of(m, options), again = both_of(m, options);
      const Refined host = refined_on_host(again, options);
      InEmulator work(m, s, options);
      Progress progress;
      const Refined f = refined(work, s.outer, options, progress);
      EXPECT_EQ(f.result.end, SolveEnd::converged) << what << ": " << f.result.why;
      EXPECT_LE(f.result.true_residual, 1e-12) << what;
      EXPECT_EQ(f.steps, host.steps) << what;
      // BiCGStab goes up and down, and sums in another order move the end.
      const double share = info.solver == Solver::bicgstab ? 0.25 : 0.05;
      EXPECT_NEAR(static_cast<double>(f.result.iterations), static_cast<double>(host.result.iterations),
                  3 + share * static_cast<double>(host.result.iterations))
          << what;
    }
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

// Its second residual is larger than the first.
class Worse final : public RefinementWork {
 public:
  explicit Worse(RefinementWork& work) : work_(work) {}
  double residual() override { return work_.residual() * (asked_++ == 0 ? 1 : 1e9); }
  InnerSolve solve(double scale, const SolveOptions& options) override { return work_.solve(scale, options); }
  void add() override { work_.add(); }
  void take_back() override { work_.take_back(); }
  std::vector<double> x() override { return work_.x(); }

 private:
  RefinementWork& work_;
  int asked_ = 0;
};

// A matrix that f32 sees as another one: a step makes x worse, and is taken back.
TEST(Refinement, TakesAWorseStepBack) {
  const Matrix m = made_of("laplace5?nx=12&ny=12");
  const SolveOptions options{.solver = Solver::cg, .tolerance = 1e-10};
  BothSystems s = both_of(m, options);
  Progress progress;
  InEmulator emulated(m, s, options);
  const std::unique_ptr<RefinementWork> on_host = refinement_on_host(s.outer, s.inner, progress);
  Worse host(*on_host), there(emulated);
  for (RefinementWork* work : {&host, &there}) {
    const Refined f = refined(*work, s.outer, options, progress);
    EXPECT_EQ(f.result.end, SolveEnd::stagnated);
    EXPECT_EQ(f.x, s.outer.x0);
    EXPECT_EQ(f.result.residuals.back(), f.result.residuals.front());
  }
}

}  // namespace
}  // namespace warpspy
