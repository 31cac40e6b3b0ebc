// By keys in figures, the pattern, menus, the generators; and from a matrix to an exported figure.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/ui/hands.hpp"
#include "ui/state/search.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

TEST(KeyboardPlaces, AFigureIsAStopAndItsMenuExportsIt) {
  Harness h;
  three_runs(h);
  ASSERT_TRUE(to_panel(h, "roofline"));
  press(h, {Key::tab});  // from the words above it to the figure
  const auto before = h.state().selected_run;
  press(h, {Key::left});
  press(h, {Key::left});
  EXPECT_NE(h.state().selected_run, before) << "the arrows go from run to run";
  press(h, {Key::menu});
  ASSERT_FALSE(h.items("Copy the numbers").empty());
  for (int k = 0; k < 3; ++k) press(h, {Key::down});  // behind what can be done with the run
  press(h, {Key::enter});
  EXPECT_EQ(h.state().dialog, "export");
  EXPECT_EQ(h.state().exporting.what, "roofline");
}

TEST(KeyboardPlaces, ArrowsMarkTheRowsOfABar) {
  Harness h;
  h.open("gen:laplace5?nx=20&ny=20");
  ASSERT_TRUE(to_panel(h, "rows"));
  const auto marks = [&] {
    press(h, {Key::right});
    return h.state().highlight.has_value();
  };
  ASSERT_TRUE(tab_until(h, marks));
  const index_t first = h.state().highlight->lo;
  press(h, {Key::right});
  EXPECT_GT(h.state().highlight->lo, first);
}

TEST(KeyboardPlaces, ThePatternHasACursor) {
  Harness h;
  h.open("gen:laplace5?nx=60&ny=60");
  ASSERT_TRUE(to_panel(h, "spy"));
  ASSERT_TRUE(press_until(h, {Key::tab}, [&] { return h.shows("row length"); })) << "the cell of the cursor tells";
  press(h, {Key::enter});
  ASSERT_TRUE(h.state().highlight);
  const index_t first = h.state().highlight->first;
  press(h, {Key::down});
  press(h, {Key::enter});
  ASSERT_TRUE(h.state().highlight);
  const index_t step = h.state().highlight->past - h.state().highlight->first;
  EXPECT_EQ(h.state().highlight->first, first + step) << "the next cell";
  press(h, {key('=')});
  const double once = h.state().current()->camera.row_px;
  EXPECT_FALSE(h.state().current()->camera.fit);
  press(h, {key('=')});
  EXPECT_NEAR(h.state().current()->camera.row_px / once, 1.25, 1e-9) << "the panel zooms, the command does not too";
  for (int k = 0; k < 12; ++k) press(h, {key('=')});
  press(h, {Key::home});
  ASSERT_TRUE(h.shows("row length"));
  EXPECT_FALSE(h.shows("not stored")) << "the first entry of the row";
  press(h, {key('F')});
  EXPECT_TRUE(h.state().current()->camera.fit) << "other keys are commands as ever";
  press(h, {Key::f10, false, true});
  ASSERT_FALSE(h.items("Copy what is here").empty());
  for (int k = 0; k < 2; ++k) press(h, {Key::down});  // behind the mark and the warp
  const auto actions = press(h, {Key::enter});
  const auto* copied = find_action<CopyText>(actions);
  ASSERT_TRUE(copied);
  EXPECT_NE(copied->text.find("row"), std::string::npos);
}

TEST(KeyboardPlaces, ARightClickOnThePatternIsAMenuAndADragABox) {
  Harness h;
  h.open("gen:laplace5?nx=60&ny=60");
  const Shown pattern = h.find("figure spy");
  const auto right = [&](float dx) {
    feed_mouse(pattern.x + pattern.w * 0.4f, pattern.y + pattern.h * 0.4f);
    h.frames(2);
    feed_button(1, true);
    h.frames(2);
    feed_mouse(pattern.x + pattern.w * 0.4f + dx, pattern.y + pattern.h * 0.4f + dx);
    h.frames(2);
    feed_button(1, false);
    h.frames(4);
  };
  right(60);
  EXPECT_TRUE(h.items("Show the whole matrix").empty());
  EXPECT_FALSE(h.state().current()->camera.fit);
  right(0);
  EXPECT_FALSE(h.items("Show the whole matrix").empty());
}

TEST(KeyboardPlaces, RecentFilesAreInTheMenuAndInTheSearch) {
  Harness h;
  h.open("gen:laplace5?nx=7&ny=9");
  h.session.apply(CloseMatrix{h.state().selected});
  h.settle();
  const auto hits = search(h.state(), commands(), "nx=7");
  EXPECT_TRUE(std::any_of(hits.begin(), hits.end(), [](const SearchHit& hit) { return hit.kind == "Recent"; }));
  press(h, {Key::f10});
  press(h, {Key::enter});
  const std::string item = "Open laplace5?nx=7&ny=9";
  ASSERT_FALSE(h.items(item).empty());
  press(h, {Key::up});  // the last item of the menu
  press(h, {Key::enter});
  h.settle();
  ASSERT_TRUE(h.state().current());
  EXPECT_EQ(h.state().current()->source, "gen:laplace5?nx=7&ny=9");
}

TEST(KeyboardPlaces, AKnobOfAGeneratorKeepsTheKeys) {
  Harness h;
  h.session.apply(ShowOpen{OpenWay::generate, "laplace5"});
  h.frames(4);
  ASSERT_TRUE(h.shows("gen:laplace5"));
  const auto turns = [&] {
    press(h, {Key::end});
    return h.shows("nx=");
  };
  ASSERT_TRUE(press_until(h, {Key::tab}, turns));
  press(h, {Key::home});
  EXPECT_FALSE(ImGui::GetIO().WantTextInput);
  EXPECT_TRUE(h.shows("nx=1") || h.shows("nx=2") || h.shows("nx=3"));
}

// What the afternoon of someone without a mouse begins with.
TEST(KeyboardPlaces, FromAGeneratorToAnExportedFigure) {
  namespace fs = std::filesystem;
  const fs::path file = fs::temp_directory_path() / ("warpspy_keyboard_" + std::to_string(::getpid()) + ".svg");
  Harness h;
  h.frames(2);
  // A matrix, from the action search.
  press(h, {key('P'), true, true});
  type(h, "laplace");
  press(h, {Key::enter});
  h.frames(4);
  ASSERT_EQ(h.state().dialog, "open");
  press(h, {Key::enter});
  h.settle();
  ASSERT_TRUE(h.state().has_matrix()) << "Enter generates";
  // The kernel, from its list.
  ASSERT_EQ(h.state().knobs.kernel, "csr_vector");
  ASSERT_TRUE(to_panel(h, "controls"));
  press(h, {Key::tab});
  type(h, "scal");
  press(h, {Key::enter});
  EXPECT_EQ(h.state().knobs.kernel, "csr_scalar");
  // The run.
  press(h, {Key::f5});
  h.settle();
  ASSERT_EQ(h.state().runs.all().size(), 1u);
  // The figure.
  press(h, {key('E'), true});
  ASSERT_EQ(h.state().dialog, "export");
  ASSERT_TRUE(press_until(h, {Key::tab}, [&] { return ImGui::GetIO().WantTextInput; })) << "the field of the path";
  press(h, {key('A'), true});
  type(h, file.string());
  press(h, {Key::enter});
  h.settle();
  EXPECT_TRUE(fs::exists(file));
  std::error_code ignored;
  fs::remove(file, ignored);
}

}  // namespace
