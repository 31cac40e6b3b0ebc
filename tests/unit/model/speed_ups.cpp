// Speed-ups over several GPUs: what each run is held against.
#include "core/model/speed_ups.hpp"

#include <gtest/gtest.h>

namespace warpspy {
namespace {

using RunPtr = std::shared_ptr<const RunRecord>;

Catalog catalog() {
  Catalog c;
  c.kernels = {{"csr_vector", "CSR vector", "", "", "csr", {}}, {"csr_scalar", "CSR scalar", "", "", "csr", {}}};
  return c;
}

RunPtr run(std::uint64_t id, std::uint64_t parts, double us, Split split = Split::rows,
           const char* kernel = "csr_vector") {
  auto r = std::make_shared<RunRecord>();
  r->id = id, r->status = RunStatus::ok;
  r->matrix_name = "a", r->device_name = "Toy";
  r->request.kernel = kernel, r->request.parts = parts, r->request.split = split;
  r->time = {us, "us", Provenance::modelled};
  return r;
}

TEST(SpeedUps, EveryWayToDivideRowsHasTheRunOnOneGpuAsBase) {
  const SpeedUps of = speed_ups({run(1, 1, 100), run(2, 2, 50), run(3, 4, 40), run(4, 4, 25, Split::metis)}, catalog());
  ASSERT_EQ(of.curves.size(), 2u);
  EXPECT_EQ(of.without_base, 0u);
  const SpeedUps::Curve &metis = of.curves[0], &rows = of.curves[1];
  EXPECT_NE(metis.name.find("metis"), std::string::npos) << "the largest speed-up comes first";
  ASSERT_EQ(metis.points.size(), 2u);
  EXPECT_EQ(metis.points[0].times, 1);
  EXPECT_EQ(metis.points[1].parts, 4);
  EXPECT_EQ(metis.points[1].times, 4);
  EXPECT_EQ(metis.points[1].efficiency, 1);
  ASSERT_EQ(rows.points.size(), 3u);
  EXPECT_EQ(rows.points[1].times, 2);
  EXPECT_EQ(rows.points[2].times, 2.5);
  EXPECT_EQ(rows.points[2].efficiency, 0.625);
  EXPECT_EQ(rows.points[2].record->id, 3u);
}

TEST(SpeedUps, ARunWithoutItsLikeOnOneGpuHasNone) {
  const RunPtr other = run(3, 4, 30, Split::rows, "csr_scalar");
  const SpeedUps of = speed_ups({run(1, 1, 100), run(2, 4, 40), other}, catalog());
  ASSERT_EQ(of.curves.size(), 1u);
  EXPECT_EQ(of.without_base, 1u);
  EXPECT_EQ(of.of(*run(9, 4, 50)), 2) << "against the run on one GPU, whichever run it is";
  EXPECT_EQ(of.of(*run(9, 8, 20)), 5);
  EXPECT_EQ(of.of(*other), std::nullopt);
  EXPECT_EQ(of.of(*run(1, 1, 100)), std::nullopt);
}

TEST(SpeedUps, FailedRunsAreLeftOut) {
  auto failed = std::make_shared<RunRecord>(*run(2, 2, 10)), wrong = failed;
  failed->status = RunStatus::failed;
  wrong = std::make_shared<RunRecord>(*run(3, 2, 10));
  wrong->check = ErrorCheck{0, 9, 1, 0, false};
  const SpeedUps of = speed_ups({run(1, 1, 100), failed, wrong}, catalog());
  EXPECT_TRUE(of.curves.empty());
  EXPECT_EQ(of.without_base, 0u);
}

TEST(SpeedUps, ASolveIsHeldAgainstItsLikeOnOneGpu) {
  const auto solve = [](std::uint64_t id, std::uint64_t parts, double us, Solver solver, std::uint64_t restart = 30) {
    auto r = std::make_shared<RunRecord>(*run(id, parts, us));
    r->request.solver = solver, r->request.restart = restart;
    return r;
  };
  const auto cg = solve(4, 2, 30, Solver::cg), gmres = solve(5, 2, 30, Solver::gmres);
  const SpeedUps of = speed_ups(
      {run(1, 1, 100), solve(2, 1, 45, Solver::cg), solve(3, 1, 60, Solver::gmres, 20), cg, gmres}, catalog());
  ASSERT_EQ(of.curves.size(), 1u);
  EXPECT_EQ(of.of(*cg), 1.5) << "against the solve, not the product";
  EXPECT_EQ(of.of(*gmres), std::nullopt) << "its like has another restart";
  EXPECT_EQ(of.without_base, 1u);
}

TEST(SpeedUps, RepeatedRunsCountByTheirMedian) {
  const SpeedUps of = speed_ups(
      {run(1, 1, 90), run(2, 1, 100), run(3, 1, 140), run(4, 2, 50), run(5, 2, 60), run(6, 2, 40)}, catalog());
  ASSERT_EQ(of.curves.size(), 1u);
  EXPECT_EQ(of.curves[0].points[1].us, 50);
  EXPECT_EQ(of.curves[0].points[1].times, 2);
  EXPECT_EQ(of.curves[0].points[1].runs, 3u);
}

}  // namespace
}  // namespace warpspy
