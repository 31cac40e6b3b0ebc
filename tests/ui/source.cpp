// The kernel's source with the traffic of a run in its margin: in Traffic, and beside the warp.
#include "tests/ui/hands.hpp"
#include "tests/ui/support.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

constexpr const char* grid = "gen:laplace5?nx=20&ny=20";

void run(Harness& h) {
  h.session.apply(StartRun{});
  h.settle();
}
TEST(Source, TrafficShowsThePageAndWhoseNumbersTheyAre) {
  Harness h(1280, 1600);
  h.open(grid);
  h.session.apply(ShowTab{"traffic"});
  h.frames(4);
  EXPECT_TRUE(h.shows("No run selected"));
  EXPECT_FALSE(h.shows("vector_line_41"));
  run(h);
  h.frames(4);
  EXPECT_TRUE(h.shows("vector_line_41"));
  EXPECT_TRUE(h.shows("Modelled: every access that the emulator saw."));
  EXPECT_TRUE(h.shows("sectors/request"));
  EXPECT_TRUE(h.shows("idle lanes"));
  h.engine.fails = true;
  run(h);
  EXPECT_TRUE(h.shows("This run failed"));
  EXPECT_FALSE(h.shows("vector_line_41"));
}

TEST(Source, ALineMarksItsArrays) {
  Harness h(1280, 1600);
  h.open(grid);
  run(h);
  h.session.apply(ShowTab{"traffic"});
  h.frames(4);
  EXPECT_TRUE(marked_arrays(h.state()).empty());
  click_on(h, "##csr_vector.hpp:41");
  EXPECT_EQ(h.state().line, "csr_vector.hpp:41");
  EXPECT_EQ(marked_arrays(h.state()), (std::vector<std::string>{"values", "x"}));
  click_on(h, "##csr_vector.hpp:41");
  EXPECT_EQ(h.state().line, "") << "and takes the mark off again";
}

TEST(Source, ARunOfAnotherSourceIsSaid) {
  Harness h(1280, 1600);
  h.open(grid);
  h.catalog.sources[0].text += "more\n";
  run(h);
  h.session.apply(ShowTab{"traffic"});
  h.frames(4);
  EXPECT_TRUE(h.shows("made by another version of the kernel"));
}

TEST(Source, BesideTheWarpItFollowsTheStep) {
  Harness h;
  h.open(grid);
  h.session.apply(SetWarpView{WarpView::source});
  WarpWanted wanted;
  wanted.row = 42;
  h.session.apply(ShowWarp{wanted});
  h.settle();
  EXPECT_TRUE(h.shows("toy_line_10"));
  h.session.apply(GoToLine{"toy.hpp:30"});
  h.settle();
  EXPECT_EQ(h.state().warp.step, 3u);
  EXPECT_TRUE(h.shows("toy_line_30"));
  h.session.apply(GoToLine{"toy.hpp:10"});
  h.settle();
  EXPECT_EQ(h.state().warp.step, 0u);
  ASSERT_TRUE(h.state().highlight);
  EXPECT_EQ(h.state().highlight->first, 100);
  EXPECT_EQ(h.state().highlight->past, 132);
  h.session.apply(GoToLine{"nowhere.hpp:1"});
  EXPECT_EQ(h.state().warp.step, 0u);
}

TEST(Source, TheAxisOfTimeIsSaidToBeModelled) {
  Harness h;
  h.open(grid);
  WarpWanted wanted;
  wanted.row = 42;
  h.session.apply(ShowWarp{wanted});
  h.settle();
  EXPECT_FALSE(h.state().warp.figure->warps.empty());
  h.session.apply(SetWarpView{WarpView::axis});
  h.settle();
  ASSERT_TRUE(h.state().warp.figure->warps.empty());
  EXPECT_TRUE(h.shows("2 warps on the SM"));
  EXPECT_TRUE(h.shows("modelled: waits are the latencies of the time model"));
  EXPECT_TRUE(h.shows("at step 0: 1 issuing, 1 ready"));
}

}  // namespace
