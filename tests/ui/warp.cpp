// The warp that is stepped through: shown, steered, failed, cancelled, and gone with its matrix.
#include "tests/ui/hands.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

WarpWanted row(index_t r) {
  WarpWanted wanted;
  wanted.row = r;
  return wanted;
}

void show(Harness& h, index_t r = 42) {
  h.session.apply(ShowWarp{row(r)});
  h.settle();
}

TEST(Warp, NothingYet) {
  Harness h;
  h.session.apply(ShowTab{"warp"});
  h.settle();
  EXPECT_TRUE(h.shows("No warp yet"));
  h.session.apply(ShowWarp{row(0)});  // no matrix: nothing happens
  h.settle();
  EXPECT_EQ(h.state().warp.matrix, 0u);
  h.open("gen:laplace5?nx=10&ny=10");
  h.session.apply(ShowTab{"warp"});
  h.settle();
  click_on(h, "Show the worst warp");
  h.settle();
  EXPECT_TRUE(h.shows("the worst of them"));
}

TEST(Warp, AskedForTwiceHasItsFigure) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=10");
  show(h);
  show(h);
  ASSERT_TRUE(h.state().warp.figure);
  EXPECT_TRUE(h.shows("step 1 of 4"));
}

TEST(Warp, AStepSaysWhatItsLanesAskFor) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=10");
  show(h);
  EXPECT_EQ(h.state().tab, "warp");
  EXPECT_TRUE(h.shows("the next run on"));
  EXPECT_TRUE(h.shows("modelled: reads row 43"));
  EXPECT_TRUE(h.shows("CSR vector, warp 1 of block 3"));
  EXPECT_TRUE(h.shows("step 1 of 4: load values, 32 lanes, 4 sectors of at least 4"));
  EXPECT_TRUE(h.shows("values[3]  (104, 4)"));  // rows and columns from 1, as in the pattern
  EXPECT_TRUE(h.shows("toy.hpp:10  ld(values, k)"));
  EXPECT_TRUE(h.shows("12 % of the blocks ran"));
  h.session.apply(SetWarpStep{1});
  h.settle();
  EXPECT_TRUE(h.shows("step 2 of 4"));
  EXPECT_TRUE(h.shows("ended"));
  EXPECT_TRUE(h.shows("so far: 2 instructions, 75"));
}

TEST(Warp, StepsOnAndBackByWhatIsChosen) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=10");
  show(h);
  const auto at = [&] { return h.state().warp.step; };
  click_on(h, "Next");
  h.settle();
  EXPECT_EQ(at(), 1u);
  click_on(h, "Back");
  h.settle();
  EXPECT_EQ(at(), 0u);
  h.session.apply(SetWarpStride{WarpStride::line});
  h.session.apply(StepWarp{true});
  EXPECT_EQ(at(), 2u);
  h.session.apply(StepWarp{false});
  EXPECT_EQ(at(), 1u);
  h.session.apply(SetWarpStep{1000});  // a place that is not there
  EXPECT_EQ(at(), 3u);
  h.session.apply(SetWarpStride{WarpStride::access});
  h.session.apply(PlayWarp{true});
  EXPECT_EQ(at(), 0u) << "from the beginning again";
  while (h.state().warp.playing) h.frames(1);
  EXPECT_EQ(at(), 3u);
}

// At the step where one sees what it was chosen for.
TEST(Warp, TheWorstOpensWhereThatIsSeen) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=10");
  WarpWanted wanted;
  wanted.by = WarpWanted::By::worst;
  wanted.measure = WarpMeasure::idle;
  h.session.apply(ShowWarp{wanted});
  h.settle();
  EXPECT_EQ(h.state().warp.step, 3u) << "one lane stores";
  wanted.measure = WarpMeasure::sectors;
  h.session.apply(ShowWarp{wanted});
  h.settle();
  EXPECT_EQ(h.state().warp.step, 0u);
  show(h);
  EXPECT_EQ(h.state().warp.step, 0u) << "a row's, from the beginning";
}

TEST(Warp, KeysStepAndAskForTheMarkedRow) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=10");
  h.session.apply(SetHighlight{.first = 7, .past = 8});
  h.settle();
  press(h, {key('W')});
  h.settle();
  EXPECT_TRUE(h.shows("reads row 8"));
  press(h, {key('.')});
  h.settle();
  EXPECT_EQ(h.state().warp.step, 1u);
  press(h, {key(',')});
  h.settle();
  EXPECT_EQ(h.state().warp.step, 0u);
}

TEST(Warp, AnotherKernelBesideIt) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=10");
  h.session.apply(ShowWarp{row(42), "csr_scalar"});
  h.settle();
  EXPECT_TRUE(h.shows("CSR vector, warp 1 of block 3"));
  EXPECT_TRUE(h.shows("CSR scalar, warp 1 of block 3"));
  ASSERT_EQ(h.state().warp.seen.size(), 2u);
  show(h);
  EXPECT_EQ(h.state().warp.seen.size(), 1u);
}

TEST(Warp, RowsAreMarkedAndStepsDraggedThrough) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  show(h);
  click_on(h, "Mark rows");
  h.settle();
  ASSERT_TRUE(h.state().highlight);
  EXPECT_EQ(h.state().highlight->first, 100);
  EXPECT_EQ(h.state().highlight->past, 132);
  // The picture of all steps lies at the foot of the view.
  const float x = h.find("Next").x;
  for (float y = 790; y > 500 && h.state().warp.step == 0; y -= 10) {
    feed_mouse(x + 300, y);
    h.frames(2);
    feed_button(0, true);
    h.frames(2);
    if (h.state().warp.step > 0) break;
    feed_button(0, false);
    h.frames(2);
  }
  EXPECT_GT(h.state().warp.step, 0u);
  feed_mouse(1270, 300);  // far outside, still held
  h.frames(2);
  EXPECT_EQ(h.state().warp.step, 3u);
  feed_button(0, false);
  h.frames(2);
  feed_mouse(x, 300);
  h.frames(2);
  EXPECT_EQ(h.state().warp.step, 3u) << "let go";
}

TEST(Warp, ACardSaysWhatALaneDoesAndWhatAStepIs) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  show(h);
  h.session.apply(SetWarpStep{1});
  h.settle();
  const float x = h.find("Next").x;
  const auto appears = [&](const std::string& words) {
    for (float y = 200; y < 790; y += 6) {
      feed_mouse(x + 20, y);
      h.frames(2);
      if (h.shows(words)) return true;
    }
    return false;
  };
  EXPECT_TRUE(appears("Lane 20: idle, ended"));
  EXPECT_TRUE(appears("Lane 3: load values[35]"));
  EXPECT_TRUE(h.shows("row 104, column 4, value 0.5"));
  EXPECT_TRUE(h.shows("nobody had asked for it before"));
  EXPECT_TRUE(appears("step 1 of 4: load values, 32 lanes"));
}

TEST(Warp, FailedCancelledAndGone) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=10");
  h.engine.fails = true;
  show(h);
  EXPECT_TRUE(h.shows("There is no warp to show: row 43 has no entries; choose another row"));
  EXPECT_FALSE(h.state().warp.trace);
  h.engine.fails = false;
  h.engine.holds = true;
  h.session.apply(ShowWarp{row(3)});
  while (!h.engine.warps) h.frames(2);
  h.frames(2);
  EXPECT_TRUE(h.shows("Looking for the warp"));
  ASSERT_TRUE(h.state().warp.job);
  h.session.apply(CancelJob{h.state().warp.job->id});
  h.settle();
  EXPECT_TRUE(h.shows("cancelled"));
  h.engine.holds = false;
  show(h);
  EXPECT_TRUE(h.state().warp.trace);
  h.session.apply(choose("theme", ThemeId::dark));
  h.settle();
  EXPECT_TRUE(h.shows("step 1 of 4"));
  h.session.apply(CloseMatrix{h.state().selected});
  h.settle();
  EXPECT_EQ(h.state().warp.matrix, 0u);
}

TEST(Warp, TheRowIsTypedAsThePatternCounts) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=10");
  show(h);
  const auto type = [&](const std::string& row) {
    click_on(h, "Row of the warp");
    press(h, {key('A'), true});
    ImGui::GetIO().AddInputCharactersUTF8(row.c_str());
    h.frames(2);
    press(h, {Key::enter});
    h.settle();
  };
  type("100");
  EXPECT_TRUE(h.shows("reads row 100"));
  EXPECT_EQ(h.state().warp.wanted.row, 99);
  type("101");
  EXPECT_TRUE(h.shows("\"101\" is no row of this matrix"));
  type("0");
  EXPECT_TRUE(h.shows("\"0\" is no row of this matrix"));
  EXPECT_EQ(h.state().warp.wanted.row, 99);
}

TEST(Warp, APatternsMenuOpensTheWarpOfAnEntry) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=10");
  h.session.apply(ShowTab{"matrix"});
  h.frames(6);
  const Shown spy = h.find("figure spy");
  // The first entry of the diagonal.
  feed_mouse(spy.x + spy.w / 2 - 0.45f * std::min(spy.w, spy.h), spy.y + spy.h / 2 - 0.45f * std::min(spy.w, spy.h));
  h.frames(2);
  feed_button(1, true);
  h.frames(2);
  feed_button(1, false);
  h.frames(4);
  click_on(h, "Show the warp of this entry");
  h.settle();
  EXPECT_EQ(h.state().warp.wanted.by, WarpWanted::By::entry);
  // On the diagonal, and counted from 1 in words.
  const WarpWanted& wanted = h.state().warp.wanted;
  EXPECT_EQ(wanted.row, wanted.column);
  const std::string place = std::to_string(wanted.row + 1);
  EXPECT_TRUE(h.shows("reads entry (" + place + ", " + place + ")"));
}

TEST(Warp, BesideThePatternItFollowsTheClick) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=10");
  show(h);
  Panes panes = h.state().panes;
  panes.beside = "matrix";
  h.session.apply(SetPanes{panes});
  h.frames(6);
  click_on(h, "figure spy");
  h.settle();
  ASSERT_TRUE(h.state().highlight);
  EXPECT_EQ(h.state().warp.wanted.row, h.state().highlight->first);
  EXPECT_NE(h.state().warp.wanted.row, 42);
}

TEST(Warp, AloneIsAskedForAndKept) {
  Harness h(1600, 900);
  h.open("gen:laplace5?nx=10&ny=10");
  show(h);
  EXPECT_FALSE(h.state().warp.wanted.alone);
  click_on(h, "alone");
  h.settle();
  EXPECT_TRUE(h.state().warp.wanted.alone);
  EXPECT_TRUE(h.shows("reads row 43"));
}

// What has no room goes on below, or scrolls.
TEST(Warp, SmallWindowsHaveAllOfIt) {
  struct Size {
    float width, height, scale;
  };
  for (const auto& [width, height, scale] :
       {Size{1280, 800, 1}, Size{1024, 768, 1}, Size{800, 600, 1}, Size{1280, 800, 1.75f}}) {
    SCOPED_TRACE(std::to_string(width) + " at " + std::to_string(scale));
    Harness h(width, height, scale);
    h.open("gen:laplace5?nx=10&ny=10");
    show(h);
    for (const char* words : {"no kernel beside it", "alone", "barrier", "SM over time", "values[3]"})
      EXPECT_TRUE(h.shows(words)) << words;
  }
}

// What is looked at is a warp of the run that is looked at.
TEST(Warp, FollowsTheRunThatWasMadeLast) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=10");
  h.session.apply(StartRun{});
  h.settle();
  show(h);
  const std::uint64_t before = h.state().warp.run;
  EXPECT_EQ(before, h.state().selected_run);
  h.open("gen:laplace5?nx=12&ny=12");
  h.session.apply(StartRun{});
  h.settle();
  EXPECT_NE(h.state().warp.run, before);
  EXPECT_EQ(h.state().warp.run, h.state().selected_run);
  EXPECT_EQ(h.state().warp.matrix, h.state().matrices[1].id);
  EXPECT_EQ(h.state().tab, "warp");
}

TEST(Warp, ARunThatWouldBeAnotherOneNowIsSaid) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=10");
  h.session.apply(StartRun{});
  h.settle();
  show(h);
  EXPECT_FALSE(h.shows("another version of the kernel"));
  h.catalog.sources[0].text += "more\n";
  show(h);
  EXPECT_TRUE(h.shows("this is a warp of the kernel as it is now"));
}

}  // namespace
