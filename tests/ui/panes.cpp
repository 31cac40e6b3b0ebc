// How the window is divided: splitters, folding, two tabs, layouts with names.
#include <unistd.h>

#include <filesystem>
#include <string>

#include "tests/ui/support.hpp"
#include "ui/services/desk/preferences.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

// Drags an item by pixels.
void drag(Harness& h, const std::string& item, float dx, float dy) {
  h.frames(2);
  const Shown s = h.find(item);
  const float x = s.x + s.w / 2, y = s.y + s.h / 2;
  feed_mouse(x, y);
  h.frames(3);
  feed_button(0, true);
  h.frames(1);
  for (int k = 1; k <= 4; ++k) {
    feed_mouse(x + dx * static_cast<float>(k) / 4, y + dy * static_cast<float>(k) / 4);
    h.frames(1);
  }
  feed_button(0, false);
  h.frames(2);
}

TEST(Panes, TextAndBack) {
  Panes p;
  p.workspace = false;
  p.left = 300;
  p.cuts["tabs"] = 0.25;
  p.beside = "runs";
  EXPECT_EQ(panes_of(to_text(p)), p);
  EXPECT_EQ(panes_of(to_text(Panes{})), Panes{});
}

TEST(Panes, TextThatIsNotUnderstoodIsLeftOut) {
  const Panes p = panes_of("workspace left x right 1e9 nonsense 7 cut tabs -3 beside");
  EXPECT_TRUE(p.workspace);
  EXPECT_FALSE(p.controls);
  EXPECT_EQ(p.left, Panes{}.left);
  EXPECT_EQ(p.beside, "");
  EXPECT_EQ(panes_of("right 1e9").right, kMostPanel);
  EXPECT_EQ(panes_of("cut tabs -3").cuts.at("tabs"), kLeastCut);
  EXPECT_EQ(panes_of("left nan").left, Panes{}.left);
}

TEST(Panes, EdgesOfPanelsAreDragged) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=10");
  drag(h, "left edge", 60, 0);
  EXPECT_NEAR(h.state().panes.left, Panes{}.left + 60, 1);
  drag(h, "right edge", -40, 0);
  EXPECT_NEAR(h.state().panes.right, Panes{}.right + 40, 1);
  drag(h, "left edge", -260, 0);
  EXPECT_FALSE(h.state().panes.workspace) << "drawn to nothing it folds";
}

TEST(Panes, SplittersOfTheFirstTabAreDragged) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=10");
  drag(h, "matrix.middle", 80, 0);
  EXPECT_GT(h.state().panes.cuts.at("matrix.middle"), 0.55);
  drag(h, "matrix.left", 0, -90);
  EXPECT_LT(h.state().panes.cuts.at("matrix.left"), 0.55);
  drag(h, "matrix.right", 0, 2000);
  EXPECT_EQ(h.state().panes.cuts.at("matrix.right"), 1 - kLeastCut) << "nothing goes away";
}

TEST(Panes, TwoTabsSideBySide) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=10");
  ASSERT_TRUE(perform("view.beside", h.state(), h.sink));
  for (const auto& a : h.sink.take()) h.session.apply(a);
  h.settle();
  EXPECT_EQ(h.state().panes.beside, "roofline");
  EXPECT_TRUE(h.shows("Pattern"));
  EXPECT_TRUE(h.shows("Points"));
  h.session.apply(ShowTab{"roofline"});
  h.settle();
  EXPECT_EQ(h.state().tab, "roofline");
  EXPECT_EQ(h.state().panes.beside, "matrix") << "the two change places";
  h.session.apply(ShowTab{"facts"});
  h.settle();
  EXPECT_EQ(h.state().panes.beside, "matrix");
  drag(h, "tabs edge", 100, 0);
  EXPECT_GT(h.state().panes.cuts.at("tabs"), 0.55);
}

TEST(Panes, EveryTabCanStandBesideEveryOther) {
  Harness h(1600, 900);
  h.open("gen:laplace5?nx=10&ny=10");
  h.open("gen:laplace5?nx=11&ny=11");
  for (const ViewRow* one : view_rows()) {
    if (one->place != Place::tab) continue;
    SCOPED_TRACE(one->id);
    for (const char* other : {"matrix", "compare", "matrices", "formats"}) {
      h.session.apply(ShowTab{one->id});
      Panes next = h.state().panes;
      next.beside = other;
      h.session.apply(SetPanes{next});
      h.settle();
      EXPECT_NE(h.state().tab, h.state().panes.beside);
    }
  }
}

TEST(Panes, AreAStepOfUndo) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=10");
  Panes next = h.state().panes;
  next.left = 300;
  h.session.apply(SetPanes{next});
  h.session.apply(Undo{});
  EXPECT_EQ(h.state().panes, Panes{});
}

TEST(Layouts, AreSavedChosenAndDeleted) {
  Harness h;
  h.session.apply(ShowTab{"roofline"});
  Panes panes;
  panes.workspace = false;
  panes.beside = "runs";
  h.session.apply(SetPanes{panes});
  h.session.apply(ShowDialog{"layouts"});
  h.frames(4);
  for (const char c : std::string("side")) ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(c));
  h.frames(3);
  feed_chord({Key::enter}, true);
  h.frames(2);
  feed_chord({Key::enter}, false);
  h.frames(2);
  ASSERT_EQ(h.state().settings.layouts.size(), 1u);
  EXPECT_EQ(h.state().settings.layouts[0], (Layout{"side", "roofline", panes}));
  EXPECT_TRUE(h.shows("Roofline beside Runs, workspace folded"));
  h.session.apply(SetPanes{});
  h.session.apply(ShowTab{"matrix"});
  const auto frame = [&] { h.frames(1); };
  click_at(h.find("side"), frame);
  EXPECT_EQ(h.state().panes, panes);
  EXPECT_EQ(h.state().tab, "roofline");
  EXPECT_EQ(h.state().dialog, "");
}

TEST(Layouts, AreKeptWithThePreferences) {
  const auto file =
      std::filesystem::temp_directory_path() / ("warpspy_layouts_" + std::to_string(::getpid()) + ".json");
  Preferences p;
  p.settings.layouts = {{"one", "runs", panes_of("controls left 250")}, {"two", "matrix", {}}};
  save_preferences(file.string(), p);
  EXPECT_EQ(load_preferences(file.string()), p);
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
}

}  // namespace
