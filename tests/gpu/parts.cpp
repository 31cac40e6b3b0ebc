// Products and solves over several real GPUs. Parts may share a GPU, so that one is enough to try them all.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "core/generate/generate.hpp"
#include "kernels/table/table.hpp"
#include "profiling/engine/engine.hpp"
#include "tests/gpu/assets.hpp"
#include "tests/shapes.hpp"

namespace warpspy {
namespace {

const std::string assets = testing::assets_folder();

Matrix made(const std::string& text) {
  Progress progress;
  return generate(text, progress);
}

// "cuda:0+cuda:0+..."
std::string shared_by(std::uint64_t parts) {
  std::string id = "cuda:0";
  for (std::uint64_t k = 1; k < parts; ++k) id += "+cuda:0";
  return id;
}

class PartsGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    const Catalog catalog = make_catalog(assets);
    if (!catalog.devices.front().available) GTEST_SKIP() << catalog.devices.front().reason;
    for (const DeviceInfo& d : catalog.devices) gpus_ += !d.simulated && d.available;
  }
  RunRecord run(RunRequest r, const Matrix& m) {
    r.counters = "none";
    r.budget_s = 0.05;
    Progress progress;
    return engine_->run(r, m, progress);
  }
  RunRecord run_over(RunRequest r, const Matrix& m, std::uint64_t parts) {
    r.parts = parts, r.device = shared_by(parts);
    return run(r, m);
  }
  static void expect_whole(const RunRecord& r, const Matrix& m) {
    ASSERT_EQ(r.status, RunStatus::ok) << r.error;
    ASSERT_TRUE(r.check);
    EXPECT_TRUE(r.check->passed);
    EXPECT_EQ(r.check->rows_checked + r.check->rows_left_out, m.csr->rows()) << "a row was not checked";
    EXPECT_EQ(r.provenance, Provenance::measured);
  }
  int gpus_ = 0;
  std::unique_ptr<Engine> engine_ = make_engine(assets);
};

// What is read before it has come is NaN, so a check that passes says that everything had come.
TEST_F(PartsGpu, AreTheWholeProduct) {
  std::uint64_t seed = 1;
  for (std::uint64_t parts = 2; parts <= 4; ++parts)
    for (const Split split : {Split::rows, Split::entries, Split::metis})
      for (const Precision precision : {Precision::f32, Precision::f64}) {
        SCOPED_TRACE(std::to_string(parts) + " parts by " + name_of(split) + ", " + name_of(precision));
        Matrix m;
        const index_t rows = 900 + 137 * static_cast<index_t>(parts), cols = split == Split::metis ? rows : rows + 55;
        m.csr =
            std::make_shared<const Csr>(testing::random_rows(rows, cols, [](index_t row) { return row % 23; }, ++seed));
        RunRequest r;
        r.precision = precision, r.split = split, r.seed = seed;
        expect_whole(run_over(r, m, parts), m);
        r.alpha = 1.5, r.beta = -0.75;
        expect_whole(run_over(r, m, parts), m);
      }
}

TEST_F(PartsGpu, RunWithEveryKernel) {
  const Matrix m = made("laplace5?nx=60&ny=50");
  for (const KernelRow& kernel : kernels()) {
    if (!kernel.emulate || kernel.info.operation != Operation::product || kernel.info.format.empty()) continue;
    if (kernel.info.format == "lma") continue;  // it has no elements of a part
    SCOPED_TRACE(kernel.info.id);
    RunRequest r;
    r.kernel = kernel.info.id;
    expect_whole(run_over(r, m, 3), m);
  }
}

TEST_F(PartsGpu, TellWhereTheTimeGoes) {
  const Matrix m = made("laplace27?nx=40&ny=40&nz=40");
  RunRequest r;
  r.precision = Precision::f64;
  const RunRecord record = run_over(r, m, 4);
  expect_whole(record, m);
  ASSERT_EQ(record.parts.size(), 4u);
  index_t rows = 0, entries = 0;
  for (const PartResult& p : record.parts) {
    rows += p.rows, entries += p.entries;
    EXPECT_GT(p.local_us, 0);
    EXPECT_GT(p.halo_us, 0);
    EXPECT_GT(p.link_us, 0);
    EXPECT_GE(p.waiting_us, 0);
    EXPECT_DOUBLE_EQ(p.time_us, p.local_us + p.waiting_us + p.halo_us);
  }
  EXPECT_EQ(rows, m.csr->rows());
  EXPECT_EQ(entries, m.csr->nnz());
  EXPECT_EQ(record.parts[1].halo_in, 3200) << "a plane of the grid on each side";
  EXPECT_EQ(record.detail("halo_bytes")->value, 8.0 * 6 * 1600);
  EXPECT_EQ(record.device, "cuda:0+cuda:0+cuda:0+cuda:0");
  EXPECT_TRUE(std::any_of(record.notes.begin(), record.notes.end(),
                          [](const std::string& n) { return n.find("parts share a GPU") != n.npos; }));
  const RunRecord again = record_from_json(to_json(record));
  EXPECT_EQ(again.parts, record.parts);
}

// Every method ends where it ends on one GPU.
TEST_F(PartsGpu, SolveAsOneGpuDoes) {
  const Matrix m = made("laplace5?nx=60&ny=50");
  for (const SolverInfo& solver : solvers())
    for (const Preconditioner p : {Preconditioner::none, Preconditioner::jacobi, Preconditioner::chebyshev})
      for (std::uint64_t parts = 2; parts <= 4; ++parts) {
        SCOPED_TRACE(std::string(solver.label) + ", " + name_of(p) + ", " + std::to_string(parts) + " parts");
        RunRequest r;
        r.solver = solver.solver, r.preconditioner = p;
        r.precision = Precision::f64;
        r.split = parts == 3 ? Split::metis : Split::rows;
        r.most_iterations = 3000, r.restart = 60;
        r.device = "cuda:0";
        const RunRecord one = run(r, m), several = run_over(r, m, parts);
        ASSERT_EQ(one.status, RunStatus::ok) << one.error;
        ASSERT_EQ(several.status, RunStatus::ok) << several.error;
        EXPECT_EQ(several.solve->end, SolveEnd::converged) << several.solve->why;
        EXPECT_LE(several.solve->true_residual, 10 * r.tolerance);
        const auto own = static_cast<double>(several.solve->iterations),
                   alone = static_cast<double>(one.solve->iterations);
        EXPECT_NEAR(own, alone, 2 + (solver.solver == Solver::bicgstab ? 0.25 : 0.05) * alone);
        for (std::size_t k = 0; k < std::min<std::size_t>(5, one.solve->residuals.size()); ++k)
          EXPECT_NEAR(several.solve->residuals.at(k) / one.solve->residuals[k], 1, 1e-6) << "iteration " << k;
        ASSERT_EQ(several.parts.size(), parts);
        for (const PartResult& part : several.parts) {
          EXPECT_GT(part.local_us, 0);
          EXPECT_GT(part.vectors_us, 0);
          EXPECT_GT(part.dots_waiting_us, 0);
        }
        EXPECT_GT(several.time.value, 0);
        EXPECT_EQ(several.provenance, Provenance::measured);
      }
}

TEST_F(PartsGpu, SolveInF32AndWithKernelsOfAnotherOrder) {
  const Matrix m = made("laplace5?nx=60&ny=50");
  for (const char* kernel : {"csr_even", "sell", "hyb", "coo_atomic", "ell", "dia_packs"}) {
    SCOPED_TRACE(kernel);
    RunRequest r;
    r.kernel = kernel;
    r.solver = Solver::cg, r.preconditioner = Preconditioner::jacobi;
    r.tolerance = 1e-3;
    const RunRecord record = run_over(r, m, 3);
    ASSERT_EQ(record.status, RunStatus::ok) << record.error;
    EXPECT_EQ(record.solve->end, SolveEnd::converged) << record.solve->why;
    EXPECT_LE(record.solve->true_residual, 1e-2);
  }
}

TEST_F(PartsGpu, MayHaveNoRows) {
  std::vector<std::vector<index_t>> rows(12);
  for (index_t k = 0; k < 12; ++k) rows[0].push_back(k);
  for (index_t k = 1; k < 12; ++k) rows[static_cast<std::size_t>(k)] = {0, k};
  Matrix m;
  m.csr = std::make_shared<const Csr>(
      testing::from_rows(12, rows, [](index_t i, index_t j) { return i == j ? 20.0 : -1.0; }));
  RunRequest r;
  r.split = Split::entries;
  expect_whole(run_over(r, m, 4), m);
  r.solver = Solver::cg, r.precision = Precision::f64;
  const RunRecord solved = run_over(r, m, 6);
  ASSERT_EQ(solved.status, RunStatus::ok) << solved.error;
  EXPECT_EQ(solved.solve->end, SolveEnd::converged);
  EXPECT_TRUE(std::any_of(solved.parts.begin(), solved.parts.end(), [](const PartResult& p) { return p.rows == 0; }));
}

TEST_F(PartsGpu, BratuIsSolved) {
  const Matrix m = made("bratu?n=10");
  RunRequest r;
  r.matrix = "gen:bratu?n=10";
  r.solver = Solver::gmres, r.precision = Precision::f64;
  const RunRecord record = run_over(r, m, 3);
  ASSERT_EQ(record.status, RunStatus::ok) << record.error;
  ASSERT_TRUE(record.newton);
  EXPECT_EQ(record.newton->end, SolveEnd::converged);
}

// A cancelled solve ends, and the GPU is free for the next one.
TEST_F(PartsGpu, AreReleasedWhenASolveIsCancelled) {
  const Matrix m = made("laplace5?nx=300&ny=300");
  RunRequest r;
  r.solver = Solver::cg, r.precision = Precision::f64, r.counters = "none";
  r.parts = 3, r.device = shared_by(3), r.tolerance = 1e-150, r.most_iterations = 200'000;
  Progress progress;
  std::jthread later([&](const std::stop_token& ended) {
    while (progress.stage() != "solving" && !ended.stop_requested()) std::this_thread::yield();
    progress.cancel();
  });
  const RunRecord record = engine_->run(r, m, progress);
  later.request_stop();
  EXPECT_EQ(record.status, RunStatus::cancelled) << record.error;
  r.tolerance = 1e-6, r.most_iterations = 5000;
  const RunRecord after = run(r, m);
  ASSERT_EQ(after.status, RunStatus::ok) << after.error;
  EXPECT_EQ(after.solve->end, SolveEnd::converged);
}

// The GPUs of this machine, as many as there are.
TEST_F(PartsGpu, RunOnSeveralGpus) {
  if (gpus_ < 2) GTEST_SKIP() << "there is one GPU";
  const Matrix m = made("laplace27?nx=64&ny=64&nz=64");
  RunRequest r;
  r.device = "cuda", r.precision = Precision::f64;
  for (r.parts = 2; r.parts <= std::min<std::uint64_t>(4, static_cast<std::uint64_t>(gpus_)); ++r.parts) {
    r.solver = Solver::none;
    const RunRecord product = run(r, m);
    expect_whole(product, m);
    EXPECT_EQ(product.device, "cuda:0");
    for (const SolverInfo& solver : solvers()) {
      r.solver = solver.solver;
      const RunRecord solved = run(r, m);
      ASSERT_EQ(solved.status, RunStatus::ok) << solved.error;
      EXPECT_EQ(solved.solve->end, SolveEnd::converged) << solver.label << ": " << solved.solve->why;
      EXPECT_LE(solved.solve->true_residual, 1e-7) << solver.label;
    }
  }
}

TEST_F(PartsGpu, BadInputIsRefused) {
  const Matrix m = made("laplace5?nx=10&ny=10");
  const auto says = [&](RunRequest r, const char* what) {
    const RunRecord record = run(r, m);
    EXPECT_EQ(record.status, RunStatus::failed);
    EXPECT_NE(record.error.find(what), std::string::npos) << record.error;
  };
  RunRequest r;
  r.device = "cuda:0+cuda:0", r.parts = 3;
  says(r, "names 2 GPUs, and the matrix has 3 parts");
  r.device = "cuda:0", r.parts = 16;
  if (gpus_ < 16) says(r, "16 parts need as many GPUs");
  r.device = shared_by(2), r.parts = 2, r.cache_state = CacheState::cold;
  says(r, "leave --cold out");
}

}  // namespace
}  // namespace warpspy
