// One selection, knobs of a matrix, matrices side by side, the roofline with many runs.
#include <algorithm>
#include <cmath>
#include <string>

#include "tests/ui/hands.hpp"
#include "ui/commands/commands.hpp"
#include "ui/state/desk_words.hpp"
#include "ui/state/zoom.hpp"
#include "ui/views/roofline_panel.hpp"
#include "ui/views/spy_panel.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

constexpr const char* grid = "gen:laplace5?nx=20&ny=20";
constexpr const char* other = "gen:random?rows=400&cols=400&per_row=3";
constexpr const char* large = "gen:laplace5?nx=60&ny=50";

void run(Harness& h) {
  h.session.apply(StartRun{});
  h.settle();
}

MatrixId id_of(const Harness& h, const std::string& source) {
  for (const auto& m : h.state().matrices)
    if (m.source == source) return m.id;
  ADD_FAILURE() << source;
  return 0;
}

// What is selected is what is shown.
void expect_agreement(const Harness& h) {
  const auto r = h.state().run(h.state().selected_run);
  if (!r || !h.state().current()) return;
  EXPECT_EQ(r->request.matrix, h.state().current()->source);
}

TEST(Selection, ARunShowsItsMatrixAndAMatrixItsNewestRun) {
  Harness h;
  h.open(grid);
  run(h), run(h);
  h.open(other);
  EXPECT_EQ(h.state().selected_run, 0u) << "nothing was run on it yet";
  run(h);
  expect_agreement(h);
  h.session.apply(SelectRun{1});
  EXPECT_EQ(h.state().current()->source, grid);
  EXPECT_EQ(h.state().selected_run, 1u);
  h.session.apply(SelectMatrix{id_of(h, other)});
  EXPECT_EQ(h.state().selected_run, 3u);
  h.session.apply(SelectMatrix{id_of(h, grid)});
  EXPECT_EQ(h.state().selected_run, 2u) << "the newest";
  h.session.apply(RemoveRun{2});
  EXPECT_EQ(h.state().selected_run, 1u) << "the newest of this matrix that is left, not of another";
  h.session.apply(CloseMatrix{id_of(h, grid)});
  expect_agreement(h);
}

TEST(Selection, ComparedRunsShowTheMatrixOfTheLast) {
  Harness h;
  h.open(grid);
  run(h);
  h.open(other);
  run(h);
  h.session.apply(CompareRuns{{2, 1}});
  expect_agreement(h);
  EXPECT_EQ(h.state().current()->source, grid);
  EXPECT_TRUE(h.state().comparison) << "showing it does not end the comparison";
  h.session.apply(SelectMatrix{id_of(h, other)});
  EXPECT_EQ(h.state().selected_run, 2u) << "the compared run of that matrix";
  EXPECT_TRUE(h.state().comparison);
}

TEST(Selection, ARunThatEndsAfterItsMatrixWasLeftIsNotSelected) {
  Harness h;
  h.open(other);
  h.open(grid);
  h.session.apply(StartRun{});
  h.session.apply(SelectMatrix{id_of(h, other)});
  h.settle();
  ASSERT_EQ(h.state().runs.all().size(), 1u);
  EXPECT_EQ(h.state().selected_run, 0u);
  expect_agreement(h);
}

TEST(Selection, KnobsBelongToAMatrixOrSayWhoseTheyWere) {
  Harness h;
  h.open(grid);
  h.session.apply(SetParam{SetParam::Of::kernel, "coop", 32});
  h.open(other);
  EXPECT_EQ(request_of(h.state(), *h.state().current()).params.at("coop"), 32) << "carried over";
  h.frames(3);
  EXPECT_TRUE(h.shows("Carried over from"));
  h.session.apply(SetParam{SetParam::Of::kernel, "coop", 2});
  h.frames(3);
  EXPECT_FALSE(h.shows("Carried over from")) << "now they are its own";
  h.session.apply(SelectMatrix{id_of(h, grid)});
  EXPECT_EQ(request_of(h.state(), *h.state().current()).params.at("coop"), 32);
  h.frames(3);
  EXPECT_FALSE(h.shows("Carried over from"));
  h.session.apply(SelectMatrix{id_of(h, other)});
  EXPECT_EQ(request_of(h.state(), *h.state().current()).params.at("coop"), 2);
  h.open(large);
  h.session.apply(ResetKnobs{});
  EXPECT_EQ(request_of(h.state(), *h.state().current()).params.at("coop"), 8) << "as it is by default";
  h.frames(3);
  EXPECT_FALSE(h.shows("Carried over from"));
}

TEST(Selection, AClickOnThePatternMarksRowsEverywhere) {
  Harness h(900, 700);
  h.open(large);
  SpyPanel spy;
  const auto frame = [&] { return h.panel([&](Ui& ui) { spy.draw(h.state(), ui, ImGui::GetContentRegionAvail()); }); };
  frame();
  const plot::Rect v = spy.view();
  const auto click = [&](double x, double y) {
    feed_mouse(static_cast<float>(x), static_cast<float>(y));
    frame(), frame();
    feed_button(0, true);
    frame();
    feed_button(0, false);
    frame();
    h.settle();
  };
  click(v.x + v.w / 2, v.y + v.h / 2);
  ASSERT_TRUE(h.state().highlight && h.state().highlight->rows);
  const Highlight marked = *h.state().highlight;
  EXPECT_EQ(marked.rows->size(), marked.past - marked.first);
  EXPECT_LE(marked.first, 1500);
  EXPECT_GE(marked.past, 1499);
  // Again takes the marks off; a double click shows the whole matrix and marks nothing.
  for (int k = 0; k < 30; ++k) frame();
  click(v.x + v.w / 2, v.y + v.h / 2);
  EXPECT_FALSE(h.state().highlight);
}

TEST(Selection, NextMarkedRowGoesRoundAndEachIsInView) {
  Harness h;
  h.open("gen:laplace5?nx=300&ny=300");
  h.session.apply(SetHighlight{3, 4});  // the four corners of the grid: four rows in 90,000
  h.settle();
  ASSERT_EQ(h.state().highlight->rows->size(), 4);
  std::vector<index_t> seen;
  for (int k = 0; k < 5; ++k) {
    press(h, {key('N')});
    seen.push_back(static_cast<index_t>(std::floor(h.state().current()->camera.row)));
  }
  EXPECT_EQ(seen, (std::vector<index_t>{0, 299, 89700, 89999, 0}));
  press(h, {Key::escape});
  EXPECT_FALSE(h.state().highlight);
}

TEST(Selection, AnArrayOfTrafficIsMarked) {
  Harness h;
  h.open(grid);
  run(h);
  h.session.apply(ShowTab{"traffic"});
  h.frames(4);
  click_at(h.find("values"), [&] { h.frames(1); });
  EXPECT_EQ(h.state().array, "values");
  click_at(h.find("csr_vector.hpp:41"), [&] { h.frames(1); });
  EXPECT_EQ(h.state().line, "csr_vector.hpp:41");
  EXPECT_EQ(h.state().array, "values") << "both can be";
  run(h);
  h.session.apply(SelectRun{1});
  EXPECT_EQ(h.state().array, "") << "of another run";
}

TEST(RowMask, FindsTheNextMember) {
  Harness h;
  h.open(grid);
  const Csr& a = *h.state().current()->matrix->csr;
  const auto corners = RowMask::of_lengths(a, 3, 4);
  EXPECT_EQ(corners->next(0), 0);
  EXPECT_EQ(corners->next(1), 19);
  EXPECT_EQ(corners->next(20), 380);
  EXPECT_EQ(corners->next(399), 399);
  const auto range = RowMask::of_rows(a, 63, 66);
  EXPECT_EQ(range->size(), 3);
  for (index_t row = 0; row <= 65; ++row) EXPECT_EQ(range->next(row), std::max<index_t>(row, 63));
  EXPECT_EQ(range->next(66), -1);
}

TEST(Messages, AnErrorGoesWithItsMatrix) {
  Harness h;
  h.open("/nowhere/at-all.mtx");
  ASSERT_EQ(h.state().messages.back().kind, Message::Kind::error);
  const std::size_t before = h.state().messages.size();
  EXPECT_TRUE(h.shows("at-all.mtx"));
  const std::size_t unread = h.state().unread;
  h.session.apply(CloseMatrix{h.state().selected});
  h.settle();
  EXPECT_EQ(h.state().messages.size(), before - 1);
  EXPECT_EQ(h.state().unread, unread - 1);
  EXPECT_FALSE(h.shows("at-all.mtx"));
}

TEST(Fold, TheLimitIsInSightWithoutScrolling) {
  Harness h(1280, 800);
  h.open(grid);
  run(h);
  h.frames(6);
  const auto at =
      std::find_if(h.shown.begin(), h.shown.end(), [](const Shown& s) { return s.words.starts_with("Limit: "); });
  ASSERT_NE(at, h.shown.end());
  EXPECT_LE(at->y + at->h, h.find("Run (F5)").y) << "above the button";
}

TEST(Fold, ARunOfASearchHasNoAbsurdNumber) {
  Harness h;
  h.open(grid);
  h.session.apply(StartTuning{});
  h.settle();
  h.session.apply(SelectRun{kUnsaved});
  for (const char* tab : {"matrix", "traffic", "memory", "roofline", "runs"}) {
    h.session.apply(ShowTab{tab});
    h.frames(4);
    EXPECT_FALSE(h.shows("10995116277")) << tab;
  }
}

TEST(Traffic, TellsPaddingFromEntries) {
  Harness h;
  h.open(grid);
  run(h);
  h.session.apply(ShowTab{"traffic"});
  h.frames(4);
  // 1280 bytes of 40 sectors, a quarter of them padding; of source lines it is not known.
  EXPECT_TRUE(h.shows("75 %"));
  EXPECT_TRUE(h.shows("25 %"));
  EXPECT_TRUE(h.shows("efficiency"));
  EXPECT_FALSE(h.shows("used")) << "arrays and lines say it in one word";
}

TEST(Traffic, TellsTheLimitWhereNothingCameFromDram) {
  Harness h;
  h.open(grid);
  run(h);
  RunRecord r = *h.state().runs.all().back();
  ASSERT_EQ(r.counters[0].id, "dram_bytes");
  h.session.apply(ShowTab{"traffic"});
  h.frames(4);
  EXPECT_TRUE(h.shows("limit"));
  const auto* nearest = h.state().nearest_roof(r.id);
  ASSERT_NE(nearest, nullptr);
  for (const auto& p : h.state().points->at(r.id))
    EXPECT_LE(p.gflops / std::max(1e-9, p.roof_gflops), nearest->gflops / nearest->roof_gflops + 1e-12);
}

class Compare : public testing::Test {
 protected:
  Compare() {
    h.open(grid);
    run(h);
    h.open(other);
    run(h);
    h.session.apply(CompareMatrices{id_of(h, grid), id_of(h, other)});
    h.settle();
  }
  Harness h;
};

TEST_F(Compare, ShowsBothInOneTable) {
  EXPECT_EQ(h.state().tab, "compare");
  for (const char* words : {"Row lengths of both", "Formats and runs of both", "CSR vector, f32", "ELLPACK", "size"})
    EXPECT_TRUE(h.shows(words)) << words;
  ASSERT_NE(h.state().both_lengths, nullptr);
  EXPECT_EQ(h.state().both_lengths->series.size(), 2u);
  const auto [left, right] = h.state().compared();
  EXPECT_EQ(left->source, grid);
  EXPECT_EQ(right->source, other);
}

TEST_F(Compare, ZoomIsLinkedWhereSizesAgree) {
  const MatrixId a = id_of(h, grid), b = id_of(h, other);  // both 400 x 400
  const Camera c = go_to(Camera{}, 100, 100, 4);
  h.session.apply(SetCamera{b, c});
  EXPECT_EQ(h.state().matrix(a)->camera, c);
  h.open(large);
  h.session.apply(CompareMatrices{a, id_of(h, large)});
  h.session.apply(SetCamera{a, Camera{}});
  h.session.apply(SetCamera{id_of(h, large), c});
  EXPECT_EQ(h.state().matrix(a)->camera, Camera{}) << "of another size";
  h.session.apply(ShowTab{"matrix"});
  h.session.apply(SetCamera{b, Camera{}});
  EXPECT_EQ(h.state().matrix(a)->camera, Camera{}) << "only side by side";
}

TEST_F(Compare, TakingBackMovesOnlyTheCameraThatTheStepMoved) {
  const MatrixId a = id_of(h, grid), b = id_of(h, other);  // both 400 x 400, so their zoom is linked
  const Camera there = go_to(Camera{}, 100, 100, 4), elsewhere = go_to(Camera{}, 300, 300, 8);
  h.session.apply(ShowTab{"matrix"});
  h.session.apply(SetCamera{a, there});
  h.session.apply(SetCamera{b, elsewhere});
  h.session.apply(SelectMatrix{a});
  h.session.apply(ShowTab{"compare"});
  h.session.end_step();
  h.session.next_frame();
  h.session.apply(choose("pattern cells", Aspect::stretch));  // which shows the whole of the selected one
  ASSERT_EQ(h.state().matrix(a)->camera, Camera{});
  h.session.apply(Undo{});
  EXPECT_EQ(h.state().matrix(a)->camera, there);
  EXPECT_EQ(h.state().matrix(b)->camera, elsewhere);
}

TEST_F(Compare, OneKeyLeavesItAndNothingStaysDimmed) {
  h.session.apply(CompareRuns{{1, 2}});
  h.settle();
  ASSERT_FALSE(h.state().roofline->arrows.empty());
  press(h, {Key::escape});
  EXPECT_EQ(h.state().left, 0u);
  EXPECT_TRUE(h.state().comparing.empty());
  EXPECT_EQ(h.state().tab, "matrix");
  EXPECT_TRUE(h.state().roofline->arrows.empty());
  for (const auto& s : h.state().roofline->series) EXPECT_FALSE(!s.ids.empty() && s.faint) << "a mark is still pale";
}

TEST_F(Compare, AClosedMatrixEndsIt) {
  h.session.apply(CloseMatrix{id_of(h, grid)});
  h.settle();
  EXPECT_EQ(h.state().left, 0u);
  EXPECT_FALSE(h.shows("Formats and runs of both"));
}

TEST_F(Compare, CtrlClickInTheWorkspacePutsTwoSideBySide) {
  h.session.apply(LeaveComparison{});
  h.session.apply(SelectMatrix{id_of(h, grid)});
  h.frames(3);
  const std::string name = h.state().matrix(id_of(h, other))->name;
  feed_chord({Key::none, true}, true);
  click_at(h.find(name), [&] { h.frames(1); });
  feed_chord({Key::none, true}, false);
  h.settle();
  EXPECT_EQ(h.state().left, id_of(h, grid));
  EXPECT_EQ(h.state().right, id_of(h, other));
}

class ManyRuns : public testing::Test {
 protected:
  ManyRuns() {
    for (const char* source : {grid, other, large}) {
      h.open(source);
      run(h);
    }
  }
  std::size_t runs_shown() const { return roofline_runs(h.state(), false).size(); }
  void show(RooflineSettings settings) {
    h.session.apply(choose("roofline shows", name_of(settings.runs)));
    h.session.apply(choose("roofline colours", settings.color));
    h.session.apply(choose("roofline zoom", to_text(settings.view)));
    h.settle();
  }
  Harness h;
};

TEST_F(ManyRuns, ShowsRunsOfThisMatrixTheSelectionOrAll) {
  EXPECT_EQ(runs_shown(), 1u);
  show({.runs = RooflineSettings::Runs::all});
  EXPECT_EQ(runs_shown(), 3u);
  show({.runs = RooflineSettings::Runs::selected});
  EXPECT_EQ(runs_shown(), 1u);
  h.session.apply(CompareRuns{{1, 2}});
  EXPECT_EQ(runs_shown(), 2u);
}

TEST_F(ManyRuns, PointsNameTheMatrix) {
  show({.runs = RooflineSettings::Runs::all});
  h.session.apply(ShowTab{"roofline"});
  h.frames(4);
  EXPECT_TRUE(h.shows("matrix"));
  for (const auto& m : h.state().matrices) EXPECT_TRUE(h.shows(m.name.substr(0, 7))) << m.name;
  EXPECT_TRUE(h.shows("Colour by"));
}

TEST_F(ManyRuns, WheelDragAndDoubleClick) {
  RooflinePanel panel;
  const auto frame = [&] {
    h.session.update();
    return h.panel([&](Ui& ui) { panel.draw(h.state(), ui, ImGui::GetContentRegionAvail()); });
  };
  frame(), frame();
  const plot::Rect area = panel.layout().area;
  const plot::Point p{area.x + area.w * 0.8, area.y + area.h * 0.8};
  feed_mouse(static_cast<float>(p.x), static_cast<float>(p.y));
  frame(), frame();
  const double x = panel.layout().x_of(p.x), y = panel.layout().y_of(p.y);
  const double span = panel.layout().x.max / panel.layout().x.min;
  feed_wheel(3);
  frame(), frame(), frame();
  ASSERT_TRUE(h.state().roofline_settings.view);
  EXPECT_LT(panel.layout().x.max / panel.layout().x.min, span);
  EXPECT_NEAR(std::log10(panel.layout().x_of(p.x) / x), 0, 0.02) << "what is below the cursor stays there";
  EXPECT_NEAR(std::log10(panel.layout().y_of(p.y) / y), 0, 0.02);  // labels above the area may come or go
  const double lo = panel.layout().x.min;
  feed_button(0, true);
  frame();
  feed_mouse(static_cast<float>(p.x) - 40, static_cast<float>(p.y));
  frame(), frame();
  feed_button(0, false);
  frame(), frame();
  EXPECT_GT(panel.layout().x.min, lo) << "dragged to the left";
  ActionSink out;
  ASSERT_TRUE(perform("view.back", h.state(), out));
  for (const auto& a : out.take()) h.session.apply(a);
  EXPECT_FALSE(h.state().roofline_settings.view);
}

TEST_F(ManyRuns, TheMinimumIsThatOfTheSelectedRunsFormat) {
  h.session.apply(choose("format", "ell"));
  h.settle();
  const auto minimum = minimum_of(h.state());
  ASSERT_TRUE(minimum);
  EXPECT_EQ(minimum->label, "CSR minimum") << "the run is one of CSR, whatever is looked at in Formats";
}

TEST(Zoom, KeepsWithinReason) {
  plot::Layout layout;
  layout.area = {0, 0, 100, 100};
  layout.x.scale = layout.y.scale = plot::Scale::log10;
  layout.x.min = layout.y.min = 1, layout.x.max = layout.y.max = 100;
  const RoofView in = zoom_at(layout, {50, 50}, 1e9), out = zoom_at(layout, {50, 50}, 1e-9);
  EXPECT_NEAR(in.x1 / in.x0, std::pow(10, 0.25), 1e-6);
  EXPECT_NEAR(std::log10(out.y1 / out.y0), 16, 1e-6);
  EXPECT_NEAR(std::sqrt(in.x0 * in.x1), 10, 1e-6);
  const RoofView moved = pan(layout, 50, 0);
  EXPECT_NEAR(moved.x0, 0.1, 1e-9);
  EXPECT_NEAR(moved.y1, 100, 1e-9);
}

}  // namespace
