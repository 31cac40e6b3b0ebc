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
