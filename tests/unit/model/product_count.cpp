// Which of several is the cheapest for how many products.
#include "core/model/product_count.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/splitmix.hpp"

namespace warpspy {
namespace {

constexpr double kEver = std::numeric_limits<double>::infinity();

struct Reign {
  std::size_t candidate;
  double first, last;
};
struct Cheapest {
  const char* name;
  std::vector<ProductCost> costs;
  std::vector<Reign> reigns;
};
const double kNan = std::nan("");
const Cheapest kCases[] = {
    {"none", {}, {}},
    {"one candidate", {{100, 3}}, {{0, 1, kEver}}},
    {"two that cross between whole numbers", {{0, 5}, {121, 3}}, {{0, 1, 60}, {1, 61, kEver}}},
    {"a tie at a whole number: the one with less preparation stays", {{120, 3}, {0, 5}}, {{1, 1, 60}, {0, 61, kEver}}},
    {"three", {{0, 10}, {100, 5}, {1000, 2}}, {{0, 1, 20}, {1, 21, 300}, {2, 301, kEver}}},
    {"three that meet in one point: the one between is never cheapest",
     {{0, 10}, {100, 8}, {200, 6}},
     {{0, 1, 50}, {2, 51, kEver}}},
    {"above the envelope", {{0, 10}, {500, 9}, {100, 5}}, {{0, 1, 20}, {2, 21, kEver}}},
    {"the same costs: the first counts", {{5, 3}, {5, 3}}, {{0, 1, kEver}}},
    {"the same time: less preparation", {{9, 3}, {5, 3}}, {{1, 1, kEver}}},
    {"the same preparation: less time", {{5, 3}, {5, 2}}, {{1, 1, kEver}}},
    {"equal at one product", {{0, 10}, {5, 5}}, {{0, 1, 1}, {1, 2, kEver}}},
    {"faster and prepared sooner", {{0, 2}, {100, 3}}, {{0, 1, kEver}}},
    {"no whole number between two crossings", {{0, 10}, {102.6, 7}, {137.4, 6}}, {{0, 1, 34}, {2, 35, kEver}}},
    {"missing preparation", {{kNan, 1}, {0, 5}}, {{1, 1, kEver}}},
    {"no time", {{0, 0}, {0, 5}, {0, kNan}, {-1, 2}}, {{1, 1, kEver}}},
};

TEST(ProductCount, WhatIsCheapestForHowMany) {
  for (const Cheapest& c : kCases) {
    SCOPED_TRACE(c.name);
    const std::vector<CheapestFor> all = cheapest(c.costs);
    ASSERT_EQ(all.size(), c.reigns.size());
    for (std::size_t k = 0; k < all.size(); ++k) {
      EXPECT_EQ(all[k].candidate, c.reigns[k].candidate) << k;
      EXPECT_EQ(all[k].first, c.reigns[k].first) << k;
      EXPECT_EQ(all[k].last, c.reigns[k].last) << k;
      EXPECT_EQ(all[k].holds(for_ever), k + 1 == all.size());
      EXPECT_TRUE(all[k].holds(static_cast<ProductCount>(all[k].first)));
    }
  }
}

// As a search among all candidates for each number finds it.
TEST(ProductCount, TheEnvelopeIsTheLeastEverywhere) {
  std::uint64_t state = 7;
  const auto below = [&](std::uint64_t n) { return static_cast<double>((state = splitmix::after(state)) % n); };
  for (int k = 0; k < 200; ++k) {
    std::vector<ProductCost> costs;
    for (int c = 0; c < 6; ++c) costs.push_back({below(2000), 1 + below(40)});
    const std::vector<CheapestFor> all = cheapest(costs);
    for (const int number : {1, 2, 3, 10, 34, 100, 777, 10'000}) {
      const auto n = static_cast<ProductCount>(number);
      double least = kEver, told = -1;
      for (const ProductCost& c : costs) least = std::min(least, c.total(static_cast<double>(n)));
      int holding = 0;
      for (const CheapestFor& c : all)
        if (c.holds(n)) ++holding, told = costs[c.candidate].total(static_cast<double>(n));
      EXPECT_EQ(holding, 1) << n;
      EXPECT_DOUBLE_EQ(told, least) << n;
    }
  }
}

TEST(ProductCount, IsReadAndWritten) {
  for (const ProductCount n : {for_ever, ProductCount{1}, ProductCount{100}, most_products})
    EXPECT_EQ(products_from_text(word_of(n)), n);
  EXPECT_EQ(products_text(for_ever), "ever");
  EXPECT_EQ(products_text(1), "1 product");
  EXPECT_EQ(products_text(10'000), "10,000 products");
  for (const char* text :
       {"", "0", "-1", "1.5", "many", "1e6", "10 000", "1000000000001", "99999999999999999999", "100x"})
    EXPECT_THROW(products_from_text(text), Error) << text;
}

}  // namespace
}  // namespace warpspy
