// Runs of many matrices as a grid, and Dolan & More's profile of it, with numbers worked by hand.
#include "core/model/run_grid.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/run/run_name.hpp"

namespace warpspy {
namespace {

using Is = RunGrid::Is;
using Runs = std::vector<std::shared_ptr<const RunRecord>>;

Catalog catalog() {
  Catalog c;
  ParamSpec coop{"coop", "Threads per row", "", ParamSpec::Type::power_of_two, 1, 32, 8};
  c.formats = {{"csr", "CSR", "", "", {}}, {"ell", "ELL", "", "", {}}};
  c.kernels = {{"csr", "CSR vector", "", "", "csr", {coop}}, {"ell", "ELL", "", "", "ell", {}}};
  c.kernels.push_back({"csr_t", "CSR transposed", "", "", "csr", {}, Operation::transposed_product});
  c.devices = {{"sim:toy", "Toy", true, true, "", "", {}}, {"cuda:0", "Real", false, true, "", "", {}}};
  return c;
}

RunRecord record(const std::string& matrix, const std::string& kernel, double us) {
  static std::uint64_t id = 0;
  RunRecord r;
  r.id = ++id;
  r.request.matrix = "/dir/" + matrix + ".mtx";
  r.request.kernel = kernel;
  r.request.params = kernel == "csr" ? ParamSet{{"coop", 8}} : ParamSet{};
  r.matrix_name = matrix;
  r.device = "sim:toy";
  r.status = us > 0 ? RunStatus::ok : RunStatus::failed;
  if (us <= 0) r.error = "out of memory";
  r.time.value = us;
  r.gflops.value = us > 0 ? 100 / us : 0;
  return r;
}

std::shared_ptr<const RunRecord> run(const std::string& matrix, const std::string& kernel, double us) {
  return std::make_shared<const RunRecord>(record(matrix, kernel, us));
}

RunGrid grid(const Runs& runs) { return grid_of(runs, catalog(), {}); }

TEST(RunGrid, IsARowPerMatrixAndAColumnPerKernel) {
  const RunGrid g = grid({run("b", "ell", 4), run("a", "csr", 2), run("b", "csr", 8)});
  EXPECT_EQ(g.matrices, (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(g.columns, (std::vector<std::string>{"CSR vector", "ELL"}));
  EXPECT_EQ(g.conditions, "f32, Toy, warm");
  EXPECT_EQ(g.at(0, 0).us, 8);
  EXPECT_EQ(g.at(0, 1).us, 4);
  EXPECT_EQ(g.at(1, 1).is, Is::missing);
  EXPECT_EQ(g.best_us(0, 0), 4);
  EXPECT_TRUE(grid({}).empty());
}

TEST(RunGrid, SaysWhatAComplexMatrixRanOn) {
  RunRecord r = record("waves", "csr", 2);
  r.notes = {std::string(kComplexNote) + "moduli"};
  const RunGrid g = grid({std::make_shared<const RunRecord>(r), run("a", "csr", 2)});
  EXPECT_EQ(g.notes, std::vector<std::string>{"waves is complex: its products ran on the moduli."});
}

TEST(RunGrid, TheFastestOfSeveralStandsInTheCell) {
  RunRecord turned = record("a", "csr", 1);
  turned.request.params["coop"] = 16;
  const RunGrid g = grid({run("a", "csr", 2), std::make_shared<const RunRecord>(turned), run("a", "csr", 3)});
  EXPECT_EQ(g.at(0, 0).us, 1);
  EXPECT_EQ(g.at(0, 0).params, "coop 16");
  EXPECT_EQ(grid({run("a", "csr", 2)}).at(0, 0).params, "") << "a default is no news";
}

TEST(RunGrid, PreparationIsToldInProductsOfTheBestCsrKernel) {
  Catalog c = catalog();
  c.formats.front().intermediate = true;
  const auto prepared = [](const char* kernel, const char* format, double us, double conversion, double setup) {
    RunRecord r = record("a", kernel, us);
    r.format = format;
    r.details.push_back({"conversion", "", {conversion, "us", Provenance::measured}});
    r.details.push_back({"setup", "", {setup, "us", Provenance::measured}});
    return std::make_shared<const RunRecord>(r);
  };
  const RunGrid g = grid_of({prepared("csr", "csr", 5, 1000, 20), prepared("ell", "ell", 4, 60, 40)}, c, {});
  EXPECT_EQ(g.preparation(0, 0), 4);   // CSR is there already
  EXPECT_EQ(g.preparation(0, 1), 20);  // (60 + 40) / 5
  const RunGrid alone = grid_of({prepared("ell", "ell", 4, 60, 40)}, c, {});
  EXPECT_EQ(alone.preparation(0, 0), std::nullopt);
  EXPECT_EQ(grid({run("b", "csr", 4)}).preparation(0, 0), std::nullopt);  // not recorded
}

TEST(RunGrid, FailuresSayWhyUntilARunIsGood) {
  const RunGrid failed = grid({run("a", "csr", -1)});
  EXPECT_EQ(failed.at(0, 0).is, Is::failed);
  EXPECT_EQ(failed.at(0, 0).reason, "out of memory");
  EXPECT_EQ(grid({run("a", "csr", 3), run("a", "csr", -1)}).at(0, 0).is, Is::ok);
  RunRecord wrong = record("a", "csr", 1);
  wrong.check = ErrorCheck{};
  EXPECT_EQ(grid({std::make_shared<const RunRecord>(wrong)}).at(0, 0).is, Is::failed);
  RunRecord stopped = record("a", "csr", -1);
  stopped.status = RunStatus::cancelled;
  EXPECT_TRUE(grid({std::make_shared<const RunRecord>(stopped)}).empty());
}

TEST(RunGrid, ColumnsSayWhatDiffers) {
  RunRecord f64 = record("a", "csr", 2), real = record("a", "csr", 1);
  f64.request.precision = Precision::f64;
  real.device = "cuda:0";
  const RunGrid g =
      grid({run("a", "csr", 1), std::make_shared<const RunRecord>(f64), std::make_shared<const RunRecord>(real)});
  EXPECT_EQ(g.columns,
            (std::vector<std::string>{"CSR vector f32, Real", "CSR vector f32, Toy", "CSR vector f64, Toy"}));
  EXPECT_EQ(g.conditions, "warm");
}

TEST(RunGrid, TransposedProductsAreNoRivals) {
  const RunGrid g = grid({run("a", "csr", 1), run("a", "ell", 1), run("a", "csr_t", 1)});
  EXPECT_EQ(g.columns.size(), 2u);
  ASSERT_EQ(g.notes.size(), 1u);
  EXPECT_EQ(g.notes[0], "1 run left out: of a transposed product.");
}

TEST(RunGrid, MatricesOfOneNameAreToldApart) {
  RunRecord other = record("a", "csr", 1);
  other.request.matrix = "/old/a.mtx";
  const RunGrid g = grid({run("a", "csr", 1), std::make_shared<const RunRecord>(other)});
  EXPECT_EQ(g.matrices, (std::vector<std::string>{"dir/a", "old/a"}));
}

TEST(RunGrid, TheNearestRoofCounts) {
  RooflinePoint dram, l2, none;
  dram.gflops = l2.gflops = none.gflops = 30;
  dram.roof_gflops = 100, l2.roof_gflops = 40;
  l2.level = Level::l2;
  const auto share = roof_share({dram, l2, none});
  ASSERT_TRUE(share);
  EXPECT_DOUBLE_EQ(share->share, 0.75);
  EXPECT_EQ(share->level, Level::l2);
  EXPECT_FALSE(roof_share({none}));
}

// Two kernels, four matrices: times 1 and 2, 4 and 2, 3 and 3, failed and 5.
RunGrid four() {
  return grid({run("a", "csr", 1), run("a", "ell", 2), run("b", "csr", 4), run("b", "ell", 2), run("c", "csr", 3),
               run("c", "ell", 3), run("d", "csr", -1), run("d", "ell", 5)});
}

TEST(PerformanceProfile, IsTheShareWithinTauOfTheBest) {
  const PerformanceProfile p = profile_of(four());
  ASSERT_EQ(p.curves.size(), 2u);
  EXPECT_EQ(p.most, 2);
  const auto& ell = p.curves[0];  // most wins first
  const auto& csr = p.curves[1];
  EXPECT_EQ(ell.column, 1u);
  EXPECT_EQ(ell.ratios, (std::vector<double>{1, 1, 1, 2}));
  EXPECT_EQ(csr.ratios, (std::vector<double>{1, 1, 2}));
  EXPECT_DOUBLE_EQ(csr.share(1), 0.5);
  EXPECT_DOUBLE_EQ(csr.share(1.99), 0.5);
  EXPECT_DOUBLE_EQ(csr.share(2), 0.75);
  EXPECT_DOUBLE_EQ(csr.share(1e9), 0.75) << "a failure never counts as solved";
  EXPECT_DOUBLE_EQ(ell.share(1e9), 1);
}

TEST(PerformanceProfile, LeavesOutWhatWasNotTried) {
  Runs runs = {run("a", "csr", 1), run("a", "ell", 2), run("b", "csr", 1), run("b", "ell", 2), run("c", "csr", 1)};
  const PerformanceProfile p = profile_of(grid(runs));
  EXPECT_EQ(p.matrices.size(), 2u);
  ASSERT_EQ(p.notes.size(), 1u);
  EXPECT_EQ(p.notes[0], "1 matrix left out: not every kernel was tried there.");
  runs = {run("a", "csr", 3), run("a", "ell", 1), run("b", "csr", 1), run("c", "csr", 1)};
  const PerformanceProfile rare = profile_of(grid(runs));
  ASSERT_EQ(rare.curves.size(), 1u);
  EXPECT_EQ(rare.matrices.size(), 3u);
  EXPECT_EQ(rare.curves[0].ratios, (std::vector<double>{1, 1, 1})) << "who is left out is no rival either";
}

TEST(PerformanceProfile, PrecisionsAreNoRivals) {
  RunRecord slow = record("a", "csr", 4), slower = record("a", "ell", 6);
  slow.request.precision = slower.request.precision = Precision::f64;
  const RunGrid g = grid({run("a", "csr", 2), run("a", "ell", 1), std::make_shared<const RunRecord>(slow),
                          std::make_shared<const RunRecord>(slower)});
  EXPECT_EQ(g.best_us(0, 0), 1);
  EXPECT_EQ(g.best_us(0, 1), 4) << g.columns[1];
  EXPECT_EQ(profile_of(g).most, 2);
}

TEST(PerformanceProfile, NothingGivesNothing) {
  const PerformanceProfile p = profile_of(RunGrid{});
  EXPECT_TRUE(p.curves.empty());
  EXPECT_TRUE(p.matrices.empty());
}

// It failed before it had a device: its column has a name without an end left open.
TEST(RunGrid, NamesAColumnWithoutADevice) {
  RunRecord lost = record("a", "csr", 4);
  lost.status = RunStatus::failed, lost.error = "no such device";
  lost.device.clear(), lost.device_name.clear(), lost.request.device.clear();
  RunRecord good = record("a", "csr", 1);
  good.device = "sim:h200", good.device_name = "H200";
  const RunGrid g = grid({std::make_shared<const RunRecord>(lost), std::make_shared<const RunRecord>(good)});
  ASSERT_EQ(g.columns.size(), 2u);
  int named = 0;
  for (const std::string& column : g.columns) {
    EXPECT_FALSE(column.ends_with(' ') || column.ends_with(',')) << column;
    named += column.ends_with(", no device");
  }
  EXPECT_EQ(named, 1);
}

}  // namespace
}  // namespace warpspy
