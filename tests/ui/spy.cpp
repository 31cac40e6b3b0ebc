// The spy plot: camera arithmetic, and what the mouse does to it.
#include <gtest/gtest.h>
// After gtest.
#include <rapidcheck/gtest.h>

#include "tests/ui/support.hpp"
#include "ui/state/cell_cursor.hpp"
#include "ui/views/spy_panel.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

constexpr plot::Rect view{100, 50, 640, 480};

RC_GTEST_PROP(Camera, ZoomKeepsThePointBelowTheMouse, ()) {
  const auto rows = *rc::gen::inRange<index_t>(1, 5'000'000), cols = *rc::gen::inRange<index_t>(1, 5'000'000);
  Camera c = resolve(Camera{}, {rows, cols}, view, Aspect::automatic);
  const plot::Point at{100.0 + *rc::gen::inRange(0, 640), 50.0 + *rc::gen::inRange(0, 480)};
  const double factor = *rc::gen::inRange(50, 300) / 100.0;
  const SpyMap before{c, view};
  const Camera zoomed = zoom_at(c, view, at, factor);
  const SpyMap after{zoomed, view};
  RC_ASSERT(std::abs(before.row_of(at.y) - after.row_of(at.y)) <= 1e-9 * static_cast<double>(rows) + 1e-6);
  RC_ASSERT(std::abs(before.col_of(at.x) - after.col_of(at.x)) <= 1e-9 * static_cast<double>(cols) + 1e-6);
}

RC_GTEST_PROP(Camera, CellsAreBetweenOneAndTwoPixels, ()) {
  const double px = std::exp2(*rc::gen::inRange(-4000, 0) / 100.0);
  const double cell = std::ldexp(px, level_of(px));
  RC_ASSERT(cell >= 1 - 1e-6);
  RC_ASSERT(cell < 2 + 1e-6);
}

RC_GTEST_PROP(Camera, FittedMatrixIsInsideTheView, ()) {
  const auto rows = *rc::gen::inRange<index_t>(1, 100'000'000), cols = *rc::gen::inRange<index_t>(1, 100'000'000);
  const auto aspect = static_cast<Aspect>(*rc::gen::inRange(0, 3));
  const SpyMap map{resolve(Camera{}, {rows, cols}, view, aspect), view};
  RC_ASSERT(map.x_of(0) >= view.x - 1e-3);
  RC_ASSERT(map.x_of(static_cast<double>(cols)) <= view.right() + 1e-3);
  RC_ASSERT(map.y_of(0) >= view.y - 1e-3);
  RC_ASSERT(map.y_of(static_cast<double>(rows)) <= view.bottom() + 1e-3);
  const Window w = visible(map, {rows, cols});
  RC_ASSERT(w == (Window{0, rows, 0, cols}));
}

TEST(Camera, ExtremeAspectIsStretchedUnlessSquareIsAsked) {
  const Camera automatic = resolve(Camera{}, {1000, 10}, view, Aspect::automatic);
  EXPECT_NE(automatic.row_px, automatic.col_px);
  const Camera square = resolve(Camera{}, {1000, 10}, view, Aspect::square);
  EXPECT_EQ(square.row_px, square.col_px);
}

TEST(Camera, BoxFillsTheView) {
  const Camera c = resolve(Camera{}, {1000, 1000}, view, Aspect::automatic);
  const plot::Rect b{300, 200, 64, 48};
  const SpyMap before{c, view}, after{box(c, view, b), view};
  EXPECT_NEAR(after.x_of(before.col_of(b.x)), view.x, 1e-6);
  EXPECT_NEAR(after.y_of(before.row_of(b.bottom())), view.bottom(), 1e-6);
}

TEST(Camera, OneToOneKeepsTheMiddle) {
  const Camera fitted = resolve(Camera{}, {1000, 400}, view, Aspect::automatic);
  const Camera whole = one_to_one(Camera{}, {1000, 400});  // fitted: its figures are stale
  EXPECT_EQ(whole.row, fitted.row);
  EXPECT_EQ(whole.col, fitted.col);
  EXPECT_EQ(one_to_one(go_to(Camera{}, 10, 20, 8), {1000, 400}).row, 10.5);
}

TEST(CellCursor, GoesByWholeCellsAndStaysInside) {
  const CellGrid grid{{100, 50}, 3, 2};
  const CellCursor at{33, 9};
  const Window cell = cell_of(at, grid);
  EXPECT_EQ(cell, (Window{32, 40, 8, 12}));
  EXPECT_EQ(moved(at, grid, 1, 0), (CellCursor{40, 9})) << "the column stays to the entry";
  EXPECT_EQ(moved(at, grid, 0, -1), (CellCursor{33, 4}));
  EXPECT_EQ(moved(at, grid, 1000, 1000), (CellCursor{96, 48}));
  EXPECT_EQ(moved(at, grid, -1000, -1000), (CellCursor{0, 0}));
  EXPECT_EQ(cell_of({99, 49}, grid), (Window{96, 100, 48, 50})) << "the last cells are cut";
}

TEST(CellCursor, TheCameraMovesAsLittleAsItTakes) {
  const CellGrid grid{{1000, 1000}, 0, 0};
  const plot::Rect place{0, 0, 100, 80};
  const SpyMap map{{.fit = false, .row = 500, .col = 500, .row_px = 4, .col_px = 4}, place};
  EXPECT_EQ(showing(map, {500, 500}, grid), map.camera);
  const Camera right = showing(map, {500, 520}, grid);
  EXPECT_EQ(right.row, 500);
  EXPECT_NEAR((SpyMap{right, place}).x_of(521), place.right(), 1e-9);
  const Camera up = showing(map, {300, 500}, grid);
  EXPECT_NEAR((SpyMap{up, place}).y_of(300), 0, 1e-9);
}

TEST(RowMask, CountsEveryRange) {
  std::vector<index_t> ptr{0};
  std::vector<std::int32_t> col;
  for (int row = 0; row < 300; ++row) {
    for (int k = 0; k < row % 5; ++k) col.push_back(k);
    ptr.push_back(static_cast<index_t>(col.size()));
  }
  const Csr a(300, 10, ptr, Indices(col), std::vector<double>(col.size(), 1.0));
  const auto mask = RowMask::of_lengths(a, 2, 4);
  EXPECT_EQ(mask->size(), 120);
  for (index_t r0 = 0; r0 <= 300; r0 += 7)
    for (index_t r1 = r0; r1 <= 300; r1 += 11) {
      index_t n = 0;
      for (index_t r = r0; r < r1; ++r) n += a.row_length(r) >= 2 && a.row_length(r) < 4;
      ASSERT_EQ(mask->count(r0, r1), n) << r0 << " " << r1;
    }
}

class Mouse : public testing::Test {
 protected:
  Mouse() { h.open("gen:laplace5?nx=60&ny=60"); }
  std::vector<Action> frame() {
    return h.panel([&](Ui& ui) { spy.draw(h.state(), ui, ImGui::GetContentRegionAvail()); });
  }
  SpyMap map() const {
    const Csr& a = *h.state().current()->matrix->csr;
    return {resolve(h.state().current()->camera, {a.rows(), a.cols()}, spy.view(), Aspect::automatic), spy.view()};
  }
  plot::Point middle() const {
    return {std::floor(spy.view().x + spy.view().w * 0.4), std::floor(spy.view().y + spy.view().h * 0.3)};
  }
  void move(plot::Point p) {
    feed_mouse(static_cast<float>(p.x), static_cast<float>(p.y));
    frame();
  }
  Harness h;
  SpyPanel spy;
};

TEST_F(Mouse, WheelZoomsAtTheCursor) {
  frame();
  const auto p = middle();
  move(p);
  frame();
  const double row = map().row_of(p.y), col = map().col_of(p.x), px = map().camera.row_px;
  feed_wheel(4);
  const auto actions = frame();
  ASSERT_NE(find_action<SetCamera>(actions), nullptr);
  frame();
  EXPECT_GT(map().camera.row_px, 2 * px);
  EXPECT_NEAR(map().row_of(p.y), row, 1e-6);
  EXPECT_NEAR(map().col_of(p.x), col, 1e-6);
}

TEST_F(Mouse, DragPans) {
  frame();
  const auto p = middle();
  move(p);
  frame();
  const double row = map().row_of(p.y), col = map().col_of(p.x);
  feed_button(0, true);
  frame();
  move({p.x + 37, p.y - 21});
  frame();
  feed_button(0, false);
  frame();
  EXPECT_NEAR(map().row_of(p.y - 21), row, 1e-6) << "the entry stays below the mouse";
  EXPECT_NEAR(map().col_of(p.x + 37), col, 1e-6);
  EXPECT_FALSE(h.state().current()->camera.fit);
}

TEST_F(Mouse, RightDragZoomsToTheBox) {
  frame();
  const auto p = middle();
  move(p);
  frame();
  const double row = map().row_of(p.y), col = map().col_of(p.x);
  feed_button(1, true);
  frame();
  move({p.x + 90, p.y + 60});
  frame();
  const double row1 = map().row_of(p.y + 60), col1 = map().col_of(p.x + 90);
  feed_button(1, false);
  frame();
  frame();
  EXPECT_NEAR(map().camera.row, (row + row1) / 2, 1e-6);
  EXPECT_NEAR(map().camera.col, (col + col1) / 2, 1e-6);
}

TEST_F(Mouse, DoubleClickFits) {
  h.session.apply(SetCamera{h.state().selected, go_to(Camera{}, 10, 10, 20)});
  frame();
  move(middle());
  for (int k = 0; k < 2; ++k) {
    feed_button(0, true);
    frame();
    feed_button(0, false);
    frame();
  }
  EXPECT_TRUE(h.state().current()->camera.fit);
}

TEST_F(Mouse, TilesArriveAndStayWithinTheirLimit) {
  for (int k = 0; k < 40; ++k) {
    frame();
    h.settle();
  }
  EXPECT_GT(h.shell->tiles().size(), 0u);
  EXPECT_EQ(static_cast<std::size_t>(h.textures.alive()), h.shell->tiles().size()) << "one texture per tile";
}

}  // namespace
