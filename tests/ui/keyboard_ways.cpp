// By keys: where Tab goes on, arrows between controls, scrolling, words that explain themselves, a mouse that rests.
#include <string>

#include "core/catalog/terms.hpp"
#include "tests/ui/hands.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

std::string panel_of(const Harness& h) { return h.shell->focus().panel_now(); }

TEST(KeyboardWays, TabGoesOnInTheTabThatWasAskedFor) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  press(h, {key('3'), true});
  press(h, {Key::tab});
  EXPECT_EQ(panel_of(h), "formats");
  press(h, {key('1'), true});
  EXPECT_EQ(panel_of(h), "tabs") << "what had the keys went with its tab";
  ASSERT_TRUE(to_panel(h, "controls"));
  press(h, {key('4'), true});
  EXPECT_EQ(panel_of(h), "controls") << "a knob keeps the keys while tabs change";
}

TEST(KeyboardWays, ArrowsGoThroughTheWorkspace) {
  Harness h;
  three_runs(h);
  ASSERT_TRUE(to_panel(h, "workspace"));
  for (int k = 0; k < 3; ++k) press(h, {Key::down});  // by the matrix and its newest run
  press(h, {Key::enter});
  EXPECT_EQ(h.state().selected_run, 2u);
  for (int k = 0; k < 2; ++k) press(h, {Key::up});
  press(h, {Key::right});  // its cross
  press(h, {Key::enter});
  EXPECT_TRUE(h.state().matrices.empty());
}

TEST(KeyboardWays, ArrowsGoFromExampleToExample) {
  Harness h;
  h.session.apply(ShowDialog{"welcome"});
  h.settle();
  press(h, {Key::tab});
  press(h, {Key::right}), press(h, {Key::right});
  const auto actions = press(h, {Key::enter});
  const auto* opened = find_action<OpenSource>(actions);
  ASSERT_TRUE(opened);
  EXPECT_NE(opened->source.find("arrow"), std::string::npos);
  h.settle();
}

TEST(KeyboardWays, HelpScrolls) {
  Harness h;
  press(h, {Key::f1});
  const std::string last = terms().back().text;
  ASSERT_FALSE(h.shows(last));
  press(h, {Key::end});
  EXPECT_TRUE(h.shows(last));
  press(h, {Key::home});
  EXPECT_FALSE(h.shows(last));
  EXPECT_TRUE(press_until(h, {Key::page_down}, [&] { return h.shows(last); }));
  EXPECT_TRUE(press_until(h, {Key::up}, [&] { return !h.shows(last); }));
}

TEST(KeyboardWays, WordsExplainThemselves) {
  Harness h;
  h.engine.tells_bounds = true;
  h.open("gen:laplace5?nx=60&ny=60");
  h.session.apply(SetKernel{"csr_scalar"});
  h.session.apply(StartRun{});
  h.settle();
  h.session.apply(ShowTab{"diagnosis"});
  h.settle();
  ASSERT_TRUE(h.shows("Words:"));
  ASSERT_TRUE(to_panel(h, "diagnosis"));
  EXPECT_TRUE(press_until(h, {Key::tab}, [&] { return h.shows(term("latency")->text, Shown::Kind::tip); }));
}

TEST(KeyboardWays, TheWarpStepsByArrowsAndSignsAreNoLetters) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=10");
  WarpWanted wanted;
  wanted.row = 42;
  h.session.apply(ShowWarp{wanted});
  h.settle();
  ASSERT_TRUE(to_panel(h, "warp"));
  press(h, {Key::tab});  // from the field to the list of warps
  press(h, {key('.')});
  EXPECT_EQ(h.state().warp.step, 1u);
  const auto steps = [&] {
    press(h, {Key::right});
    return h.state().warp.step == 2;
  };
  EXPECT_TRUE(tab_until(h, steps));
  press(h, {Key::end});
  EXPECT_EQ(h.state().warp.step + 1, h.state().warp.trace->steps.size());
  press(h, {Key::home});
  EXPECT_EQ(h.state().warp.step, 0u);
}

TEST(KeyboardWays, EnterBuildsAFormatAndItsMenuReleasesIt) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  h.session.apply(ShowTab{"formats"});
  h.settle();
  const auto builds = [&] {
    press(h, {Key::enter});
    h.settle();
    return !h.state().current()->built.empty();
  };
  ASSERT_TRUE(to_panel(h, "formats"));
  ASSERT_TRUE(tab_until(h, builds));
  press(h, {Key::f10, false, true});
  ASSERT_FALSE(h.items("Release its memory").empty());
  press(h, {Key::enter});
  h.settle();
  EXPECT_TRUE(h.state().current()->built.empty());
}

TEST(KeyboardWays, AMouseThatRestsMarksNothing) {
  Harness h;
  h.session.apply(ShowDialog{"commands"});
  h.settle();
  ASSERT_GE(h.items("Generate a matrix...").size(), 1u);
  point_at(h.items("Generate a matrix...").front());
  h.frames(3);
  const auto tips = [&] { return h.shows("", Shown::Kind::tip); };
  ASSERT_TRUE(tips());
  press(h, {Key::down});
  EXPECT_FALSE(tips());
  feed_mouse(400, 300);
  h.frames(2);
  point_at(h.items("Generate a matrix...").front());
  h.frames(3);
  EXPECT_TRUE(tips()) << "once it moves it is back";
}

}  // namespace
