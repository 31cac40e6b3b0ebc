// One selection where two are compared: a curve of row lengths, a column of the table of differences.
#include <string>

#include "tests/ui/hands.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

constexpr const char* grid = "gen:laplace5?nx=20&ny=20";
constexpr const char* other = "gen:powerlaw?rows=400";

class BothLengths : public testing::Test {
 protected:
  BothLengths() {
    h.open(grid);
    h.open(other);
    left = h.state().matrices[0].id, right = h.state().matrices[1].id;
    h.session.apply(CompareMatrices{left, right});
    h.settle();
  }
  bool marks(MatrixId id) const {
    const auto& mark = h.state().highlight;
    return h.state().selected == id && mark && mark->hi == mark->lo + 1;
  }
  Harness h;
  MatrixId left = 0, right = 0;
};

TEST_F(BothLengths, AClickOnACurveMarksTheRowsInItsMatrix) {
  for (const MatrixId id : {left, right}) {
    ASSERT_TRUE(click_until(h, of_figure(h, "both_lengths"), 9, [&] {
      h.settle();
      return marks(id);
    })) << id;
    EXPECT_GT(h.state().highlight->rows->size(), 0) << "such rows are there";
    EXPECT_EQ(h.state().tab, "compare");
    EXPECT_EQ(h.state().left, left) << "the comparison stays";
  }
}

TEST_F(BothLengths, ArrowsGoFromLengthToLengthAndToTheOtherMatrix) {
  ASSERT_TRUE(to_panel(h, "compare"));
  const MatrixId first = h.state().selected, second = first == left ? right : left;
  const auto to_figure = [&] {
    press(h, {Key::right});
    h.settle();
    return marks(first);
  };
  ASSERT_TRUE(tab_until(h, to_figure));
  const index_t length = h.state().highlight->lo;
  press(h, {Key::right});
  h.settle();
  EXPECT_GT(h.state().highlight->lo, length);
  press(h, {Key::down});
  h.settle();
  EXPECT_TRUE(marks(second));
}

TEST_F(BothLengths, StayTwoThoughNobodyChoseThem) {
  h.session.apply(CompareMatrices{});
  h.settle();
  const auto [a, b] = h.state().compared();
  ASSERT_TRUE(a && b);
  const MatrixId shown = a->id, beside = b->id;
  ASSERT_TRUE(to_panel(h, "compare"));
  ASSERT_TRUE(tab_until(h, [&] {
    press(h, {Key::down});
    h.settle();
    return marks(beside);
  }));
  EXPECT_EQ(h.state().left, shown);
  EXPECT_EQ(h.state().right, beside);
}

// The pattern of the current matrix has no menu here, so that both begin at one height and have one size.
TEST(Compared, PatternsAreAlike) {
  for (const float width : {1280.f, 1024.f}) {
    Harness small(width, 800);
    small.open(grid);
    small.open("gen:powerlaw?rows=40000");
    small.session.apply(CompareMatrices{small.state().matrices[0].id, small.state().matrices[1].id});
    small.settle();
    small.frames(4);
    const auto spies = small.items("figure spy");
    ASSERT_EQ(spies.size(), 2u) << width;
    EXPECT_EQ(spies[0].y, spies[1].y);
    EXPECT_EQ(spies[0].w, spies[1].w);
    EXPECT_EQ(spies[0].h, spies[1].h);
    EXPECT_TRUE(small.shows("40,000 \xC3\x97 40,000")) << "the size is whole";
  }
}

TEST(Differences, ItsWarningIsWholeAndTheSwitchIsOn) {
  Harness h;
  three_runs(h);
  h.open(other);
  h.session.apply(StartRun{});
  h.settle();
  const std::uint64_t last = h.state().runs.all().back()->id;
  h.session.apply(CompareRuns{{1, last}});
  h.session.apply(ShowTab{"runs"});
  h.settle();
  h.frames(3);
  ASSERT_FALSE(h.state().comparison->warnings.empty());
  EXPECT_TRUE(h.shows("! " + h.state().comparison->warnings.front()));
  // The switch is on, so it ends the comparison.
  ASSERT_FALSE(h.items("Compare").empty());
  click_at(h.items("Compare").back(), [&] { h.frames(1); });
  h.settle();
  EXPECT_FALSE(h.state().comparison);
}

TEST(Differences, AColumnSelectsItsRunAndTheComparisonStays) {
  Harness h;
  three_runs(h);
  h.session.apply(CompareRuns{{1, 2, 3}});
  h.session.apply(ShowTab{"runs"});
  h.settle();
  ASSERT_EQ(h.state().selected_run, 3u);
  click_at(h.find("#1 base"), [&] { h.frames(1); });
  EXPECT_EQ(h.state().selected_run, 1u);
  ASSERT_TRUE(h.state().comparison);
  EXPECT_EQ(h.state().comparison->ids.size(), 3u);
  press(h, {Key::down});  // from the names to the first difference; the arrows go on from the click
  press(h, {Key::right});
  EXPECT_EQ(h.state().selected_run, 2u);
  EXPECT_TRUE(h.state().comparison);
}

}  // namespace
