// Which trials are timed again, on times that are made up.
#include "profiling/bench/finals.hpp"

#include <gtest/gtest.h>

#include <string>

#include "kernels/table/table.hpp"

namespace warpspy {
namespace {

Trial trial_of(const std::string& kernel, double loads, double us) {
  const KernelRow& row = kernel_row(kernel);
  return {&row, {checked_params(row.info.params, {{"matrix_cache", loads}}), {}}, us};
}

struct Timed {
  std::vector<std::string> asked;
  using Rule = std::function<std::optional<double>(const Trial&)>;
  Again again(Rule us) {
    return [this, us](const Trial& t) { return once(us, t); };
  }
  Script<std::optional<double>> once(const Rule& us, const Trial& t) {
    asked.push_back(t.kernel->info.id + " " + std::to_string(static_cast<int>(t.candidate.params.at("matrix_cache"))));
    co_return us(t);
  }
};

TEST(Finals, ColdOneOfEachKernelComesFirst) {
  // Warm the kinds of HYB are ahead of slices in all their ways; cold they are not.
  std::vector<Trial> trials;
  for (const char* kernel : {"hyb", "hyb_fused", "hyb_r", "hyb_r_fused"})
    for (int i = 0; i < 5; ++i) trials.push_back(trial_of(kernel, i % 2 * 2, 6.8));
  for (const double loads : {5.0, 0.0, 2.0, 3.0}) trials.push_back(trial_of("sell_warps", loads, 7.2));
  Timed timed;
  const auto best = fastest_cold(trials, 8, timed.again([](const Trial& t) -> std::optional<double> {
                      if (t.kernel->info.id != "sell_warps") return 12.4;
                      return t.candidate.params.at("matrix_cache") == 3 ? 9.5 : 9.9;
                    })).at_once();
  ASSERT_TRUE(best);
  EXPECT_EQ(best->kernel->info.id, "sell_warps");
  EXPECT_EQ(best->us, 9.5) << "other loads of the fastest kernel are timed, too";
  EXPECT_EQ(timed.asked, (std::vector<std::string>{"hyb 0", "hyb_fused 0", "hyb_r 0", "hyb_r_fused 0", "sell_warps 0",
                                                   "sell_warps 2", "sell_warps 3"}))
      << "a share that L2 kept is of no use cold";
}

TEST(Finals, WarmNotTooManyOfAKernelWithTheSameLoads) {
  std::vector<Trial> trials;
  for (int i = 0; i < 5; ++i) trials.push_back(trial_of("csr_even", 0, 8 + i));
  trials.push_back(trial_of("csr_even", 2, 13));
  trials.push_back(trial_of("csr_stream", 0, 14));
  Timed timed;
  const auto best =
      fastest_warm(trials, 3, timed.again([](const Trial& t) { return std::optional(22 - t.us); })).at_once();
  ASSERT_TRUE(best);
  EXPECT_EQ(timed.asked, (std::vector<std::string>{"csr_even 0", "csr_even 0", "csr_even 2"}));
  EXPECT_EQ(best->us, 9) << "the time of the second look";
}

TEST(Finals, WhatFailsIsNoFinalist) {
  const std::vector<Trial> trials{trial_of("csr_even", 0, 1), trial_of("csr_even", 2, 2), trial_of("csr_stream", 0, 3)};
  Timed others;
  const Again first_fails = others.again([](const Trial& t) { return t.us == 1 ? std::nullopt : std::optional(t.us); });
  EXPECT_EQ(fastest_warm(trials, 1, first_fails).at_once()->us, 2);
  EXPECT_EQ(fastest_cold(trials, 1, first_fails).at_once()->us, 2);
  const std::vector<Trial> far{trial_of("csr_even", 0, 1), trial_of("csr_stream", 0, 90)};
  Timed timed;
  const Again as_before = timed.again([](const Trial& t) { return std::optional(t.us); });
  EXPECT_EQ(fastest_warm(far, 2, as_before).at_once()->us, 1);
  EXPECT_EQ(fastest_cold(far, 2, as_before).at_once()->us, 1);
  EXPECT_EQ(timed.asked, (std::vector<std::string>{"csr_even 0", "csr_even 0"})) << "90 times as long is far behind";
  EXPECT_EQ(fastest_cold(far, 2, first_fails).at_once()->us, 90) << "all that is left";
  const Again all_fail = others.again([](const Trial&) { return std::optional<double>{}; });
  EXPECT_FALSE(fastest_warm(trials, 3, all_fail).at_once());
  EXPECT_FALSE(fastest_cold(trials, 3, all_fail).at_once());
  EXPECT_FALSE(fastest_cold({}, 3, all_fail).at_once());
}

}  // namespace
}  // namespace warpspy
