#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include "core/plot/plot.hpp"
#include "core/plot/text.hpp"

namespace warpspy::plot {
namespace {

std::vector<std::string> labels(Axis axis, int most) {
  std::vector<std::string> result;
  for (const Tick& t : ticks(axis, most)) result.push_back(t.label);
  return result;
}
Axis linear(double min, double max, bool integers = false) {
  Axis a;
  a.min = min, a.max = max, a.integers = integers;
  return a;
}
Axis logarithmic(double min, double max, bool integers = false) {
  Axis a = linear(min, max, integers);
  a.scale = Scale::log10;
  return a;
}
using Labels = std::vector<std::string>;

TEST(Ticks, LinearAxisTakesStepsOf125) {
  EXPECT_EQ(labels(linear(0, 1), 6), (Labels{"0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(labels(linear(0, 100), 3), (Labels{"0", "50", "100"}));
  EXPECT_EQ(labels(linear(0, 845), 5), (Labels{"0", "200", "400", "600", "800"}));
  EXPECT_EQ(labels(linear(-1, 1), 5), (Labels{"\xE2\x88\x92"
                                              "1.0",
                                              "\xE2\x88\x92"
                                              "0.5",
                                              "0", "0.5", "1.0"}));
}

TEST(Ticks, LargeNumbersShareOneUnit) {
  EXPECT_EQ(labels(linear(0, 62451), 4), (Labels{"0", "20k", "40k", "60k"}));
  EXPECT_EQ(labels(linear(0, 1.5e6), 4), (Labels{"0", "0.5M", "1.0M", "1.5M"}));
  EXPECT_EQ(labels(linear(0, 9000), 3), (Labels{"0", "5000"}));
}

TEST(Ticks, TinyNumbersHaveAPowerOfTen) {
  EXPECT_EQ(labels(linear(0, 4e-5), 3), (Labels{"0",
                                                "2\xC2\xB7"
                                                "10^\xE2\x88\x92"
                                                "5",
                                                "4\xC2\xB7"
                                                "10^\xE2\x88\x92"
                                                "5"}));
}

TEST(Ticks, IntegerAxisHasNoHalves) {
  EXPECT_EQ(labels(linear(0, 2, true), 9), (Labels{"0", "1", "2"}));
  EXPECT_EQ(labels(linear(7, 8, true), 9), (Labels{"7", "8"}));
  for (const Tick& t : ticks(logarithmic(0.3, 1.4, true), 6)) EXPECT_EQ(t.value, std::floor(t.value));
}

TEST(Ticks, LogAxisTakesPowersOfTen) {
  EXPECT_EQ(labels(logarithmic(0.05, 200), 5), (Labels{"10^\xE2\x88\x92"
                                                       "1",
                                                       "10^0", "10^1", "10^2"}));
  EXPECT_EQ(labels(logarithmic(1, 1e12), 5), (Labels{"10^0", "10^3", "10^6", "10^9", "10^12"}));
}

TEST(Ticks, NarrowLogAxisFallsBackTo125) {
  EXPECT_EQ(labels(logarithmic(1.5, 60), 6), (Labels{"2", "5", "10", "20", "50"}));
  EXPECT_GE(ticks(logarithmic(3, 4), 4).size(), 2u);
}

TEST(Ticks, NonsenseHasNoTicks) {
  EXPECT_TRUE(ticks(linear(1, 1), 5).empty());
  EXPECT_TRUE(ticks(linear(2, 1), 5).empty());
  EXPECT_TRUE(ticks(linear(0, NAN), 5).empty());
  EXPECT_TRUE(ticks(linear(0, INFINITY), 5).empty());
  EXPECT_TRUE(ticks(logarithmic(0, 1), 5).empty());
  EXPECT_TRUE(ticks(linear(0, 1), 0).empty());
}

TEST(Ticks, AreFewOrderedDistinctAndInside) {
  rc::check("ticks", [] {
    const bool log = *rc::gen::arbitrary<bool>();
    const double lo = *rc::gen::inRange(-1000000, 1000000) * std::pow(10.0, *rc::gen::inRange(-9, 9));
    const double span = *rc::gen::inRange(1, 1000000) * std::pow(10.0, *rc::gen::inRange(-4, 4));
    const int most = *rc::gen::inRange(2, 10);
    Axis a = log ? logarithmic(std::abs(lo) + 1e-9, (std::abs(lo) + 1e-9) * (1 + span)) : linear(lo, lo + span);
    RC_PRE(a.max > a.min && (a.max - a.min) > 1e-9 * std::abs(a.max));
    const auto list = ticks(a, most);
    RC_ASSERT(static_cast<int>(list.size()) <= most);
    for (std::size_t k = 0; k < list.size(); ++k) {
      const double slack = 1e-6 * (a.max - a.min);
      RC_ASSERT(list[k].value >= a.min - slack && list[k].value <= a.max + slack);
      if (k > 0) RC_ASSERT(list[k].value > list[k - 1].value && list[k].label != list[k - 1].label);
    }
  });
}

TEST(Numbers, Short) {
  EXPECT_EQ(short_number(0), "0");
  EXPECT_EQ(short_number(65), "65");
  EXPECT_EQ(short_number(999), "999");
  EXPECT_EQ(short_number(1500), "1.5k");
  EXPECT_EQ(short_number(26.5e6), "26.5M");
  EXPECT_EQ(short_number(999950), "1M");
  EXPECT_EQ(short_number(2.25), "2.25");
  EXPECT_EQ(short_number(-1500),
            "\xE2\x88\x92"
            "1.5k");
  EXPECT_EQ(short_number(NAN), "n/a");
}

TEST(Numbers, Text) {
  EXPECT_EQ(grouped(4007383), "4 007 383");
  EXPECT_EQ(grouped(-1234), "-1 234");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(percent(1), "100 %");
  EXPECT_EQ(percent(0.00103), "0.103 %");
  EXPECT_EQ(significant(0.16134, 3), "0.161");
  EXPECT_EQ(significant(1240.4, 3), "1240");
  EXPECT_EQ(significant(0, 3), "0");
  EXPECT_EQ(exact(0.1), "0.1");
  EXPECT_EQ(exact(NAN), "");
}

TEST(Text, MicrosecondsHaveTheirSign) {
  EXPECT_EQ(with_micro("root 2.1, + launch 1.3 us"), "root 2.1, + launch 1.3 \xC2\xB5s");
  EXPECT_EQ(with_micro("T_A / T = 4 us / 17.5us = 0.2, time (us)"),
            "T_A / T = 4 \xC2\xB5s / 17.5\xC2\xB5s = 0.2, time (\xC2\xB5s)");
  EXPECT_EQ(with_micro("it tells us of 3 users"), "it tells us of 3 users");
}

}  // namespace
}  // namespace warpspy::plot
