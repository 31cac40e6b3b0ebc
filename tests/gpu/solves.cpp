// Solves on a real device: every method with every preconditioner, and CG with every kernel's product, end where the
// same method on the host ends.
#include <gtest/gtest.h>

#include "core/generate/generate.hpp"
#include "kernels/table/table.hpp"
#include "profiling/engine/engine.hpp"
#include "tests/gpu/assets.hpp"
#include "tests/gpu/busy_device.hpp"

namespace warpspy {
namespace {

const std::string assets = testing::assets_folder();

class SolvesGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    const DeviceInfo& device = make_catalog(assets).devices.front();
    if (!device.available) GTEST_SKIP() << device.reason;
  }
  RunRecord solved(const Matrix& m, RunRequest r, const char* device) {
    r.device = device;
    r.counters = "none";
    Progress progress;
    RunRecord record = engine_->run(r, m, progress);
    EXPECT_EQ(record.status, RunStatus::ok) << record.error;
    return record;
  }
  void expect_same(const Matrix& m, const RunRequest& r, const std::string& what) {
    const RunRecord here = solved(m, r, "cuda:0"), there = solved(m, r, "sim:h200");
    if (!here.solve || !there.solve) return;
    EXPECT_EQ(here.provenance, Provenance::measured) << what;
    EXPECT_EQ(here.solve->end, SolveEnd::converged) << what << ": " << here.solve->why;
    EXPECT_LE(here.solve->true_residual, 10 * r.tolerance) << what;
    const auto own = static_cast<double>(here.solve->iterations), host = static_cast<double>(there.solve->iterations);
    // BiCGStab goes up and down, and sums in another order move the end.
    const double share = r.solver == Solver::bicgstab ? 0.25 : 0.05;
    EXPECT_NEAR(own, host, 2 + share * host) << what;
    EXPECT_EQ(here.solve->residuals.size(), here.solve->iterations + 1) << what;
    EXPECT_GT(here.time.value, 0) << what;
    for (const char* id : {"iteration_product", "iteration_updates", "upload", "solve"})
      ASSERT_NE(here.detail(id), nullptr) << what << ": " << id;
  }
  std::unique_ptr<Engine> engine_ = make_engine(assets);
};

Matrix made(const char* text) {
  Progress progress;
  return generate(text, progress);
}

TEST_F(SolvesGpu, EveryMethodEndsWhereTheHostEnds) {
  const Matrix m = made("laplace5?nx=60&ny=50");
  for (const SolverInfo& solver : solvers())
    for (const PreconditionerInfo& preconditioner : preconditioners())
      for (const Precision precision : {Precision::f32, Precision::f64}) {
        RunRequest r;
        r.solver = solver.solver;
        r.preconditioner = preconditioner.preconditioner;
        r.precision = precision;
        r.tolerance = precision == Precision::f32 ? 1e-3 : 1e-8;
        r.most_iterations = 3000;
        r.restart = 60;
        expect_same(m, r,
                    std::string(name_of(r.solver)) + ", " + name_of(r.preconditioner) + ", " + name_of(precision));
      }
}

// The device's own iterations of CG give the bounds, and their time is measured.
TEST_F(SolvesGpu, ChebyshevTakesItsBoundsFromTheDevice) {
  const Matrix m = made("laplace5?nx=300&ny=200");
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    RunRequest r;
    r.solver = Solver::cg;
    r.preconditioner = Preconditioner::chebyshev;
    r.precision = precision;
    r.tolerance = 1e-3;
    const RunRecord here = solved(m, r, "cuda:0"), there = solved(m, r, "sim:h200");
    for (const char* id : {"eigenvalue_products", "eigenvalue_estimate", "eigenvalue_most", "solve"})
      ASSERT_TRUE(here.detail(id) && there.detail(id)) << id;
    EXPECT_EQ(here.detail("eigenvalue_products")->value, there.detail("eigenvalue_products")->value);
    EXPECT_NEAR(here.detail("eigenvalue_most")->value / there.detail("eigenvalue_most")->value, 1, 1e-3);
    EXPECT_EQ(here.detail("eigenvalue_estimate")->provenance, Provenance::measured);
    EXPECT_GT(here.detail("eigenvalue_estimate")->value, 0);
  }
}

TEST_F(SolvesGpu, RefinementReachesWhatF32AloneCannot) {
  const Matrix m = made("laplace5?nx=60&ny=50");
  for (const SolverInfo& solver : solvers())
    for (const PreconditionerInfo& preconditioner : preconditioners()) {
      const std::string what = std::string(solver.label) + ", " + preconditioner.label;
      RunRequest r;
      r.solver = solver.solver;
      r.preconditioner = preconditioner.preconditioner;
      r.precision = Precision::f32;
      r.refine = true;
      r.tolerance = 1e-11;
      r.most_iterations = 5000;
      r.restart = 60;
      const RunRecord here = solved(m, r, "cuda:0"), there = solved(m, r, "sim:h200");
      ASSERT_TRUE(here.solve && there.solve) << what;
      EXPECT_EQ(here.solve->end, SolveEnd::converged) << what << ": " << here.solve->why;
      EXPECT_LE(here.solve->true_residual, 1.1e-11) << what;
      EXPECT_EQ(here.solve->residuals.size(), here.solve->iterations + 1) << what;
      // The last residual is that of x in f64, which the device computed.
      EXPECT_NEAR(here.solve->residuals.back() / here.solve->true_residual, 1, 0.05) << what;
      ASSERT_NE(here.detail("refinement_steps"), nullptr) << what;
      EXPECT_NEAR(here.detail("refinement_steps")->value, there.detail("refinement_steps")->value, 1) << what;
      EXPECT_GT(here.detail("refinement")->value, 0) << what;
      EXPECT_EQ(here.detail("refinement")->provenance, Provenance::measured) << what;
      EXPECT_EQ(there.detail("refinement")->provenance, Provenance::modelled) << what;
    }
}

// The library's product shares x and y with our launches. The host's numbers do not depend on the kernel.
TEST_F(SolvesGpu, EveryMethodTakesTheLibrarysProduct) {
  const Matrix m = made("laplace5?nx=61&ny=50");
  for (const KernelRow& kernel : kernels())
    for (const SolverInfo& solver : solvers())
      for (const Precision precision : {Precision::f32, Precision::f64}) {
        if (kernel.info.library.empty() || kernel.info.operation != Operation::product) continue;
        RunRequest r;
        r.solver = solver.solver;
        r.precision = precision;
        r.tolerance = precision == Precision::f32 ? 1e-3 : 1e-8;
        r.most_iterations = 3000;
        r.restart = 60;
        const RunRecord there = solved(m, r, "sim:h200");
        r.kernel = kernel.info.id;
        if (kernel.info.format == "bsr") r.format_params = {{"block_rows", 2}, {"block_cols", 2}};
        const RunRecord here = solved(m, r, "cuda:0");
        const std::string what = kernel.info.id + ", " + name_of(r.solver) + ", " + name_of(precision);
        ASSERT_TRUE(here.solve && there.solve) << what;
        EXPECT_EQ(here.solve->end, SolveEnd::converged) << what << ": " << here.solve->why;
        EXPECT_LE(here.solve->true_residual, 10 * r.tolerance) << what;
        const auto host = static_cast<double>(there.solve->iterations);
        const double share = r.solver == Solver::bicgstab ? 0.25 : 0.05;
        EXPECT_NEAR(static_cast<double>(here.solve->iterations), host, 2 + share * host) << what;
      }
}

TEST_F(SolvesGpu, NewtonsStepsAreThoseOfTheHost) {
  const Matrix m = made("bratu?n=20");
  for (const char* kernel : {"csr_vector", "evc_hyb", "sell_warps", "cusparse_csr_alg2"})
    for (const Solver solver : {Solver::cg, Solver::gmres}) {
      RunRequest r;
      r.matrix = "gen:bratu?n=20";
      r.kernel = kernel;
      r.solver = solver;
      r.preconditioner = Preconditioner::jacobi;
      r.precision = Precision::f64;
      const RunRecord here = solved(m, r, "cuda:0");
      if (!kernel_row(kernel).emulate) r.kernel = "csr_vector";
      const RunRecord there = solved(m, r, "sim:h200");
      const std::string what = std::string(kernel) + ", " + name_of(solver);
      ASSERT_TRUE(here.newton && there.newton) << what;
      EXPECT_EQ(here.newton->end, SolveEnd::converged) << what << ": " << here.newton->why;
      ASSERT_EQ(here.newton->steps.size(), there.newton->steps.size()) << what;
      for (std::size_t k = 0; k < here.newton->steps.size(); ++k) {
        const NewtonStep &own = here.newton->steps[k], &host = there.newton->steps[k];
        EXPECT_NEAR(own.norm, host.norm, 1e-6 * there.newton->steps.front().norm) << what << ", step " << k;
        EXPECT_LE(own.true_residual, 10 * r.tolerance) << what << ", step " << k;
        EXPECT_GT(own.products_us, 0) << what << ", step " << k;
        EXPECT_GT(own.solve_us, own.products_us / 2) << what << ", step " << k;
      }
    }
}

TEST_F(SolvesGpu, CgTakesEveryKernelsProduct) {
  const Matrix m = made("fem_quad?nx=40&ny=30");
  for (const KernelRow& kernel : kernels()) {
    if (!kernel.emulate || kernel.info.operation != Operation::product || kernel.info.format.empty()) continue;
    RunRequest r;
    r.kernel = kernel.info.id;
    r.solver = Solver::cg;
    r.precision = Precision::f64;
    expect_same(m, r, kernel.info.id);
  }
}

// Fewer iterations than a graph has, and none at all: an iteration's time is that of others all the same.
TEST_F(SolvesGpu, ShortSolvesTellTheTimeOfAnIteration) {
  const Matrix m = made("laplace5?nx=300&ny=300");
  for (const SolverInfo& solver : solvers()) {
    RunRequest r;
    r.solver = solver.solver;
    r.precision = Precision::f64;
    r.most_iterations = 320;
    r.tolerance = 1e-12;
    const RunRecord many = solved(m, r, "cuda:0");
    r.tolerance = 0.9;
    r.rhs = "random";
    const RunRecord few = solved(m, r, "cuda:0");
    ASSERT_TRUE(many.solve && few.solve);
    EXPECT_LT(few.solve->iterations, 16u) << solver.label;
    EXPECT_NEAR(few.time.value / many.time.value, 1, 0.3) << solver.label;
  }
}

// The vectors of the start are small copies. They must be there before the first iteration, also when the GPU is busy.
TEST_F(SolvesGpu, TheStartIsThereWhileTheDeviceIsBusy) {
  const Matrix m = made("fem_quad?nx=40&ny=30");
  const testing::BusyDevice busy;
  RunRequest r;
  r.solver = Solver::cg;
  r.precision = Precision::f64;
  for (const char* kernel : {"csr_slots", "ell", "csr_vector", "sell_warps"})
    for (int k = 0; k < 25; ++k) {
      r.kernel = kernel;
      expect_same(m, r, std::string(kernel) + ", solve " + std::to_string(k));
      if (HasFailure()) return;
    }
}

TEST_F(SolvesGpu, AnIterationHasCounters) {
  const Matrix m = made("laplace5?nx=300&ny=300");
  RunRequest r;
  r.solver = Solver::cg;
  r.device = "cuda:0";
  r.tolerance = 1e-3;
  Progress progress;
  const RunRecord record = engine_->run(r, m, progress);
  ASSERT_EQ(record.status, RunStatus::ok) << record.error;
  const Counter* bytes = record.counter("l2_bytes");
  ASSERT_NE(bytes, nullptr);
  if (!bytes->value) GTEST_SKIP() << bytes->reason;
  EXPECT_GT(*bytes->value, 0.5 * record.minimum_bytes.value);
}

}  // namespace
}  // namespace warpspy
