// Timing without a GPU: how many samples, which count, what is kept out of L2, what is said of the clocks.
#include "profiling/timing/timing.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "profiling/timing/nvml.hpp"
#include "profiling/timing/samples.hpp"

namespace warpspy {
namespace {

using Sampler = std::function<double()>;
const Progress nobody;

TEST(Samples, MedianQuantilesAndNoise) {
  EXPECT_EQ(quantile({}, 0.5), 0);
  EXPECT_EQ(quantile({5}, 0.25), 5);
  EXPECT_EQ(quantile({4, 1, 3, 2}, 0.5), 2.5);
  EXPECT_EQ(quantile({4, 1, 3, 2, 5}, 0.25), 2);
  EXPECT_EQ(noise_of({}), 0);
  EXPECT_EQ(noise_of({10, 10, 10}), 0);
  EXPECT_DOUBLE_EQ(noise_of({8, 9, 10, 11, 12}), 0.1);
}

TEST(Samples, QuietOnesAreFewAndNoisyOnesAreMany) {
  int n = 0;
  const Sampler quiet = [] { return 7.0; };
  const Sampler noisy = [&] { return ++n % 2 ? 5.0 : 15.0; };
  const SampleRule rule{.least = 9, .most = 60, .wanted_error = 0.005, .budget_s = 1e6};
  EXPECT_EQ(take_samples({&quiet, 1}, rule, {}, nobody).front().us.size(), 9u);
  EXPECT_EQ(take_samples({&noisy, 1}, rule, {}, nobody).front().us.size(), 60u);
}

TEST(Samples, ASpentBudgetEndsItButNotBeforeTheLeast) {
  int n = 0;
  const Sampler noisy = [&] { return ++n % 2 ? 5.0 : 15.0; };
  EXPECT_EQ(take_samples({&noisy, 1}, {.least = 9, .most = 60, .budget_s = 0}, {}, nobody).front().us.size(), 9u);
}

TEST(Samples, ADriftHitsBothAlike) {
  // Every sample is slower than the one before, as when a GPU warms up; b takes 1.5 times as long as a.
  double drift = 1;
  const Sampler both[] = {[&] { return 10 * (drift += 0.01); }, [&] { return 15 * (drift += 0.01); }};
  const auto s = take_samples(both, {.least = 40, .most = 40, .budget_s = 1e6}, {}, nobody);
  const Ratio r = ratio_of(s[1], s[0]);
  EXPECT_NEAR(r.value, 1.5, 0.02);
  EXPECT_LE(r.low, r.value);
  EXPECT_GE(r.high, r.value);
  EXPECT_LT(r.high - r.low, 0.02);
  EXPECT_GT(noise_of(s[0].us), 0.1) << "each alone is far noisier than their ratio";
}

TEST(Samples, ThrottledOnesAreDroppedAndCounted) {
  int n = 0;
  const Sampler sampler = [&] { return n % 3 == 1 ? 20.0 : 10.0; };
  const ReadClocks clocks = [&]() -> std::optional<Clocks> {
    const bool throttled = n++ % 3 == 1;
    return Clocks{throttled ? 900.0 : 1980.0, 3200, throttled, throttled ? "power cap" : ""};
  };
  const Samples s = take_samples({&sampler, 1}, {.least = 30, .most = 30, .budget_s = 1e6}, clocks, nobody).front();
  EXPECT_EQ(s.throttled, 10);
  EXPECT_EQ(s.us, std::vector<double>(20, 10.0));
  EXPECT_FALSE(s.all_throttled);
  EXPECT_EQ(s.throttle_reason, "power cap");
  EXPECT_EQ(s.sm_mhz.size(), 30u);
}

TEST(Samples, WhenAllAreThrottledTheyCountAndThatIsSaid) {
  const Sampler sampler = [] { return 10.0; };
  const ReadClocks clocks = [] { return std::optional<Clocks>({900, 3200, true, "heat (driver)"}); };
  const Samples s = take_samples({&sampler, 1}, {.least = 5, .most = 5, .budget_s = 1e6}, clocks, nobody).front();
  EXPECT_TRUE(s.all_throttled);
  EXPECT_EQ(s.us.size(), 5u);
  EXPECT_EQ(s.median_us(), 10);
}

TEST(Samples, RatiosPairWhatWasTakenInTheSameRound) {
  Samples a, b;
  a.us = {10, 20, 40};
  a.rounds = {0, 1, 3};
  b.us = {30, 60, 999};
  b.rounds = {0, 1, 2};  // round 2 of a, and round 3 of b, were throttled
  EXPECT_EQ(ratio_of(b, a).value, 3);
  EXPECT_EQ(ratio_of({}, a).value, 0);
}

TEST(Samples, ACancelledOneStops) {
  Progress p;
  const Sampler sampler = [&] { return p.cancel(), 1.0; };
  EXPECT_THROW(take_samples({&sampler, 1}, {}, {}, p), Cancelled);
}

TEST(Cold, CopiesHoldThreeTimesL2OrAFlushStandsIn) {
  constexpr std::size_t MB = 1'000'000;
  struct Case {
    std::size_t product, l2, free;
    int copies;
    bool flush;
    double kept = 0;
  };
  const Case cases[] = {
      {10 * MB, 60 * MB, 100'000 * MB, 18, false},  // 18 x 10 = 3 x 60
      {500 * MB, 60 * MB, 100'000 * MB, 2, false},  // at least two
      {1 * MB, 60 * MB, 100'000 * MB, 180, false},
      {1000, 60 * MB, 100'000 * MB, 1, true},          // more than 256 copies
      {60'000 * MB, 60 * MB, 70'000 * MB, 1, true},    // no room for a second
      {60'000 * MB, 60 * MB, 130'000 * MB, 2, false},  // half of the free memory holds one more
      {0, 60 * MB, 100'000 * MB, 1, true},
      {500 * MB, 60 * MB, 100'000 * MB, 6, false, 1 / 16.},  // sixteenths of six copies are 187 MB
  };
  for (const Case& c : cases) {
    const ColdPlan plan = plan_cold(c.product, c.l2, c.free, c.kept);
    EXPECT_EQ(plan.copies, c.copies) << c.product;
    EXPECT_EQ(plan.flush, c.flush) << c.product;
    if (!plan.flush) {
      EXPECT_GE(static_cast<std::size_t>(plan.copies) * c.product, 3 * c.l2);
    }
  }
}

TEST(Nvml, ItsAbsenceIsSaid) {
  const ClockReader none = clock_reader("0000:00:00.0", "libnvidia-ml-that-is-not-there.so.1");
  EXPECT_FALSE(none.read);
  EXPECT_NE(none.reason.find("libnvidia-ml-that-is-not-there.so.1 was not found"), std::string::npos) << none.reason;
  // A library without its functions: libc in its place.
  const ClockReader wrong = clock_reader("0000:00:00.0", "libc.so.6");
  EXPECT_FALSE(wrong.read);
  EXPECT_NE(wrong.reason.find("lacks a function"), std::string::npos) << wrong.reason;
}

TEST(Nvml, OnlyWhatHoldsALoadBackIsThrottling) {
  EXPECT_EQ(throttle_words(0), "");
  EXPECT_EQ(throttle_words(0x1 | 0x2 | 0x100), "");  // idle, a set clock, a display
  EXPECT_EQ(throttle_words(0x4), "power cap");
  EXPECT_EQ(throttle_words(0x20 | 0x8), "hardware slowdown, heat (driver)");
}

TEST(Timing, DetailsCarryUnitAndProvenance) {
  ProductTime t;
  t.us = 5;
  t.noise = 0.01;
  t.product_bytes = 1000;
  t.l2_bytes = 60'000'000;
  t.samples = 1;
  EXPECT_EQ(details_of(t).size(), 3u) << "one sample has no spread";
  t.samples = 9;
  EXPECT_EQ(details_of(t).size(), 6u) << "what is not known is left out";
  t.sm_mhz = 1980;
  t.memory_mhz = 3200;
  t.setup_us = 12;
  t.flush_us = 30;
  const auto details = details_of(t);
  EXPECT_EQ(details.size(), 10u);
  for (const Detail& d : details) {
    EXPECT_FALSE(d.label.empty() || d.quantity.unit.empty()) << d.id;
    EXPECT_NE(d.quantity.provenance, Provenance::modelled) << d.id;
  }
}

#if !defined(WARPSPY_HAVE_CUDA)
TEST(Timing, WithoutCudaItSaysSo) {
  EXPECT_THROW(measure_copy(nobody), Error);
  EXPECT_THROW(compare_interleaved({}, 1, nobody), Error);
}
#endif

}  // namespace
}  // namespace warpspy
