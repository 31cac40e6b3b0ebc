// What parts on several GPUs do in which order, and how their host threads wait for each other.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "core/jobs/progress.hpp"
#include "kernels/parts/meeting.hpp"
#include "kernels/parts/steps.hpp"

namespace warpspy {
namespace {

using Kind = PartStep::Kind;
using enum SolvePart;

// An iteration with a product of two launches, and one that hides its sums behind the next product.
IterationPlan plan_of(std::vector<SolvePart> parts, std::vector<std::size_t> ends, std::vector<std::size_t> exchanges) {
  IterationPlan plan;
  plan.parts = std::move(parts), plan.product_ends = std::move(ends);
  for (const std::size_t launch : exchanges) plan.exchanges.push_back({.launch = launch});
  return plan;
}

TEST(PartSteps, TheHaloIsOnItsWayDuringALocalProduct) {
  const IterationPlan plan = plan_of({product, product, dots, exchange, updates}, {1}, {3});
  const std::vector<PartStep> steps = {{Kind::give_halo, 0}, {Kind::launch, 0},    {Kind::launch, 1},
                                       {Kind::take_halo, 0}, {Kind::launch, 2},    {Kind::launch, 3},
                                       {Kind::give_sums, 0}, {Kind::take_sums, 0}, {Kind::launch, 4}};
  EXPECT_EQ(part_steps(plan, 0, 5), steps);
}

TEST(PartSteps, SumsAreOnTheirWayDuringTheNextProduct) {
  const IterationPlan plan = plan_of({product, updates, exchange, product, updates, exchange}, {0, 3}, {2, 5});
  const std::vector<PartStep> steps = {
      {Kind::give_halo, 0}, {Kind::launch, 0},    {Kind::take_halo, 0}, {Kind::launch, 1},    {Kind::launch, 2},
      {Kind::give_sums, 0}, {Kind::give_halo, 1}, {Kind::launch, 3},    {Kind::take_halo, 1}, {Kind::take_sums, 0},
      {Kind::launch, 4},    {Kind::launch, 5},    {Kind::give_sums, 1}, {Kind::take_sums, 1}};
  EXPECT_EQ(part_steps(plan, 0, 6), steps);
  EXPECT_EQ(part_steps(plan, 3, 6).size(), 7u) << "the second iteration alone";
  EXPECT_EQ(part_steps(plan, 3, 6).front(), (PartStep{Kind::give_halo, 1}));
}

// A launch that brings y into the order of rows belongs to the product.
TEST(PartSteps, AProductEndsWhereThePlanSays) {
  const IterationPlan plan = plan_of({product, updates, product, updates}, {1, 3}, {});
  const std::vector<PartStep> steps = {{Kind::give_halo, 0}, {Kind::launch, 0},    {Kind::launch, 1},
                                       {Kind::take_halo, 0}, {Kind::give_halo, 1}, {Kind::launch, 2},
                                       {Kind::launch, 3},    {Kind::take_halo, 1}};
  EXPECT_EQ(part_steps(plan, 0, 4), steps);
}

TEST(PartsMeeting, ThreadsSeeWhatOthersHaveDone) {
  Meeting meeting({"a", "b", "c"});
  std::vector<int> done(3);
  meeting.together([&](std::size_t k) {
    for (int round = 1; round <= 200; ++round) {
      done[k] = round;
      meeting.all_there(k);
      for (const int of_other : done) EXPECT_EQ(of_other, round);
      meeting.all_there(k);
    }
  });
}

TEST(PartsMeeting, WhenOneFailsAllEnd) {
  Meeting meeting({"part 1 of 3", "part 2 of 3", "part 3 of 3"});
  try {
    meeting.together([&](std::size_t k) {
      meeting.all_there(k);
      if (k == 1) throw Error("out of memory", {}, "use more parts");
      meeting.await(1, Meeting::Sign::given, 1);
    });
    FAIL() << "the error was lost";
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "part 2 of 3: out of memory; use more parts");
  }
  EXPECT_TRUE(meeting.abandoned());
}

TEST(PartsMeeting, ALostGpuIsNamed) {
  Meeting meeting({"part 1 of 2 (cuda:0)", "part 2 of 2 (cuda:1)"});
  try {
    meeting.together([&](std::size_t k) {
      if (k == 1) throw DeviceLost("an illegal memory access");
      meeting.await(1, Meeting::Sign::sums, 1);
    });
    FAIL() << "the loss was lost";
  } catch (const PartLost& e) {
    EXPECT_EQ(e.part, 1u);
    EXPECT_STREQ(e.what(), "part 2 of 2 (cuda:1): an illegal memory access");
  }
}

TEST(PartsMeeting, ACancelledPartEndsTheOthers) {
  Meeting meeting({"a", "b"});
  EXPECT_THROW(meeting.together([&](std::size_t k) {
    if (k == 0) throw Cancelled{};
    meeting.await(0, Meeting::Sign::taken, 7);
  }),
               Cancelled);
}

TEST(PartsMeeting, NoWaitIsEndless) {
  Meeting meeting({"a", "b"}, std::chrono::milliseconds(50));
  try {
    meeting.together([&](std::size_t k) {
      if (k == 0) meeting.await(1, Meeting::Sign::given, 1);
    });
    FAIL() << "it came";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("a: b did not come"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace warpspy
