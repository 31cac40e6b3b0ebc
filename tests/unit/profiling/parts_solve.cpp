// A solve over several simulated GPUs: its numbers, its time part by part, and what it refuses.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "core/diagnosis/solve_findings.hpp"
#include "core/generate/generate.hpp"
#include "core/run/solve_launches.hpp"
#include "profiling/engine/engine.hpp"
#include "tests/paths.hpp"
#include "tests/shapes.hpp"
#include "tests/unit/profiling/over_parts.hpp"

namespace warpspy {
namespace {

using testing::generated;

RunRequest solve_over(std::uint64_t parts, Solver solver = Solver::cg, const std::string& device = "sim:h200") {
  RunRequest r;
  r.device = device;
  r.precision = Precision::f64;
  r.depth = Depth::whole;
  r.solver = solver;
  r.parts = parts;
  return r;
}

class PartsSolve : public testing::OverParts {};

double detail(const RunRecord& r, const char* id) {
  const Quantity* q = r.detail(id);
  EXPECT_NE(q, nullptr) << id;
  return q ? q->value : 0;
}

TEST_F(PartsSolve, IsTheSameSolveAsOnOneGpu) {
  const Matrix m = generated("gen:laplace5?nx=40&ny=30");
  for (const SolverInfo& info : solvers())
    for (const Preconditioner p : {Preconditioner::none, Preconditioner::jacobi, Preconditioner::chebyshev}) {
      SCOPED_TRACE(std::string(info.label) + " " + name_of(p));
      RunRequest request = solve_over(1, info.solver);
      request.preconditioner = p;
      const RunRecord one = run(request, m);
      request.parts = 3, request.split = Split::metis;
      const RunRecord three = run(request, m);
      ASSERT_EQ(one.status, RunStatus::ok) << one.error;
      ASSERT_EQ(three.status, RunStatus::ok) << three.error;
      EXPECT_EQ(three.solve->iterations, one.solve->iterations);
      EXPECT_EQ(three.solve->residuals, one.solve->residuals);
      EXPECT_EQ(three.solve->end, SolveEnd::converged);
      EXPECT_TRUE(one.parts.empty());
      ASSERT_EQ(three.parts.size(), 3u);
      EXPECT_EQ(three.provenance, Provenance::modelled);
      EXPECT_GT(three.sampled_share, 0.999) << "every block of every launch ran";
    }
}

TEST_F(PartsSolve, TellsWhereEachPartsTimeGoes) {
  const RunRecord r = run(solve_over(4), generated("gen:laplace27?nx=16&ny=16&nz=16"));
  ASSERT_EQ(r.status, RunStatus::ok) << r.error;
  ASSERT_EQ(r.parts.size(), 4u);
  for (const PartResult& p : r.parts) {
    EXPECT_GT(p.local_us, 0);
    EXPECT_GT(p.halo_us, 0);
    EXPECT_GT(p.vectors_us, 0);
    EXPECT_GT(p.dots_us, 0);
    EXPECT_GE(p.dots_waiting_us, 2 * 2 * 1.8) << "two sums, two rounds each";
    EXPECT_NEAR(p.time_us, r.time.value, 1e-9 * r.time.value) << "they wait for each other";
  }
  EXPECT_EQ(detail(r, "exchanges"), 2);
  EXPECT_GE(detail(r, "exchange_messages"), 4 * 1.8);
  EXPECT_EQ(detail(r, "exchange_exposed"), detail(r, "exchange_messages"));
  double all = 0;
  for (const SolveLaunch& l : launches_of(r)) all += l.us;
  EXPECT_NEAR(all, r.time.value, 1e-9 * r.time.value) << "the bars are the whole iteration";
  EXPECT_NEAR(detail(r, "iteration_product") + detail(r, "iteration_dots") + detail(r, "iteration_updates") +
                  detail(r, "iteration_waiting"),
              r.time.value, 1e-9 * r.time.value);
  EXPECT_NEAR(detail(r, "solve"), r.time.value * static_cast<double>(r.solve->iterations), 1e-6 * detail(r, "solve"));
  const RunRecord again = record_from_json(to_json(r));
  EXPECT_EQ(again.parts, r.parts);
  EXPECT_EQ(again.request, r.request);
  EXPECT_EQ(run(solve_over(4), generated("gen:laplace27?nx=16&ny=16&nz=16")).time.value, r.time.value)
      << "the same request, the same number";
}

TEST_F(PartsSolve, PipelinedCgHidesItsSums) {
  const Matrix m = generated("gen:laplace27?nx=24&ny=24&nz=24");
  const RunRecord plain = run(solve_over(4, Solver::cg, "sim:k20x"), m),
                  pipelined = run(solve_over(4, Solver::pipelined_cg, "sim:k20x"), m);
  ASSERT_EQ(plain.status, RunStatus::ok) << plain.error;
  ASSERT_EQ(pipelined.status, RunStatus::ok) << pipelined.error;
  EXPECT_EQ(detail(pipelined, "exchanges"), 1);
  EXPECT_LT(detail(pipelined, "exchange_exposed"), 0.5 * detail(pipelined, "exchange_messages"));
  EXPECT_EQ(detail(plain, "exchange_exposed"), detail(plain, "exchange_messages"));
  const auto of_sums = [](const RunRecord& r) {
    const std::vector<Finding> all = diagnose_solve(r);
    return std::any_of(all.begin(), all.end(), [](const Finding& f) { return f.rule == "parts_sums"; });
  };
  EXPECT_TRUE(of_sums(plain));
  EXPECT_FALSE(of_sums(pipelined));
}

TEST_F(PartsSolve, SumsOfEachMethodAreCounted) {
  const Matrix m = generated("gen:laplace5?nx=20&ny=20");
  EXPECT_EQ(detail(run(solve_over(2, Solver::bicgstab), m), "exchanges"), 3);
  EXPECT_EQ(detail(run(solve_over(2, Solver::gmres), m), "exchanges"), 3);
  EXPECT_EQ(detail(run(solve_over(2, Solver::pipelined_cg), m), "exchanges"), 1);
}

TEST_F(PartsSolve, OfALargeSystemIsFasterThanOneGpu) {
  const Matrix m = generated("gen:laplace7?nx=64&ny=64&nz=64");
  RunRequest r = solve_over(1);
  r.depth = Depth::quick;
  r.device = "sim:gtx980ti";
  r.most_iterations = 5;
  const double one = run(r, m).time.value;
  r.parts = 4;
  const RunRecord four = run(r, m);
  ASSERT_EQ(four.status, RunStatus::ok) << four.error;
  EXPECT_LT(four.time.value, one);
  EXPECT_GT(four.time.value, one / 4);
}

TEST_F(PartsSolve, HasPartsWithoutRowsOrWithoutOwnResidual) {
  // Row 0 has most of the entries, so that a block of entries has no rows; b is 0 in most parts.
  const Matrix m = [] {
    std::vector<std::vector<index_t>> rows(12);
    for (index_t k = 0; k < 12; ++k) rows[0].push_back(k);
    for (index_t k = 1; k < 12; ++k) rows[static_cast<std::size_t>(k)] = {0, k};
    Matrix arrow;
    arrow.csr = std::make_shared<const Csr>(
        testing::from_rows(12, rows, [](index_t i, index_t j) { return i == j ? 20.0 : -1.0; }));
    return arrow;
  }();
  RunRequest r = solve_over(6);
  r.split = Split::entries;
  const RunRecord record = run(r, m);
  ASSERT_EQ(record.status, RunStatus::ok) << record.error;
  EXPECT_EQ(record.solve->end, SolveEnd::converged);
  EXPECT_TRUE(std::any_of(record.parts.begin(), record.parts.end(), [](const PartResult& p) { return p.rows == 0; }));
  for (const PartResult& p : record.parts) EXPECT_NEAR(p.time_us, record.time.value, 1e-9);
}

TEST_F(PartsSolve, OfBratuHasPartsInEachStep) {
  const Matrix m = generated("gen:bratu?n=8");
  RunRequest r = solve_over(4, Solver::gmres, "sim:k20x");
  r.matrix = "gen:bratu?n=8";
  r.newton_steps = 50;
  const RunRecord one = run(
                      [&] {
                        RunRequest o = r;
                        o.parts = 1;
                        return o;
                      }(),
                      m),
                  four = run(r, m);
  ASSERT_EQ(four.status, RunStatus::ok) << four.error;
  ASSERT_TRUE(four.newton);
  EXPECT_EQ(four.newton->end, SolveEnd::converged);
  ASSERT_EQ(four.newton->steps.size(), one.newton->steps.size());
  for (std::size_t k = 0; k < four.newton->steps.size(); ++k) {
    EXPECT_EQ(four.newton->steps[k].iterations, one.newton->steps[k].iterations);
    EXPECT_GT(four.newton->steps[k].products_us, 0);
  }
  EXPECT_EQ(four.parts.size(), 4u);
}

TEST_F(PartsSolve, BadInputIsRefused) {
  const Matrix m = generated("gen:laplace5?nx=4&ny=4");
  const auto says = [&](const RunRequest& r, const char* what) {
    const std::string error = refusal(r, m);
    EXPECT_NE(error.find(what), std::string::npos) << error;
  };
  says(solve_over(17), "17 parts are more than the 16 rows of the matrix; use at most");
  says(solve_over(0), "use --parts 1 or more");
  RunRequest r = solve_over(2);
  r.preconditioner = Preconditioner::block_jacobi;
  says(r, "block Jacobi needs neighbouring rows together");
  r = solve_over(2);
  r.precision = Precision::f32, r.refine = true;
  says(r, "refinement");
  r = solve_over(2);
  r.kernel = "csr_transposed";
  says(r, "computes no A x");
  r = solve_over(2);
  r.kernel = "coo_atomic", r.deterministic = true;
  says(r, "adds to y by atomics");
  r = solve_over(2);
  r.memory.device_bytes = 2000;
  says(r, "part 1 of 2: ");
  const Matrix wide{std::make_shared<const Csr>(testing::random_rows(9, 12, [](index_t) { return 2; }, 4)), {}};
  EXPECT_NE(refusal(solve_over(2), wide).find("square"), std::string::npos);
  r = solve_over(2, Solver::cg, "sim:gtx280");
  r.device = "cuda:7";
  EXPECT_EQ(run(r, m).status, RunStatus::failed);
}

}  // namespace
}  // namespace warpspy
