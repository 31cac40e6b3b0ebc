// The benchmark's search on times that are made up: what it finds, what it spends, and in which order it looks.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/formats/format.hpp"
#include "kernels/table/table.hpp"
#include "profiling/bench/search.hpp"

namespace warpspy {
namespace {

// Every trial takes as long; what it finds is a rule.
class MadeUp final : public Measure {
 public:
  using Rule = std::function<std::optional<double>(const KernelRow&, const ParamSet&)>;
  MadeUp(double trial_s, Rule rule) : trial_s_(trial_s), rule_(std::move(rule)) {}
  Script<std::optional<double>> time(const KernelRow& kernel, const BenchCandidate& c, double far_us) override {
    asked.push_back({&kernel, c, far_us});
    co_return rule_(kernel, c.params);
  }
  double spent_s() const override { return trial_s_ * static_cast<double>(asked.size()); }
  std::vector<Trial> asked;  // `us`: what was far off then

 private:
  double trial_s_;
  Rule rule_;
};

Family family_of(const char* kernel, double cost) {
  const KernelRow& k = kernel_row(kernel);
  Family f{
      .kernel = &k, .candidates = candidates_of(k, &format_row(k.info.format).info, {132, 227 * 1024}), .cost = cost};
  const ParamSet form = f.format_params();
  std::erase_if(f.candidates, [&](const BenchCandidate& c) { return c.format_params != form; });
  f.done.assign(f.candidates.size(), false);
  return f;
}
std::vector<Family> families() {
  return {family_of("csr_even", 10), family_of("csr_vector", 12), family_of("csr_stream", 14),
          family_of("sell", 16),     family_of("ell", 18),        family_of("csr_scalar", 90)};
}
std::size_t candidates(const std::vector<Family>& all) {
  std::size_t n = 0;
  for (const Family& f : all) n += f.candidates.size();
  return n;
}

// A valley: `best` is the fastest set of the kernel, each parameter that differs costs a tenth.
double valley(double us, const ParamSet& params, const ParamSet& best) {
  int differ = 0;
  for (const auto& [id, value] : params) differ += best.contains(id) && best.at(id) != value;
  return us * (1 + 0.1 * differ);
}

TEST(BenchSearch, FindsTheFastestOfTheFastestKernelBySteps) {
  const std::vector<Family> all = families();
  const ParamSet best = all[1].candidates.back().params;
  MadeUp measure(0.01, [&](const KernelRow& k, const ParamSet& p) -> std::optional<double> {
    return k.info.id == "csr_vector" ? valley(5, p, best) : 20;
  });
  const SearchEnd end = search_families(all, {.budget_s = 1}, measure).at_once();
  ASSERT_FALSE(end.trials.empty());
  EXPECT_EQ(end.trials.front().kernel->info.id, "csr_vector");
  EXPECT_EQ(end.trials.front().candidate.params, best);
  EXPECT_TRUE(
      std::is_sorted(end.trials.begin(), end.trials.end(), [](const Trial& a, const Trial& b) { return a.us < b.us; }));
}

TEST(BenchSearch, TriesNothingTwiceAndCountsWhatItLeavesOut) {
  for (const double trial_s : {0.001, 0.01, 0.1, 10.0}) {
    MadeUp measure(trial_s, [](const KernelRow& k, const ParamSet& p) -> std::optional<double> {
      return static_cast<double>(k.info.id.size()) + static_cast<double>(p.size());
    });
    const SearchEnd end = search_families(families(), {.budget_s = 1}, measure).at_once();
    EXPECT_EQ(measure.asked.size(), end.trials.size());
    EXPECT_EQ(end.trials.size() + static_cast<std::size_t>(end.left_out), candidates(families()));
    for (std::size_t i = 0; i < measure.asked.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        EXPECT_FALSE(measure.asked[i].kernel == measure.asked[k].kernel &&
                     measure.asked[i].candidate == measure.asked[k].candidate);
  }
}

TEST(BenchSearch, WithoutAnyBudgetFourKernelsAndAFewStepsAreTried) {
  MadeUp measure(10, [](const KernelRow& k, const ParamSet&) -> std::optional<double> {
    return k.info.id == "csr_stream" ? 3 : 9;
  });
  const SearchEnd end = search_families(families(), {.budget_s = 1}, measure).at_once();
  std::map<std::string, int> of_kernel;
  for (const Trial& t : measure.asked) ++of_kernel[t.kernel->info.id];
  EXPECT_EQ(of_kernel.size(), 4u);
  EXPECT_FALSE(of_kernel.contains("csr_scalar")) << "it costs most";
  EXPECT_GT(of_kernel.at("csr_stream"), 1) << "steps are from the fastest";
  EXPECT_EQ(of_kernel.at("csr_vector"), 1);
  EXPECT_GT(end.left_out, 0);
}

TEST(BenchSearch, OfALibraryEveryFamilyIsTried) {
  MadeUp measure(10, [](const KernelRow&, const ParamSet&) -> std::optional<double> { return 9; });
  search_families(families(), {.budget_s = 1, .every = true}, measure).at_once();
  std::map<std::string, int> of_kernel;
  for (const Trial& t : measure.asked) ++of_kernel[t.kernel->info.id];
  EXPECT_EQ(of_kernel.size(), families().size());
}

TEST(BenchSearch, WhatFailsIsNoTrialAndEndsNothing) {
  MadeUp measure(0.001, [](const KernelRow& k, const ParamSet&) -> std::optional<double> {
    if (k.info.id != "ell") return std::nullopt;
    return 7;
  });
  const SearchEnd end = search_families(families(), {.budget_s = 1}, measure).at_once();
  ASSERT_FALSE(end.trials.empty());
  for (const Trial& t : end.trials) EXPECT_EQ(t.kernel->info.id, "ell");
  EXPECT_GT(measure.asked.size(), end.trials.size());
}

TEST(BenchSearch, FarOffIsFourTimesTheFastestOrTheRival) {
  MadeUp measure(0.01, [](const KernelRow& k, const ParamSet&) -> std::optional<double> {
    return k.info.id == "csr_even" ? 100 : 200;
  });
  search_families(families(), {.budget_s = 1, .rival_us = 300}, measure).at_once();
  ASSERT_GE(measure.asked.size(), 2u);
  EXPECT_EQ(measure.asked[0].us, far_off * 300 + 50);
  EXPECT_EQ(measure.asked[1].us, far_off * 100 + 50);
}

TEST(BenchSearch, AtLastTheFastestIsTriedInOrder) {
  MadeUp measure(0.2, [](const KernelRow& k, const ParamSet& p) -> std::optional<double> {
    return (k.info.id == "csr_even" ? 5 : 9) - k.common_of(p).overlap;
  });
  std::vector<Family> all = families();
  for (Family& f : all)  // each begins with a product that overlaps, where it has one
    for (std::size_t i = 0; i < f.candidates.size(); ++i)
      if (f.kernel->common_of(f.candidates[i].params).overlap != 0) {
        f.first = i;
        break;
      }
  const SearchEnd end = search_families(all, {.budget_s = 1}, measure).at_once();
  const Trial& best = end.trials.front();
  ASSERT_NE(best.kernel->common_of(best.candidate.params).overlap, 0);
  EXPECT_TRUE(std::any_of(end.trials.begin(), end.trials.end(), [&](const Trial& t) {
    ParamSet waiting = best.candidate.params;
    waiting["overlap"] = 0;
    return t.kernel == best.kernel && t.candidate.params == waiting;
  }));
}

}  // namespace
}  // namespace warpspy
