// Runs in which something was turned, as curves.
#include "core/model/run_lines.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace warpspy {
namespace {

Catalog catalog() {
  Catalog c;
  c.formats = {{"csr", "CSR", "", "", {}}};
  c.kernels = {{"csr_vector",
                "CSR vector",
                "",
                "",
                "csr",
                {{"coop", "Threads per row", "", ParamSpec::Type::power_of_two, 1, 32, 8},
                 {"x_cache", "Loads of x", "", ParamSpec::Type::choice, 0, 1, 0, {"plain", "no l1"}}}},
               {"csr_scalar", "CSR scalar", "", "", "csr", {}}};
  return c;
}

using RunPtr = std::shared_ptr<const RunRecord>;

RunPtr run(std::uint64_t id, const std::string& matrix, double coop, double us,
           const std::string& kernel = "csr_vector", RunStatus status = RunStatus::ok) {
  RunRecord r;
  r.id = id;
  r.status = status;
  r.matrix_name = matrix;
  r.nnz = matrix == "a" ? 100 : 200;
  r.rows = 10;
  r.request.kernel = kernel;
  if (kernel == "csr_vector") r.request.params = {{"coop", coop}, {"x_cache", 0}};
  r.device_name = "Toy";
  r.time = {us, "us", Provenance::modelled};
  r.gflops = {1 / us, "GFLOP/s", Provenance::modelled};
  return std::make_shared<const RunRecord>(std::move(r));
}

TEST(RunLines, FindsWhatWasTurned) {
  const std::vector<RunPtr> runs = {run(1, "a", 2, 3), run(2, "a", 4, 2), run(3, "b", 2, 3),
                                    run(4, "b", 0, 9, "csr_scalar")};
  EXPECT_EQ(turned_in(runs, catalog()), (std::vector<std::string>{"coop", "nnz"}));
  EXPECT_TRUE(turned_in({run(1, "a", 2, 3)}, catalog()).empty());
}

TEST(RunLines, HasACurveForEachMatrixTheFastestFirst) {
  const RunLines lines = lines_of(
      {run(1, "a", 8, 4), run(2, "a", 2, 8), run(3, "b", 2, 2), run(4, "b", 8, 1), run(5, "b", 0, 9, "csr_scalar")},
      catalog(), "coop");
  EXPECT_EQ(lines.x_label, "Threads per row");
  ASSERT_EQ(lines.curves.size(), 2u);
  EXPECT_EQ(lines.curves[0].name, "b");
  EXPECT_EQ(lines.curves[1].name, "a");
  ASSERT_EQ(lines.curves[1].points.size(), 2u);
  EXPECT_EQ(lines.curves[1].points[0].x, 2);
  EXPECT_EQ(lines.curves[1].points[0].run, 2u);
  EXPECT_EQ(lines.conditions, "CSR vector, f32, Toy, warm");
}

TEST(RunLines, OverPartsThereIsOneCurveASplit) {
  std::vector<RunPtr> runs;
  for (const Split split : {Split::rows, Split::metis})
    for (const std::uint64_t parts : {1, 2, 4}) {
      RunRecord r = *run(runs.size() + 1, "a", 2, 8.0 / static_cast<double>(parts));
      r.request.parts = parts, r.request.split = split;
      runs.push_back(std::make_shared<const RunRecord>(std::move(r)));
    }
  EXPECT_EQ(turned_in(runs, catalog()), std::vector<std::string>{"parts"});
  const RunLines lines = lines_of(runs, catalog(), "parts");
  ASSERT_EQ(lines.curves.size(), 2u);
  std::set<std::string> names;
  for (const RunLines::Curve& c : lines.curves) {
    names.insert(c.name);
    ASSERT_EQ(c.points.size(), 3u);
    EXPECT_EQ(c.points[2].x, 4);
    EXPECT_EQ(c.points[2].us, 2);
  }
  EXPECT_EQ(names, (std::set<std::string>{"split by rows", "split by metis"}));
  // Over another quantity, runs with other numbers of parts are other curves.
  EXPECT_TRUE(lines_of(runs, catalog(), "coop").curves.empty());
}

TEST(RunLines, OverPartsIterationsOfSolvesHaveCurvesOfTheirOwn) {
  std::vector<RunPtr> runs;
  for (const Solver solver : {Solver::none, Solver::cg, Solver::pipelined_cg})
    for (const std::uint64_t parts : {1, 2}) {
      RunRecord r = *run(runs.size() + 1, "a", 2, 8);
      r.request.parts = parts, r.request.solver = solver;
      runs.push_back(std::make_shared<const RunRecord>(std::move(r)));
    }
  EXPECT_EQ(turned_in(runs, catalog()), std::vector<std::string>{"parts"});
  std::set<std::string> names;
  for (const RunLines::Curve& c : lines_of(runs, catalog(), "parts").curves) names.insert(c.name);
  EXPECT_EQ(names, (std::set<std::string>{"CSR vector", "CG with CSR vector", "Pipelined CG with CSR vector"}));
  EXPECT_TRUE(lines_of(runs, catalog(), "nnz").curves.empty());
}

TEST(RunLines, SeveralRunsAtOnePlaceAreTheirMedian) {
  const RunLines lines = lines_of({run(1, "a", 2, 5), run(2, "a", 2, 1), run(3, "a", 2, 3), run(4, "a", 4, 1),
                                   run(5, "a", 4, 7, "csr_vector", RunStatus::failed)},
                                  catalog(), "coop");
  ASSERT_EQ(lines.curves.size(), 1u);
  EXPECT_EQ(lines.curves[0].points[0].us, 3);
  EXPECT_EQ(lines.curves[0].points[0].runs, 3u);
  EXPECT_EQ(lines.curves[0].points[1].runs, 1u);
  EXPECT_EQ(lines.failed, 1u);
}

TEST(RunLines, OverMatricesThereIsOneCurveAKernel) {
  const RunLines lines =
      lines_of({run(1, "a", 8, 4), run(2, "b", 8, 5), run(3, "a", 0, 9, "csr_scalar"), run(4, "b", 0, 9, "csr_scalar")},
               catalog(), "nnz");
  ASSERT_EQ(lines.curves.size(), 2u);
  EXPECT_EQ(lines.curves[0].points[1].x, 200);
  EXPECT_NE(lines.curves[0].name.find("CSR vector"), std::string::npos);
}

// Only matrices of one generator are one thing that grows.
TEST(RunLines, MatricesOfDifferentOriginAreNotJoined) {
  const auto of = [](std::uint64_t id, const std::string& matrix, index_t nnz) {
    auto r = std::make_shared<RunRecord>(*run(id, matrix, 8, 4));
    r->request.matrix = matrix, r->nnz = nnz;
    return RunPtr(r);
  };
  const RunPtr small = of(1, "gen:laplace5?nx=9", 400), large = of(2, "gen:laplace5?nx=99", 50000);
  const RunLines one = lines_of({small, large}, catalog(), "nnz");
  EXPECT_TRUE(one.by_size);
  EXPECT_TRUE(one.joined);
  EXPECT_TRUE(one.doubling) << "50000 is far from 400";
  EXPECT_FALSE(lines_of({small, of(3, "cant.mtx", 4007383)}, catalog(), "nnz").joined);
  const RunLines turned = lines_of({run(1, "a", 2, 3), run(2, "a", 4, 2)}, catalog(), "coop");
  EXPECT_FALSE(turned.by_size);
  EXPECT_TRUE(turned.joined);
}

TEST(RunLines, PowersGrowByFactors) {
  std::vector<RunPtr> runs;
  for (const double coop : {1.0, 2.0, 4.0, 8.0, 16.0}) runs.push_back(run(1, "a", coop, 1));
  EXPECT_TRUE(lines_of(runs, catalog(), "coop").doubling);
  EXPECT_TRUE(lines_of({}, catalog(), "coop").curves.empty());
}

}  // namespace
}  // namespace warpspy
