// The lengths that rows have say what the list of all lengths says.
#include <gtest/gtest.h>

#include "core/formats/hyb_rule.hpp"
#include "tests/shapes.hpp"

namespace warpspy {
namespace {

TEST(LengthSteps, SayWhatAllLengthsSay) {
  for (const testing::Shape& shape : testing::shapes()) {
    const FormatFacts facts(shape.matrix);
    const LengthCounts& all = facts.lengths();
    const LengthSteps steps(all);
    ASSERT_EQ(steps.longest(), all.longest) << shape.name;
    EXPECT_EQ(steps.at_least(all.longest + 1), 0) << shape.name;
    EXPECT_EQ(steps.at_least(all.longest + 100), 0) << shape.name;
    index_t next = all.longest + 1;
    for (index_t k = all.longest; k >= 0; --k) {
      ASSERT_EQ(steps.at_least(k), all.at_least[k]) << shape.name << " " << k;
      ASSERT_EQ(steps.within(k), all.within[k]) << shape.name << " " << k;
      ASSERT_EQ(steps.next(k), next) << shape.name << " " << k;
      if (all.rows_of_length(k) > 0) next = k;
    }
  }
}

TEST(LengthSteps, ARowOfBillionsOfEntriesIsOneStep) {
  const LengthSteps steps({{0, 5}, {2, 3}, {4'000'000'000, 1}});
  EXPECT_EQ(steps.longest(), 4'000'000'000);
  EXPECT_EQ(steps.at_least(0), 9);
  EXPECT_EQ(steps.at_least(2), 4);
  EXPECT_EQ(steps.at_least(3), 1);
  EXPECT_EQ(steps.within(2), 8);
  EXPECT_EQ(steps.within(1'000'000'000), 1'000'000'006);
  EXPECT_EQ(steps.next(2), 4'000'000'000);
  // A column of the ELL part takes nine slots of 8 bytes, and takes at most four entries of 12 bytes out of COO.
  EXPECT_EQ(hyb_width({steps}, HybRule::search, 0, {1, 8, 12}), 0);
  EXPECT_EQ(hyb_width({steps}, HybRule::third, 0, {1, 8, 12}), 2);
  EXPECT_EQ(hyb_width({steps, 2}, HybRule::third, 0, {1, 8, 12}), 4'000'000'000 - 2);
}

}  // namespace
}  // namespace warpspy
