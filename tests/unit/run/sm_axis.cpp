// The axis of time of an SM: what its warps do at a moment.
#include "core/run/sm_axis.hpp"

#include <gtest/gtest.h>

using namespace warpspy;

namespace {

// One issues to 1 and waits to 20; the other is ready, issues from 1 to 2 and waits to 30, then issues once more.
SmAxis axis() {
  SmAxis a;
  a.warps = {{3, 0, {{0, 1, 20, 2, SmWait::l2}}}, {3, 1, {{1, 2, 30, 3, SmWait::dram}, {30, 31, 31, 1, SmWait::none}}}};
  a.watched = 1;
  a.end_ns = 31;
  return a;
}

TEST(SmAxis, TellsWhoIssuesAndWhoWaits) {
  const SmMoment begin = moment_of(axis(), 0.5);
  EXPECT_EQ(begin.issuing, 1);
  EXPECT_EQ(begin.ready, 1);
  const SmMoment middle = moment_of(axis(), 10);
  EXPECT_EQ(middle.waiting[static_cast<int>(SmWait::l2)], 1);
  EXPECT_EQ(middle.waiting[static_cast<int>(SmWait::dram)], 1);
  const SmMoment end = moment_of(axis(), 30.5);
  EXPECT_EQ(end.issuing, 1);
  EXPECT_EQ(end.done, 1);
  EXPECT_EQ(moment_of(axis(), 40).done, 2);
}

TEST(SmAxis, ARequestIsIssuedInItsSpan) {
  EXPECT_EQ(time_of_request(axis(), 0), 1);
  EXPECT_EQ(time_of_request(axis(), 2), 1);
  EXPECT_EQ(time_of_request(axis(), 3), 30);
  EXPECT_EQ(time_of_request(axis(), 4), -1) << "not told";
  EXPECT_EQ(time_of_request(SmAxis{}, 0), -1);
}

}  // namespace
