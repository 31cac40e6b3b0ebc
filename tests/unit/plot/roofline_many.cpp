// The roofline with many runs: whose they are, what their colour says, what is far out, and that no words collide.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "core/plot/figures.hpp"
#include "core/plot/label_placer.hpp"
#include "recording_canvas.hpp"
#include "samples.hpp"

namespace warpspy::plot {
namespace {

using Runs = std::vector<std::shared_ptr<const RunRecord>>;
using By = RooflineStyle::ColorBy;

std::shared_ptr<const RunRecord> of_matrix(std::shared_ptr<const RunRecord> run, const std::string& name) {
  auto r = std::make_shared<RunRecord>(*run);
  r->matrix_name = name, r->request.matrix = name;
  return r;
}

// `count` matrices, one run of each, spread over both axes.
Runs many(int count) {
  Runs runs;
  for (int k = 0; k < count; ++k)
    runs.push_back(of_matrix(samples::run(static_cast<std::uint64_t>(k + 1), "csr_vector", {}, 20.0 + 7 * k,
                                          30e6 + 9e6 * k, 50e6 + 9e6 * k, 80e6 + 9e6 * k),
                             "matrix " + std::to_string(k)));
  return runs;
}

Plot figure(const Runs& runs, RooflineStyle style = {}) {
  return roofline_figure(samples::h200_roofs(), "H200", runs, style, light_theme());
}

std::size_t marks_of(const Plot& p, std::uint64_t run) {
  std::size_t n = 0;
  for (const Series& s : p.series) n += static_cast<std::size_t>(std::count(s.ids.begin(), s.ids.end(), run));
  return n;
}

std::set<std::string> legend_of(const Plot& p) {
  std::set<std::string> names;
  for (const Series& s : p.series)
    if (!s.name.empty()) names.insert(s.name);
  return names;
}

// Boxes of words that lie on one another; turned words are left out, since theirs are not upright.
std::string collision(const Plot& p, Rect frame) {
  RecordingCanvas canvas(false);
  const Layout layout = draw(p, canvas, frame, light_theme());
  std::vector<RecordingCanvas::Text> inside;
  for (const auto& t : canvas.texts)
    if (!t.turned && layout.area.contains({t.box().x + t.box().w / 2, t.at.y}) && t.at.x > layout.area.x + 1)
      inside.push_back(t);
  for (std::size_t a = 0; a < inside.size(); ++a)
    for (std::size_t b = a + 1; b < inside.size(); ++b) {
      // Letters, not the room that a line of them takes.
      Rect x = inside[a].box(), y = inside[b].box();
      x.y += 2, x.h -= 4, y.y += 2, y.h -= 4;
      if (x.x < y.right() && y.x < x.right() && x.y < y.bottom() && y.y < x.bottom())
        return inside[a].text + " | " + inside[b].text;
    }
  return "";
}

TEST(RooflineOfMany, ColouredByMatrixEachRunIsOneMarkAndTheLegendNamesThem) {
  const Runs runs = many(6);
  for (const By by : {By::level, By::matrix, By::kernel, By::device}) {
    RooflineStyle style;
    style.color = by;
    const Plot p = figure(runs, style);
    EXPECT_EQ(marks_of(p, 3), by == By::level ? 3u : 1u);
    EXPECT_EQ(legend_of(p).count("matrix 3"), by == By::matrix ? 1u : 0u);
  }
  RooflineStyle style;
  style.color = By::matrix;
  std::set<std::uint32_t> colors;
  for (const Series& s : figure(runs, style).series)
    if (!s.ids.empty()) colors.insert(static_cast<std::uint32_t>(s.color.r << 16 | s.color.g << 8 | s.color.b));
  EXPECT_EQ(colors.size(), 6u);
}

// A legend that has no room for all names says how many are not there.
TEST(RooflineOfMany, TheLegendSaysHowManyNamesItLeavesOut) {
  RooflineStyle style;
  style.color = By::matrix;
  for (const int matrices : {3, 46, 200})
    for (const double width : {300.0, 640.0, 1280.0}) {
      SCOPED_TRACE(std::to_string(matrices) + " in " + std::to_string(width));
      const Plot p = figure(many(matrices), style);
      RecordingCanvas canvas(false);
      draw(p, canvas, {0, 0, width, 500}, light_theme());
      std::size_t named = 0, left_out = 0;
      const std::set<std::string> names = legend_of(p);
      double area_top = 1e9;
      for (const auto& t : canvas.texts) {
        if (t.text.starts_with("and ") && t.text.ends_with(" more")) {
          left_out = std::stoul(t.text.substr(4));
          EXPECT_LE(t.box().right(), width);
          area_top = t.at.y + 1;
        }
      }
      for (const auto& t : canvas.texts) named += t.at.y < area_top && names.contains(t.text);
      if (left_out == 0)
        EXPECT_GE(named, names.size());
      else
        EXPECT_EQ(named + left_out, names.size());
      EXPECT_EQ(left_out > 0, matrices > 3 && names.size() > named);
    }
}

TEST(RooflineOfMany, OfOneKernelTheMatrixIsTheName) {
  const Plot p = figure(many(3));
  std::set<std::string> labels;
  for (const Series& s : p.series) labels.insert(s.label);
  EXPECT_EQ(labels.count("matrix 0") + labels.count("matrix 1") + labels.count("matrix 2"), 3u);
}

TEST(RooflineOfMany, WhatIsFarStandsAtTheEdgeAndSaysSo) {
  Runs runs = many(2);
  const Plot near = figure(runs);
  // As much work, but DRAM moved next to nothing: 10,000 times the intensity.
  runs.push_back(samples::run(9, "csr_vector", {}, 25, 3e3, 50e6, 80e6));
  const Plot p = figure(runs);
  EXPECT_DOUBLE_EQ(p.x.max, near.x.max) << "the rest is not squeezed";
  const Series* far = nullptr;
  for (const Series& s : p.series)
    if (!s.ids.empty() && s.ids[0] == 9 && s.parts[0] == static_cast<int>(Level::dram)) far = &s;
  ASSERT_TRUE(far);
  EXPECT_LE(far->x[0], p.x.max);
  EXPECT_GT(far->x[0], 0.8 * p.x.max);
  EXPECT_TRUE(std::any_of(p.series.begin(), p.series.end(),
                          [](const Series& s) { return s.label.find("flop/B \xE2\x86\x92") != std::string::npos; }));
  // Its numbers stay what they are.
  EXPECT_TRUE(std::any_of(p.rows.begin(), p.rows.end(),
                          [](const auto& row) { return row[0] == "9" && row[7] != "" && std::stod(row[7]) > 1e3; }));
}

TEST(RooflineOfMany, ZoomShowsTheTruth) {
  Runs runs = many(2);
  runs.push_back(samples::run(9, "csr_vector", {}, 25, 3e3, 50e6, 80e6));
  RooflineStyle style;
  style.view = RooflineStyle::View{1e2, 1e6, 1, 1e4};
  const Plot p = figure(runs, style);
  EXPECT_EQ(p.x.min, 1e2);
  EXPECT_EQ(p.y.max, 1e4);
  for (const Series& s : p.series)
    EXPECT_FALSE(!s.ids.empty() && s.ids[0] == 9 && s.parts[0] == static_cast<int>(Level::dram) && s.x[0] < 1e3);
  RecordingCanvas canvas;
  const Layout layout = draw(p, canvas, {0, 0, 900, 600}, light_theme());
  EXPECT_EQ(layout.marks.size(), 1u) << "the others are outside of what is shown";
  EXPECT_FALSE(canvas.saw_nan);
}

TEST(RooflineOfMany, WordsNeverCollide) {
  const Rect frames[] = {{0, 0, 900, 600}, {0, 0, 420, 400}, {0, 0, 1500, 900}};
  for (const Rect frame : frames)
    for (const int count : {1, 3, 12, 40}) {
      EXPECT_EQ(collision(figure(many(count)), frame), "") << count << " runs, " << frame.w << " wide";
      // Live: a drag that leaves a trail, with the byte counts of the run that is selected.
      Runs dragged = samples::dragged_runs();
      RooflineStyle style;
      for (std::size_t k = 0; k + 1 < dragged.size(); ++k) style.trail.push_back(dragged[k]->id);
      dragged.push_back(samples::full_run(77, Provenance::modelled));
      style.selected = 77;
      EXPECT_EQ(collision(figure(dragged, style), frame), "") << "trail, " << frame.w << " wide";
    }
}

TEST(RooflineOfMany, ALabelOfATrailIsNotDrawn) {
  Runs dragged = samples::dragged_runs();
  RooflineStyle style;
  for (const auto& r : dragged) style.trail.push_back(r->id);
  for (const Series& s : figure(dragged, style).series) EXPECT_EQ(s.label.find("CSR"), std::string::npos) << s.label;
}

TEST(LengthsFigure, OverlaysTheSharesOfRows) {
  std::vector<LengthsOf> both;
  for (const Matrix& m : {samples::power_law(2000), samples::stencil(40)}) {
    const auto matrix = std::make_shared<const Matrix>(m);
    both.push_back({m.source.name, matrix, std::make_shared<const MatrixFacts>(facts_of(*matrix->csr))});
  }
  const Plot p = lengths_figure(both, light_theme());
  ASSERT_EQ(p.series.size(), 2u);
  for (const Series& s : p.series) {
    EXPECT_EQ(s.name.empty(), false);
    EXPECT_NEAR(s.y.back(), 100, 1e-9);
    EXPECT_TRUE(std::is_sorted(s.y.begin(), s.y.end()));
    EXPECT_TRUE(std::is_sorted(s.x.begin(), s.x.end()));
  }
  RecordingCanvas canvas;
  draw(p, canvas, {0, 0, 600, 400}, light_theme());
  EXPECT_FALSE(canvas.saw_nan);
  EXPECT_NO_THROW(lengths_figure({}, light_theme()));
}

TEST(LengthsFigure, LongNamesStayApart) {
  const auto matrix = std::make_shared<const Matrix>(samples::stencil(10));
  const auto facts = std::make_shared<const MatrixFacts>(facts_of(*matrix->csr));
  const std::string name = "powerlaw?rows=40000&mean=8&exponent=2.3";
  const Plot p = lengths_figure({{name, matrix, facts}, {name + " (RCM)", matrix, facts}}, light_theme());
  EXPECT_NE(p.series[0].name, p.series[1].name);
  EXPECT_TRUE(p.series[1].name.ends_with("(RCM)")) << p.series[1].name;
}

// Between lengths that there are the share does not change: it rises at them alone, upright.
TEST(ShareCurve, IsLevelBetweenLengthsThatThereAre) {
  const std::set<double> lengths = {3, 40, 700};
  for (const bool far : {false, true}) {  // far: on a log axis
    MatrixFacts facts;
    facts.rows.histogram.assign(701, 0);
    facts.rows.histogram[3] = 90, facts.rows.histogram[40] = 9, facts.rows.histogram[700] = 1;
    facts.rows.min = 3, facts.rows.max = 700, facts.rows.median = far ? 3 : 40;
    const Plot p = lengths_figure({{"steps", std::make_shared<const Matrix>(samples::empty(100, 700)),
                                    std::make_shared<const MatrixFacts>(facts)}},
                                  light_theme());
    ASSERT_EQ(p.x.scale == Scale::log10, far);
    const Series& s = p.series.at(0);
    std::vector<std::pair<double, double>> rises;
    for (std::size_t k = 1; k < s.x.size(); ++k) {
      EXPECT_TRUE(s.x[k] == s.x[k - 1] || s.y[k] == s.y[k - 1]) << "slopes at " << s.x[k];
      if (s.y[k] != s.y[k - 1]) rises.emplace_back(s.x[k], s.y[k]);
    }
    ASSERT_EQ(rises.size(), lengths.size());
    for (const auto& [length, share] : rises) EXPECT_TRUE(lengths.contains(length)) << length;
    EXPECT_NEAR(rises[0].second, 90, 1e-9);
    EXPECT_NEAR(rises[1].second, 99, 1e-9);
  }
}

// A long tail of single rows: hundreds of steps within a pixel fray the line near 100 %.
TEST(ShareCurve, HasNoMoreCornersThanCanBeSeen) {
  // One row of each length from 1 to 20000, and very many of length 1: the tail is 0.01 % a step.
  const auto facts = [] {
    RowStats stats;
    stats.histogram.assign(20001, 1);
    stats.histogram[0] = 0, stats.histogram[1] = 100000;
    stats.min = 1, stats.max = 20000, stats.mean = 1, stats.q1 = stats.median = stats.q3 = 1;
    return stats;
  }();
  HistogramStyle style;
  for (const bool log : {false, true}) {
    style.log_x = log;
    const Plot p = histogram_figure(samples::empty(119999, 20000), facts, style, light_theme());
    for (const Series& s : p.series) {
      if (!s.right_axis) continue;
      EXPECT_LT(s.x.size(), 1100u);
      EXPECT_NEAR(s.y.back(), 100, 1e-9);
      EXPECT_TRUE(std::is_sorted(s.x.begin(), s.x.end()));
    }
  }
}

}  // namespace
}  // namespace warpspy::plot
