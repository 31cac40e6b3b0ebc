// What the benchmark's search tries next, on families whose times are made up.
#include "profiling/bench/families.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "core/formats/format.hpp"
#include "kernels/table/table.hpp"

namespace warpspy {
namespace {

Family family_of(const char* kernel, double cost = 1) {
  const KernelRow& k = kernel_row(kernel);
  Family f{
      .kernel = &k, .candidates = candidates_of(k, &format_row(k.info.format).info, {132, 227 * 1024}), .cost = cost};
  f.done.assign(f.candidates.size(), false);
  return f;
}
void tried(Family& f, std::size_t i, double us) {
  f.done[i] = true;
  if (us < f.us) f.us = us, f.at = i;
}
// The one parameter in which two candidates differ; "" where it is not one.
std::string difference(const Family& f, std::size_t a, std::size_t b) {
  std::string id;
  for (const auto& [name, value] : f.candidates[a].params)
    if (value != f.candidates[b].params.at(name)) id = id.empty() ? name : "several";
  return id == "several" ? "" : id;
}

TEST(Families, StepsGoFromOtherStartsOverLoadsToWhatWaits) {
  Family f = family_of("csr_even");
  f.starts = {f.candidates.size() - 1};
  tried(f, 0, 10);
  EXPECT_EQ(step_from(f), f.candidates.size() - 1);
  tried(f, f.candidates.size() - 1, 20);
  std::vector<std::string> seen;
  while (const auto next = step_from(f)) {
    seen.push_back(difference(f, *next, f.at));
    EXPECT_NE(seen.back(), "");
    tried(f, *next, 30);  // never faster: all steps are from the first
  }
  ASSERT_GE(seen.size(), 4u);
  const auto group = [](const std::string& id) { return id == "matrix_cache" ? 0 : id == "overlap" ? 2 : 1; };
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end(),
                             [&](const std::string& a, const std::string& b) { return group(a) < group(b); }));
  EXPECT_EQ(group(seen.front()), 0);
  EXPECT_EQ(seen.back(), "overlap");
  EXPECT_EQ(std::set<std::string>(seen.begin(), seen.end()).count("block_size"), 1u);
}

TEST(Families, TheFastestIsTunedAndWhatIsFarBehindIsNot) {
  std::vector<Family> all{family_of("csr_even"), family_of("csr_stream"), family_of("csr_scalar", Family::never)};
  EXPECT_FALSE(next_step(all, 100)) << "none was timed";
  tried(all[0], 0, 12);
  tried(all[1], 0, 10);
  ASSERT_TRUE(next_step(all, 100));
  EXPECT_EQ(next_step(all, 100)->family, &all[1]);
  EXPECT_FALSE(next_step(all, 9)) << "neither is fast enough";
  std::fill(all[1].done.begin(), all[1].done.end(), true);
  EXPECT_EQ(next_step(all, 100)->family, &all[0]) << "the fastest has no step left";
  EXPECT_EQ(next_step(all, 11).has_value(), false);
  EXPECT_FALSE(next_family(all)) << "what cannot be known soon is not begun";
  all[2].cost = 1e6;
  ASSERT_TRUE(next_family(all));
  EXPECT_EQ(next_family(all)->family, &all[2]);
  EXPECT_EQ(next_family(all, all[2].cost)->family, &all[2]);
  EXPECT_FALSE(next_family(all, all[2].cost / 2)) << "it costs more than that";
  EXPECT_EQ(all[0].left(), static_cast<int>(all[0].candidates.size()) - 1);
}

TEST(Families, EveryKernelBeforeItsOtherForms) {
  std::vector<Family> all{family_of("csr_even", 10), family_of("csr_stream", 30), family_of("csr_even", 11),
                          family_of("csr_merge", 15), family_of("csr_stream", 0)};
  EXPECT_DOUBLE_EQ(in_order_of_cost(all), 21);  // 2.1 times the best; 0 is what was found before
  std::vector<double> order;
  for (const Family& f : all) order.push_back(f.cost);
  EXPECT_EQ(order, (std::vector<double>{0, 10, 15, 11, 30}));
}

TEST(Families, WhatIsFastestIsTriedInOrderToo) {
  Family f = family_of("csr_even");
  const auto where = [&](double overlap, double loads) {
    for (std::size_t i = 0; i < f.candidates.size(); ++i) {
      const ParamSet& p = f.candidates[i].params;
      ParamSet wanted = checked_params(f.kernel->info.params, {});
      wanted["overlap"] = overlap, wanted["matrix_cache"] = loads;
      if (p == wanted) return i;
    }
    ADD_FAILURE() << "no candidate with overlap " << overlap << " and loads " << loads;
    return std::size_t{0};
  };
  tried(f, where(1, 2), 10);
  EXPECT_EQ(waiting_of(f), std::vector<std::size_t>{where(0, 2)});
  tried(f, where(0, 2), 12);
  EXPECT_TRUE(waiting_of(f).empty()) << "it was tried";
  // Where a share is kept, without it too: streaming loads were tried above.
  tried(f, where(1, 7), 9);
  EXPECT_EQ(waiting_of(f), std::vector<std::size_t>{where(0, 7)});
  f.done[where(0, 2)] = false;
  EXPECT_EQ(waiting_of(f), (std::vector<std::size_t>{where(0, 2), where(0, 7)}));
}

}  // namespace
}  // namespace warpspy
