// What a product's time is made of, with numbers worked by hand.
#include "core/diagnosis/causes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>

namespace warpspy {
namespace {

RunRecord modelled(double dram, double latency, double launch) {
  RunRecord r;
  r.status = RunStatus::ok;
  r.provenance = Provenance::modelled;
  r.kernel_label = "K";
  r.time = {std::sqrt(dram * dram + latency * latency) + launch, "us", Provenance::modelled};
  for (const auto& [id, us] :
       {std::pair<const char*, double>{"bound_dram", dram}, {"bound_latency", latency}, {"bound_launch", launch}})
    r.details.push_back({id, id, {us, "us", Provenance::modelled}});
  return r;
}

TEST(Causes, SquaresAreSharedOutAndAddUp) {
  const auto c = causes_of(modelled(3, 4, 1), {});  // 5 + 1
  ASSERT_TRUE(c);
  EXPECT_DOUBLE_EQ(c->us(Cause::dram), 5 * 9 / 25.0);
  EXPECT_DOUBLE_EQ(c->us(Cause::latency), 5 * 16 / 25.0);
  EXPECT_DOUBLE_EQ(c->us(Cause::launch), 1);
  double sum = 0;
  for (const CauseRow& row : cause_rows) sum += c->us(row.cause);
  EXPECT_DOUBLE_EQ(sum, c->time_us);
  EXPECT_EQ(c->largest(), Cause::latency);
}

// What comes from DRAM goes through L2: of the two the larger counts.
TEST(Causes, OfOneWayTheNarrowerCounts) {
  RunRecord r = modelled(3, 4, 1);
  r.details.push_back({"bound_l2", "", {2, "us", Provenance::modelled}});
  r.details.push_back({"bound_l1", "", {0, "us", Provenance::modelled}});
  const auto c = causes_of(r, {});
  EXPECT_DOUBLE_EQ(c->us(Cause::l2), 0);
  EXPECT_DOUBLE_EQ(c->us(Cause::dram), 5 * 9 / 25.0);
  std::array<double, cause_count> factors;
  factors.fill(1);
  factors[static_cast<std::size_t>(Cause::dram)] = 0;
  EXPECT_DOUBLE_EQ(c->time_with(factors), std::sqrt(2 * 2 + 4 * 4) + 1);  // then L2 is
}

TEST(Causes, WithoutOneTheOthersRemain) {
  const auto c = causes_of(modelled(3, 4, 1), {});
  std::array<double, cause_count> factors;
  factors.fill(1);
  EXPECT_DOUBLE_EQ(c->time_with(factors), 6);
  factors[static_cast<std::size_t>(Cause::latency)] = 0;
  EXPECT_DOUBLE_EQ(c->time_with(factors), 4);  // 3 + 1
}

TEST(Causes, OfAMeasuredRunWhatNoThroughputExplainsIsLatency) {
  RunRecord r;
  r.status = RunStatus::ok;
  r.provenance = Provenance::measured;
  r.time = {6, "us", Provenance::measured};
  r.counters = {{"dram_bytes", 3e6, "B", Provenance::measured, "", ""}};
  GpuSpec gpu;
  gpu.dram_stream_gbs = 1000;  // 3 us
  gpu.launch_us = 1;
  const auto c = causes_of(r, gpu);
  ASSERT_TRUE(c);
  EXPECT_NEAR(c->bound(Cause::dram), 3, 1e-12);
  EXPECT_NEAR(c->bound(Cause::latency), 4, 1e-12);
  EXPECT_TRUE(c->measured[0]);
}

TEST(Causes, NothingWithoutBytesOrOfAFailedRun) {
  RunRecord r = modelled(3, 4, 1);
  r.status = RunStatus::failed;
  EXPECT_FALSE(causes_of(r, {}));
  r.status = RunStatus::ok;
  r.details.clear();
  EXPECT_FALSE(causes_of(r, {}));
}

TEST(Causes, ADifferenceIsSharedOutWhole) {
  const RunRecord a = modelled(3, 4, 1), b = modelled(3, 0, 2);
  const auto d = time_difference(a, *causes_of(a, {}), b, *causes_of(b, {}));
  ASSERT_TRUE(d);
  EXPECT_DOUBLE_EQ(d->us, -1);
  double sum = 0;
  for (const CauseDifference& c : d->causes) sum += c.us;
  EXPECT_NEAR(sum, d->us, 1e-12);
  EXPECT_EQ(d->causes.front().cause, Cause::latency);
  EXPECT_NE(d->sentence.find("1 \xC2\xB5s"), std::string::npos) << d->sentence;
}

TEST(Causes, RunsAlikeSaySo) {
  const RunRecord a = modelled(3, 4, 1);
  EXPECT_NE(time_difference(a, *causes_of(a, {}), a, *causes_of(a, {}))->sentence.find("the same time"),
            std::string::npos);
}

}  // namespace
}  // namespace warpspy
