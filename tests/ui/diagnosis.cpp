// What limits a run, in the window: said, tried, and held against what it gave.
#include "tests/ui/support.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

void run_scalar(Harness& h) {
  h.engine.tells_bounds = true;
  h.open("gen:laplace5?nx=60&ny=60");
  h.session.apply(SetKernel{"csr_scalar"});
  h.session.apply(StartRun{});
  h.settle();
}

TEST(Diagnosis, StandsWhereTheLimitIsToldAndLeadsToTheTab) {
  Harness h;
  run_scalar(h);
  EXPECT_TRUE(h.shows("Limit: Latency"));
  click_at(h.find("Why"), [&] { h.frames(); });
  h.settle();
  EXPECT_EQ(h.state().tab, "diagnosis");
  EXPECT_TRUE(h.shows("Latency limits"));
  EXPECT_TRUE(h.shows("What the time is made of"));
  EXPECT_TRUE(h.shows("CSR vector"));
}

TEST(Diagnosis, TryingComparesAndTheOutcomeStaysBesideThePromise) {
  Harness h;
  run_scalar(h);
  const std::uint64_t first = h.state().selected_run;
  h.session.apply(ShowTab{"diagnosis"});
  h.settle();
  const auto buttons = h.items("Try it");
  ASSERT_FALSE(buttons.empty());
  click_at(buttons.front(), [&] { h.frames(); });
  h.settle();
  ASSERT_EQ(h.state().comparing.size(), 2u);
  EXPECT_EQ(h.state().comparing.back()->request.kernel, "csr_vector");
  EXPECT_TRUE(h.shows("Why one is faster"));
  h.session.apply(SelectRun{first});
  h.settle();
  EXPECT_TRUE(h.shows("Tried, run"));
  EXPECT_TRUE(h.shows("as said"));
}

TEST(Diagnosis, OfARunWithoutFindingsSaysSo) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  h.session.apply(StartRun{});
  h.settle();
  h.session.apply(ShowTab{"diagnosis"});
  h.settle();
  EXPECT_TRUE(h.shows("Nothing stands out"));
  EXPECT_TRUE(h.shows("Limit: "));
  EXPECT_TRUE(h.items("Try it").empty());
}

TEST(Diagnosis, TryingOnAClosedMatrixSaysWhatToDo) {
  Harness h;
  run_scalar(h);
  const std::uint64_t run = h.state().selected_run;
  h.session.apply(CloseMatrix{h.state().matrices.front().id});
  h.session.apply(TryFinding{run, 0});
  h.settle();
  ASSERT_FALSE(h.state().messages.empty());
  EXPECT_NE(h.state().messages.back().text.find("not open"), std::string::npos);
}

TEST(Diagnosis, HelpExplainsTheWords) {
  Harness h(1280, 4000);
  h.session.apply(ShowTab{"help"});
  h.settle();
  for (const char* word : {"Warp", "Sector", "Coalesced", "Occupancy", "Divergence"})
    EXPECT_TRUE(h.shows(word)) << word;
}

}  // namespace
