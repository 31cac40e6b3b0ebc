#include "core/model/roofline.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace warpspy {
namespace {

// 1000 GB/s DRAM, 4000 GB/s L2, L1 of 10 SMs x 100 B x 10 GHz = 10000 GB/s, 2000 GFLOP/s.
GpuSpec gpu() {
  GpuSpec g;
  g.dram_gbs = 1000;
  g.l2_gbs = 4000;
  g.l1_bytes_per_clock_per_sm = 100;
  g.sm_count = 10;
  g.clock_mhz = 10000;
  g.peak_f32_gflops = 2000;
  g.peak_f64_gflops = 1000;
  g.sources["dram_gbs"] = "a data sheet";
  return g;
}

Counter bytes(const char* id, double value) {
  Counter c;
  c.id = id;
  c.value = value;
  c.unit = "B";
  return c;
}

// 1 million flops' worth of entries in `us`.
RunRecord run(double us, double dram, double l2, double l1) {
  RunRecord r;
  r.id = 3;
  r.status = RunStatus::ok;
  r.nnz = 500000;
  r.time = {us, "us", Provenance::modelled};
  r.gflops = {1e6 / us * 1e-3, "GFLOP/s", Provenance::modelled};
  r.minimum_bytes = {4e6, "B", Provenance::modelled};
  r.counters = {bytes("dram_bytes", dram), bytes("l2_bytes", l2), bytes("l1_bytes", l1)};
  return r;
}

TEST(Roofs, OnePerLevelAndACeiling) {
  const auto roofs = roofs_of(gpu(), Precision::f64);
  ASSERT_EQ(roofs.size(), 4u);
  EXPECT_EQ(roofs[2].label, "DRAM 1000 GB/s");
  EXPECT_EQ(roofs[2].source, "a data sheet");
  EXPECT_EQ(roofs[0].value, 10000);
  EXPECT_EQ(roofs[3].value, 1000);
  EXPECT_EQ(roofs[3].level, Level::compute);
  EXPECT_EQ(roofs_of(GpuSpec{}, Precision::f32).size(), 0u);  // no figure, no roof
}

TEST(RooflinePoints, ByHand) {
  // 1e6 flops, 4e6 bytes of DRAM in 5 us: 0.25 flop/byte, 200 GFLOP/s, 800 GB/s under a roof of 250 GFLOP/s.
  const auto points = roofline_points(run(5, 4e6, 8e6, 1e7), roofs_of(gpu(), Precision::f32));
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[0].level, Level::dram);
  EXPECT_DOUBLE_EQ(points[0].intensity, 0.25);
  EXPECT_DOUBLE_EQ(points[0].gflops, 200);
  EXPECT_DOUBLE_EQ(points[0].gbs, 800);
  EXPECT_DOUBLE_EQ(points[0].roof_gflops, 250);
  EXPECT_EQ(points[0].limit, "DRAM bandwidth: 80 % of the DRAM roof");
  EXPECT_EQ(points[1].limit, "DRAM bandwidth: 80 % of the DRAM roof; here 40 % of the L2 roof");
  EXPECT_DOUBLE_EQ(points[2].roof_gflops, 1000);
}

TEST(RooflinePoints, FarBelowEveryRoofIsLatency) {
  for (const auto& p : roofline_points(run(16, 4e6, 8e6, 1e7), roofs_of(gpu(), Precision::f32)))
    EXPECT_EQ(p.limit.rfind("below every roof: 25 % of the DRAM roof", 0), 0u) << p.limit;
}

TEST(RooflinePoints, AnotherLevelMayBind) {
  const auto points = roofline_points(run(5, 1e6, 1.9e7, 2e7), roofs_of(gpu(), Precision::f32));
  EXPECT_EQ(points[1].limit, "L2 bandwidth: 95 % of the L2 roof");
}

TEST(RooflinePoints, ThePeakMayBind) {
  // 10 flop/byte, above the ridge of every level: 1500 of 2000 GFLOP/s.
  const auto points = roofline_points(run(1e6 / 1.5e6, 1e5, 1e5, 1e5), roofs_of(gpu(), Precision::f32));
  EXPECT_EQ(points[0].limit, "compute peak: 75 % of the compute roof");
  EXPECT_DOUBLE_EQ(points[0].roof_gflops, 2000);
}

TEST(RooflinePoints, WithoutDramBytesTheMinimumStandsInAndSaysSo) {
  RunRecord r = run(5, 0, 0, 0);
  for (Counter& c : r.counters) c.value.reset();
  r.time.provenance = Provenance::measured;
  const auto points = roofline_points(r, roofs_of(gpu(), Precision::f32));
  ASSERT_EQ(points.size(), 1u);
  EXPECT_EQ(points[0].provenance, Provenance::derived);
  EXPECT_NE(points[0].limit.find("minimum"), std::string::npos);
}

TEST(RooflinePoints, AboveTheDramRoofACacheServed) {
  RunRecord r = run(2, 4e6, 0, 0);
  r.counters.resize(1);
  const auto points = roofline_points(r, roofs_of(gpu(), Precision::f32));
  EXPECT_EQ(points[0].limit, "above the DRAM roof (200 % of the DRAM roof): a cache served part of it");
}

TEST(RooflinePoints, NoneForAFailedOrEmptyRun) {
  RunRecord r = run(5, 4e6, 8e6, 1e7);
  r.status = RunStatus::failed;
  EXPECT_TRUE(roofline_points(r, roofs_of(gpu(), Precision::f32)).empty());
  r.status = RunStatus::ok;
  r.gflops.value = 0;  // no useful operation
  EXPECT_TRUE(roofline_points(r, roofs_of(gpu(), Precision::f32)).empty());
}

TEST(RooflinePoints, ExecutedFlopsMoveAPointAlongItsBandwidth) {
  RunRecord r = run(5, 4e6, 8e6, 1e7);
  const auto roofs = roofs_of(gpu(), Precision::f32);
  EXPECT_TRUE(roofline_points(r, roofs, FlopCount::executed).empty()) << "not known";
  r.details.push_back({"executed_flops", "", {2.5e6, "flop", Provenance::modelled}});
  const auto useful = roofline_points(r, roofs), executed = roofline_points(r, roofs, FlopCount::executed);
  ASSERT_EQ(executed.size(), useful.size());
  for (std::size_t k = 0; k < useful.size(); ++k) {
    EXPECT_DOUBLE_EQ(executed[k].gflops, 2.5 * useful[k].gflops);
    EXPECT_DOUBLE_EQ(executed[k].intensity, 2.5 * useful[k].intensity);
    EXPECT_DOUBLE_EQ(executed[k].gbs, useful[k].gbs);
  }
}

TEST(ByteCounts, AreTheRecordsLeastFirst) {
  RunRecord r = run(5, 4e6, 8e6, 1e7);  // 1e6 flops, minimum 4e6 bytes
  r.details = {{"table1_bytes", "", {6e6, "B", Provenance::modelled}},
               {"effective_bytes", "", {8e6, "B", Provenance::modelled}},
               {"caching_bytes", "", {5e6, "B", Provenance::modelled}},
               {"executed_flops", "", {2e6, "flop", Provenance::modelled}}};
  const auto counts = byte_counts(r);
  std::vector<std::string> ids;
  for (const ByteCount& c : counts) ids.push_back(c.id);
  EXPECT_EQ(ids, (std::vector<std::string>{"minimum", "caching", "table1", "effective"}));
  EXPECT_DOUBLE_EQ(counts[0].intensity, 0.25);
  EXPECT_DOUBLE_EQ(byte_counts(r, FlopCount::executed)[0].intensity, 0.5);
  r.status = RunStatus::failed;
  EXPECT_TRUE(byte_counts(r).empty());
}

RC_GTEST_PROP(RooflinePoints, NeverContradictEachOther, ()) {
  const auto amount = [] { return 1.0 + *rc::gen::inRange(1, 100000000); };
  const RunRecord r = run(amount() / 1e4, amount(), amount(), amount());
  const auto points = roofline_points(r, roofs_of(gpu(), Precision::f32));
  double best = 0;
  for (const auto& p : points) best = std::max(best, p.gflops / p.roof_gflops);
  for (const auto& p : points) {
    RC_ASSERT((p.limit.rfind("below", 0) == 0) == (best < 0.6));
    RC_ASSERT((p.limit.rfind("above", 0) == 0) == (best > 1.0005));
    RC_ASSERT(p.limit.substr(0, p.limit.find(';')) == points[0].limit.substr(0, points[0].limit.find(';')));
  }
}

}  // namespace
}  // namespace warpspy
