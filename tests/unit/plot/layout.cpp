#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>

#include "core/plot/label_placer.hpp"
#include "core/plot/theme.hpp"
#include "recording_canvas.hpp"
#include "samples.hpp"

namespace warpspy::plot {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Layout drawn(const Plot& plot, RecordingCanvas& canvas, Rect frame = {0, 0, 900, 600}) {
  return draw(plot, canvas, frame, light_theme());
}

std::vector<Plot> all_figures() {
  const Theme theme = light_theme();
  HistogramStyle log_x;
  log_x.log_x = true;
  const Matrix none = samples::empty(0, 0), zeros = samples::empty(10, 20), grid = samples::stencil(20);
  return {samples::spy(theme),
          samples::histogram(theme),
          samples::histogram(theme, log_x),
          samples::roofline(theme),
          roofline_figure(samples::h200_roofs(), "NVIDIA H200", {}, {}, theme),
          roofline_figure({}, "no device", {}, {}, theme),
          histogram_figure(none, row_stats(*none.csr), {}, theme),
          histogram_figure(zeros, row_stats(*zeros.csr), log_x, theme),
          histogram_figure(grid, row_stats(*grid.csr), {}, theme),
          spy_figure(zeros, count_grid(*zeros.csr, whole(*zeros.csr), 20, 10), {}, theme)};
}

TEST(Layout, PixelsAndDataAreInverse) {
  rc::check("round trip", [] {
    Plot plot;
    plot.x.scale = *rc::gen::arbitrary<bool>() ? Scale::log10 : Scale::linear;
    plot.y.inverted = *rc::gen::arbitrary<bool>();
    plot.x.min = *rc::gen::inRange(1, 1000) * 0.01, plot.x.max = plot.x.min * *rc::gen::inRange(2, 100000);
    plot.y.min = *rc::gen::inRange(-1000, 1000), plot.y.max = plot.y.min + *rc::gen::inRange(1, 100000);
    RecordingCanvas canvas;
    const Layout layout = drawn(plot, canvas);
    const double tx = *rc::gen::inRange(0, 1000) / 1000.0, ty = *rc::gen::inRange(0, 1000) / 1000.0;
    const double px = layout.area.x + tx * layout.area.w, py = layout.area.y + ty * layout.area.h;
    const Point back = layout.to_pixel(layout.x_of(px), layout.y_of(py));
    RC_ASSERT(std::abs(back.x - px) < 1e-6 && std::abs(back.y - py) < 1e-6);
  });
}

TEST(Layout, InvertedAxisGrowsDownward) {
  Plot plot;
  plot.y.inverted = true, plot.y.max = 100;
  RecordingCanvas canvas;
  const Layout layout = drawn(plot, canvas);
  EXPECT_DOUBLE_EQ(layout.to_pixel(0, 0).y, layout.area.y);
  EXPECT_DOUBLE_EQ(layout.to_pixel(0, 100).y, layout.area.bottom());
}

TEST(Layout, SquareCellsAreSquare) {
  for (const auto& [w, h] : {std::pair{900.0, 600.0}, {300.0, 700.0}}) {
    Plot plot;
    plot.square_cells = true;
    plot.x.max = 300, plot.y.max = 200;
    RecordingCanvas canvas;
    const Layout layout = drawn(plot, canvas, {0, 0, w, h});
    EXPECT_NEAR(layout.area.w, 1.5 * layout.area.h, 2);  // the area begins and ends on whole pixels
  }
}

TEST(Layout, FindsTheNearestMark) {
  RecordingCanvas canvas;
  const Layout layout = drawn(samples::roofline(light_theme()), canvas);
  ASSERT_EQ(layout.marks.size(), 15u);  // five runs, three levels
  for (const Hit& mark : layout.marks) {
    const auto hit = layout.hit({mark.at.x + 1, mark.at.y - 1}, 3);
    ASSERT_TRUE(hit);
    EXPECT_LT(std::hypot(hit->at.x - mark.at.x, hit->at.y - mark.at.y), 3.5);
  }
  const auto scalar = layout.hit(layout.marks.front().at);
  ASSERT_TRUE(scalar);
  EXPECT_EQ(scalar->id, 1u);
  EXPECT_FALSE(layout.hit({layout.area.right() - 1, layout.area.bottom() - 1}));
}

TEST(Layout, FindsTheBarOfAColumn) {
  RecordingCanvas canvas;
  const Plot plot = samples::histogram(light_theme());
  const Layout layout = drawn(plot, canvas);
  ASSERT_FALSE(layout.bars.empty());
  const auto& ids = plot.series[0].ids;
  ASSERT_EQ(ids.size(), plot.series[0].y.size() + 1);
  for (const auto& [rect, index] : layout.bars) {
    const auto found = layout.bar_at({rect.x + rect.w / 2, layout.area.y + 5});
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, index);
  }
  EXPECT_FALSE(layout.bar_at({layout.area.x - 5, layout.area.y + 5}));
  // The bar over x covers the length x.
  const auto bar = layout.bar_at(layout.to_pixel(151, 1));
  ASSERT_TRUE(bar);
  EXPECT_LE(ids[*bar], 151u);
  EXPECT_GT(ids[*bar + 1], 151u);
}

// Whatever the frame, nothing is drawn at a place that is no number or absurdly far away, and every clip is undone.
TEST(Draw, AnyFigureInAnyFrame) {
  const auto figures = all_figures();
  for (const Plot& plot : figures)
    for (const auto& [w, h] : {std::pair{900.0, 600.0},
                               {480.0, 320.0},
                               {240.0, 160.0},
                               {120.0, 80.0},
                               {40.0, 300.0},
                               {300.0, 30.0},
                               {3.0, 3.0},
                               {0.0, 0.0},
                               {4000.0, 3000.0}})
      for (bool turns : {false, true}) {
        RecordingCanvas canvas(turns);
        const Layout layout = drawn(plot, canvas, {0, 0, w, h});
        EXPECT_FALSE(canvas.saw_nan) << plot.title << " " << w << "x" << h;
        EXPECT_EQ(canvas.clips, 0);
        EXPECT_GT(canvas.lowest, -50000);
        EXPECT_LT(canvas.highest, 50000);
        EXPECT_GE(layout.area.w, 0);
        EXPECT_GE(layout.area.h, 0);
      }
}

TEST(Draw, TextStaysInTheFrame) {
  for (const Plot& plot : all_figures())
    for (const auto& [w, h] : {std::pair{900.0, 600.0}, {480.0, 320.0}, {240.0, 160.0}}) {
      RecordingCanvas canvas;
      drawn(plot, canvas, {0, 0, w, h});
      for (const auto& t : canvas.texts) {
        if (t.turned) continue;
        EXPECT_GE(t.box().x, -0.5) << t.text << " in " << w;
        EXPECT_LE(t.box().right(), w + 0.5) << t.text << " in " << w;
        EXPECT_LE(t.at.y, h) << t.text;
      }
    }
}

TEST(Draw, LevelTextsDoNotOverlap) {
  for (const Plot& plot : all_figures())
    for (const auto& [w, h] : {std::pair{900.0, 600.0}, {480.0, 320.0}}) {
      RecordingCanvas canvas(false);
      drawn(plot, canvas, {0, 0, w, h});
      for (std::size_t i = 0; i < canvas.texts.size(); ++i)
        for (std::size_t k = 0; k < i; ++k) {
          const auto &a = canvas.texts[i], &b = canvas.texts[k];
          // The exponent stands against its base.
          if (a.turned || b.turned || a.size != b.size) continue;
          EXPECT_FALSE(overlap(box_of(a.box()), box_of(b.box()))) << a.text << " over " << b.text << " at " << w;
        }
    }
}

TEST(Draw, SurvivesNanEmptyAndSingleValues) {
  Plot plot;
  plot.title = "odd";
  Series line;
  line.label = "line";
  line.x = {0, 0.5, kNan, 0.7, 1}, line.y = {0, kNan, 1, 0.4, 0.2};
  Series points = line;
  points.kind = Series::Kind::points, points.mark = Mark::cross, points.fill = Fill::half;
  Series one;
  one.x = {0.5}, one.y = {0.5}, one.label = "one";
  Series bars;
  bars.kind = Series::Kind::bars, bars.x = {0, 0.5, kNan}, bars.y = {kNan, 1};
  Series area;
  area.kind = Series::Kind::area, area.x = {0, 1}, area.y = {1, 0.5}, area.color = kL2;
  Series marker;
  marker.kind = Series::Kind::hline, marker.y = {0.3, kNan}, marker.label = "limit";
  plot.series = {line, points, one, bars, area, marker, Series{}};
  plot.x.min = plot.x.max = 0.5;
  plot.y.scale = Scale::log10;
  plot.y.min = 0;
  plot.images.push_back({});
  plot.notes.push_back({kNan, 0, "nowhere", kError});
  RecordingCanvas canvas;
  const Layout layout = drawn(plot, canvas);
  EXPECT_FALSE(canvas.saw_nan);
  for (const Hit& hit : layout.marks) EXPECT_TRUE(std::isfinite(hit.at.x) && std::isfinite(hit.at.y));
}

TEST(Draw, SizesFollowTheText) {
  const auto widest = [](double size) {
    RecordingCanvas canvas;
    Theme theme = light_theme();
    theme.text_size = size;
    // Frame and text twice as large: the same picture, twice as large.
    const Layout layout = draw(samples::roofline(theme), canvas, {0, 0, 900 * size / 13, 600 * size / 13}, theme);
    return layout.area.w / size;
  };
  EXPECT_NEAR(widest(13), widest(26), 0.05);
}

TEST(Draw, MarksShowProvenance) {
  const auto calls = [](Provenance p) {
    RecordingCanvas canvas;
    drawn(roofline_figure(samples::h200_roofs(p), "gpu", samples::five_runs(p), {}, light_theme()), canvas);
    return canvas.calls;
  };
  const std::string solid = calls(Provenance::measured), hollow = calls(Provenance::modelled);
  EXPECT_EQ(solid.find("stroke_circle"), std::string::npos);
  EXPECT_NE(hollow.find("stroke_circle"), std::string::npos);
  EXPECT_EQ(solid.find("dashed"), std::string::npos);
  EXPECT_NE(hollow.find("dashed"), std::string::npos);
}

TEST(LabelPlacer, AvoidsMarksAndLabels) {
  LabelPlacer placer({0, 0, 100, 100});
  placer.add_mark({{20, 20}, 5, 5, 0});
  const Box on_mark = box_of({10, 15, 20, 10}), free = box_of({50, 50, 20, 10}), outside = box_of({95, 50, 20, 10});
  EXPECT_EQ(placer.place({on_mark, outside, free}), 2u);
  EXPECT_EQ(placer.place({on_mark, outside, free}), std::nullopt);
}

TEST(LabelPlacer, TurnedBoxes) {
  const Box slope = box_of_segment({0, 100}, {100, 0}, 1);
  EXPECT_TRUE(overlap(slope, box_of({45, 45, 10, 10})));
  // Within the bounding box of the segment, yet off the line.
  EXPECT_FALSE(overlap(slope, box_of({5, 5, 30, 30})));
}

TEST(Theme, TextInEveryColourReads) {
  for (const Theme& theme : {light_theme(), dark_theme()}) {
    EXPECT_GE(contrast(theme.ink, theme.ground), 7);
    EXPECT_GE(contrast(theme.muted, theme.ground), 4.5);
    for (Color c : {kDram, kL2, kL1, kShared, kCompute, kWarning, kError})
      EXPECT_GE(contrast(readable(c, theme), theme.ground), 4.5);
  }
}

}  // namespace
}  // namespace warpspy::plot
