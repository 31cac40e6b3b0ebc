#include "core/plot/figures.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>
#include <set>

#include "samples.hpp"

namespace warpspy::plot {
namespace {

std::size_t column(const Plot& p, const std::string& name) {
  const auto at = std::find(p.columns.begin(), p.columns.end(), name);
  EXPECT_NE(at, p.columns.end()) << name;
  return static_cast<std::size_t>(at - p.columns.begin());
}

double sum(const Plot& p, const std::string& name) {
  double total = 0;
  for (const auto& row : p.rows) total += std::stod(row[column(p, name)]);
  return total;
}

const Series* series_labelled(const Plot& p, const std::string& part) {
  for (const Series& s : p.series)
    if (s.label.find(part) != std::string::npos) return &s;
  return nullptr;
}

TEST(SpyFigure, TableHoldsEveryEntry) {
  const Matrix m = samples::power_law(500);
  for (int size : {7, 100, 500}) {
    const Plot p = spy_figure(m, count_grid(*m.csr, whole(*m.csr), size, size), {}, light_theme());
    EXPECT_EQ(sum(p, "count"), static_cast<double>(m.csr->nnz()));
    EXPECT_EQ(p.rows.back()[column(p, "provenance")], "derived");
    for (const auto& row : p.rows) EXPECT_LE(std::stol(row[0]), std::stol(row[1]));
  }
}

TEST(SpyFigure, AxesAreRowAndColumnNumbers) {
  const Matrix m = samples::stencil(20);
  const Plot p = spy_figure(m, count_grid(*m.csr, {100, 300, 50, 250}, 100, 100), {}, light_theme());
  EXPECT_TRUE(p.y.inverted);
  // Counted from 1, as in the window; a number stands at the middle of its row.
  EXPECT_EQ(p.y.min, 100.5);
  EXPECT_EQ(p.x.max, 250.5);
  ASSERT_EQ(p.images.size(), 1u);
  EXPECT_EQ(p.images[0].y0, 100.5);
  const Plot whole = spy_figure(m, count_grid(*m.csr, {0, 400, 0, 400}, 100, 100), {}, light_theme());
  EXPECT_EQ(ticks(whole.x, 5).front().label, "1");
  EXPECT_EQ(whole.rows.front().front(), "1");
  EXPECT_NE(p.subtitle.find("1 920 entries"), std::string::npos) << p.subtitle;
  EXPECT_TRUE(p.square_cells);
}

TEST(SpyFigure, ColourBarRunsFromOneToTheLargestCount) {
  const Plot p = samples::spy(light_theme());
  ASSERT_TRUE(p.colorbar);
  EXPECT_EQ(p.colorbar->ticks.front().second, "1");
  EXPECT_EQ(p.colorbar->ticks.back().first, 1);
  const Matrix m = samples::power_law();
  EXPECT_EQ(p.colorbar->ticks.back().second, std::to_string(count_grid(*m.csr, whole(*m.csr), 200, 200).max()));
  for (std::size_t k = 1; k < p.colorbar->ticks.size(); ++k)
    EXPECT_GT(p.colorbar->ticks[k].first, p.colorbar->ticks[k - 1].first);
}

TEST(SpyFigure, EmptyMatrixSaysSo) {
  const Matrix m = samples::empty(10, 20);
  const Plot p = spy_figure(m, count_grid(*m.csr, whole(*m.csr), 5, 5), {}, light_theme());
  ASSERT_EQ(p.notes.size(), 1u);
  EXPECT_EQ(p.notes[0].text, "no entries");
  EXPECT_FALSE(p.colorbar);
  EXPECT_TRUE(p.rows.empty());
}

TEST(HistogramFigure, BarsCountEveryRowOnce) {
  rc::check("bars", [] {
    // Row lengths as they come, long ones included.
    const auto lengths = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(
        rc::gen::oneOf(rc::gen::inRange(0, 5), rc::gen::inRange(0, 300), rc::gen::inRange(0, 3000))));
    std::vector<index_t> row_ptr{0};
    std::vector<std::int32_t> cols;
    for (int n : lengths) {
      for (int k = 0; k < n; ++k) cols.push_back(k);
      row_ptr.push_back(row_ptr.back() + n);
    }
    const auto nnz = cols.size();
    Matrix m;
    m.csr = std::make_shared<const Csr>(static_cast<index_t>(lengths.size()), 3000, row_ptr, Indices(std::move(cols)),
                                        std::vector<double>(nnz, 1.0));
    HistogramStyle style;
    style.log_x = *rc::gen::arbitrary<bool>();
    const Plot p = histogram_figure(m, row_stats(*m.csr), style, light_theme());
    const Series& bars = p.series[0];
    RC_ASSERT(bars.x.size() == bars.y.size() + 1 && bars.ids.size() == bars.x.size());
    RC_ASSERT(bars.y.size() <= 130u);
    for (std::size_t k = 0; k + 1 < bars.x.size(); ++k) {
      RC_ASSERT(bars.x[k] < bars.x[k + 1]);
      RC_ASSERT(bars.ids[k] <= bars.ids[k + 1]);
      const auto inside = std::count_if(lengths.begin(), lengths.end(), [&](int n) {
        return static_cast<std::uint64_t>(n) >= bars.ids[k] && static_cast<std::uint64_t>(n) < bars.ids[k + 1];
      });
      RC_ASSERT(bars.y[k] == static_cast<double>(inside));
    }
    RC_ASSERT(std::accumulate(bars.y.begin(), bars.y.end(), 0.0) == static_cast<double>(lengths.size()));
    RC_ASSERT(sum(p, "rows") == static_cast<double>(lengths.size()));
    RC_ASSERT(p.rows.back()[column(p, "cumulative")] == "1");
    // The cumulative curve climbs to 100 % and never falls.
    const Series& curve = p.series[1];
    RC_ASSERT(std::is_sorted(curve.y.begin(), curve.y.end()) && std::is_sorted(curve.x.begin(), curve.x.end()));
    RC_ASSERT(std::abs(curve.y.back() - 100) < 1e-9);
    RC_ASSERT(p.x.min == bars.x.front() && p.x.max == bars.x.back());
  });
}

TEST(HistogramFigure, SameBarsWithoutTheKeptHistogram) {
  // RowStats drops its histogram when the longest row is very long; the figure then counts by itself.
  const Matrix m = samples::power_law(1000);
  RowStats stats = row_stats(*m.csr);
  const Plot with = histogram_figure(m, stats, {}, light_theme());
  stats.histogram.clear();
  const Plot without = histogram_figure(m, stats, {}, light_theme());
  EXPECT_EQ(with.rows, without.rows);
  EXPECT_EQ(with.series[0].y, without.series[0].y);
}

TEST(HistogramFigure, QuartilesThatCoincideShareALabel) {
  const Matrix m = samples::stencil(60);
  const Plot p = histogram_figure(m, row_stats(*m.csr), {}, light_theme());
  EXPECT_TRUE(series_labelled(p, "Q1 = median = Q3: 5"));
  const Plot q = samples::histogram(light_theme());
  EXPECT_TRUE(series_labelled(q, "median: 2"));
}

TEST(HistogramFigure, EmptyRowsStandApartOnALogAxis) {
  HistogramStyle style;
  style.log_x = true;
  const Plot p = samples::histogram(light_theme(), style);
  const Matrix m = samples::power_law();
  ASSERT_EQ(p.x.named.size(), 1u);
  EXPECT_EQ(p.x.named[0].second, "0");
  EXPECT_EQ(p.series[0].y[0], static_cast<double>(row_stats(*m.csr).empty));
  EXPECT_EQ(p.series[0].y[1], 0);  // the gap
  EXPECT_GT(p.x.min, 0);
}

TEST(HistogramFigure, NoRowsSaysSo) {
  const Matrix m = samples::empty(0, 5);
  const Plot p = histogram_figure(m, row_stats(*m.csr), {}, light_theme());
  ASSERT_EQ(p.notes.size(), 1u);
  EXPECT_EQ(p.notes[0].text, "the matrix has no rows");
}

TEST(RooflineFigure, EveryPointIsInSightAndInTheTable) {
  const Plot p = samples::roofline(light_theme());
  int points = 0;
  for (const Series& s : p.series) {
    if (s.kind != Series::Kind::points) continue;
    for (std::size_t k = 0; k < s.x.size(); ++k, ++points) {
      EXPECT_GT(s.x[k], p.x.min);
      EXPECT_LT(s.x[k], p.x.max);
      EXPECT_GT(s.y[k], p.y.min);
      EXPECT_LT(s.y[k], p.y.max);
      EXPECT_EQ(s.ids.size(), s.x.size());
      EXPECT_EQ(s.tooltips.size(), s.x.size());
    }
  }
  EXPECT_EQ(points, 15);
  EXPECT_EQ(p.rows.size(), 4u + 15u);  // roofs and points
  const auto provenance = column(p, "provenance"), level = column(p, "level");
  for (const auto& row : p.rows) {
    EXPECT_EQ(row.size(), p.columns.size());
    EXPECT_EQ(row[provenance], "modelled");
    EXPECT_FALSE(row[level].empty());
  }
}

TEST(RooflineFigure, RoofsMeetTheCeiling) {
  const Plot p = samples::roofline(light_theme());
  for (int k = 0; k < 3; ++k) {
    const Series& roof = p.series[static_cast<std::size_t>(k)];
    EXPECT_NEAR(roof.y.back(), 33500, 1);
    EXPECT_NEAR(roof.y.back() / roof.x.back(), roof.y.front() / roof.x.front(), 1e-6 * roof.y.back() / roof.x.back());
    EXPECT_LT(roof.x.back(), p.x.max);
  }
  EXPECT_EQ(p.series[0].color, kL1);
  EXPECT_EQ(p.series[2].color, kDram);
  EXPECT_EQ(p.series[3].color, kCompute);
}

TEST(RooflineFigure, CardsSayWhatLimits) {
  const Plot p = samples::roofline(light_theme());
  for (const Series& s : p.series)
    for (const std::string& tooltip : s.tooltips)
      for (const char* part : {"flop/byte", "GFLOP/s", "GB/s", "modelled", "of the roof", "limit: "})
        EXPECT_NE(tooltip.find(part), std::string::npos) << part << " in " << tooltip;
}

TEST(RooflineFigure, KernelsDifferByShapeRunsOfOneDoNot) {
  const Plot p = samples::roofline(light_theme());
  std::map<std::uint64_t, Mark> marks;
  for (const Series& s : p.series)
    for (std::uint64_t id : s.ids) marks[id] = s.mark;
  EXPECT_EQ(marks[2], marks[3]);
  EXPECT_EQ(marks[2], marks[4]);
  EXPECT_NE(marks[1], marks[2]);
  EXPECT_NE(marks[1], marks[5]);
  EXPECT_NE(marks[2], marks[5]);
}

TEST(RooflineFigure, TrailFadesAndIsNotLabelled) {
  RooflineStyle style;
  style.trail = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const Plot p = roofline_figure(samples::h200_roofs(), "NVIDIA H200", samples::dragged_runs(), style, light_theme());
  std::map<std::uint64_t, double> paleness;
  int labels = 0;
  for (const Series& s : p.series) {
    for (std::uint64_t id : s.ids) paleness[id] = s.color.r + s.color.g + s.color.b;
    labels += s.kind == Series::Kind::line && s.label.find("csr_vector") == 0;
  }
  for (std::uint64_t id = 2; id <= 10; ++id) EXPECT_LT(paleness[id], paleness[id - 1]) << id;
  EXPECT_EQ(labels, 1);
}

TEST(RooflineFigure, NoRunsStillShowsTheRoofs) {
  const Plot p = roofline_figure(samples::h200_roofs(Provenance::measured), "NVIDIA H200", {}, {}, light_theme());
  EXPECT_EQ(p.series.size(), 4u);
  EXPECT_EQ(p.subtitle, "no runs yet");
  for (const Series& s : p.series) EXPECT_FALSE(s.dashed);
}

TEST(RooflineFigure, FailedAndMissingRunsAreLeftOut) {
  RunRecord failed = *samples::five_runs()[0];
  failed.status = RunStatus::failed;
  const Plot p = roofline_figure(samples::h200_roofs(), "NVIDIA H200",
                                 {nullptr, std::make_shared<const RunRecord>(failed)}, {}, light_theme());
  EXPECT_EQ(p.rows.size(), 4u);
}

TEST(TunePlane, EveryCellTellsTheLeastTimeThere) {
  const TuneRecord r = samples::tuning();
  const Plot p = tune_plane_figure(r, samples::tuned_kernel(), {}, light_theme());
  EXPECT_EQ(p.x.categories, (std::vector<std::string>{"1", "2", "4", "8", "16", "32"}));
  // 5 was tried by the walk, and is no power of two.
  EXPECT_EQ(p.y.categories, (std::vector<std::string>{"1", "2", "4", "5", "8", "16", "32", "64"}));
  ASSERT_EQ(p.images.size(), 1u);
  EXPECT_EQ(p.images[0].width, 6);
  EXPECT_EQ(p.images[0].height, 8);
  ASSERT_EQ(p.series[0].tooltips.size(), 48u);
  double least = 1e300;
  for (const TuneStep& s : r.steps)
    if (s.us && s.params.at("coop") == 8 && s.params.at("repeat") == 2) least = std::min(least, *s.us);
  const std::string& tooltip = p.series[0].tooltips[1 * 6 + 3];
  const std::uint64_t best = p.series[0].ids[1 * 6 + 3];
  ASSERT_GT(best, 0u);
  EXPECT_EQ(r.steps.at(best - 1).us, least) << "a cell stands for its best step";
  EXPECT_EQ(p.series[0].ids[3 * 6 + 5], 0u) << "nothing was tried there";
  EXPECT_NE(tooltip.find("threads per row 8, rows per group 2\n"), std::string::npos) << tooltip;
  char text[32];
  std::snprintf(text, sizeof text, "\n%.4g", least);
  EXPECT_NE(tooltip.find(text), std::string::npos) << tooltip;
  EXPECT_NE(tooltip.find("modelled"), std::string::npos) << tooltip;
  EXPECT_NE(p.series[0].tooltips[7 * 6 + 4].find("failed: out of resources"), std::string::npos);
  EXPECT_NE(p.series[0].tooltips[3 * 6 + 5].find("not tried"), std::string::npos);
  EXPECT_EQ(p.rows.size(), r.steps.size());
  EXPECT_NE(p.colorbar.value().label.find("modelled"), std::string::npos);
}

TEST(TunePlane, PathHasEveryProductOfItsStrategyInOrder) {
  for (const Provenance from : {Provenance::measured, Provenance::modelled}) {
    const TuneRecord r = samples::tuning(from);
    const Plot p = tune_plane_figure(r, samples::tuned_kernel(), {}, light_theme());
    const auto path =
        std::find_if(p.series.begin(), p.series.end(), [](const Series& s) { return s.name.find("run time") == 0; });
    ASSERT_NE(path, p.series.end());
    ASSERT_EQ(path->ids.size(), 7u);
    for (std::size_t k = 0; k < path->ids.size(); ++k) {
      const TuneStep& step = r.steps.at(path->ids[k] - 1);
      EXPECT_EQ(step.strategy, "run_time");
      EXPECT_EQ(step.product, static_cast<int>(k) + 1) << "an id is the place of a step among all, from 1";
    }
    EXPECT_EQ(path->fill, from == Provenance::measured ? Fill::solid : Fill::hollow);
    // Two products in one cell do not hide each other.
    std::set<std::pair<double, double>> places;
    for (std::size_t k = 0; k < path->x.size(); ++k) places.insert({path->x[k], path->y[k]});
    EXPECT_EQ(places.size(), 7u);
  }
}

TEST(TunePlane, OtherAxesOneParameterAndNothingYet) {
  TuneRecord r = samples::tuning();
  KernelInfo kernel = samples::tuned_kernel();
  TunePlaneStyle style;
  style.x = "block_size", style.y = "coop", style.running = true;
  Plot p = tune_plane_figure(r, kernel, style, light_theme());
  EXPECT_EQ(p.x.label, "Block size");
  EXPECT_EQ(p.y.label, "Threads per row");
  kernel.params.resize(1);
  p = tune_plane_figure(r, kernel, {}, light_theme());
  EXPECT_EQ(p.images[0].height, 1) << "one parameter is one row";
  r.steps.clear();
  p = tune_plane_figure(r, kernel, style, light_theme());
  EXPECT_FALSE(p.colorbar) << "no time, no scale";
  r = samples::tuning();
  kernel.params.clear();
  p = tune_plane_figure(r, kernel, {}, light_theme());
  EXPECT_EQ(p.images[0].width, 1);
}

TEST(WorkingSetFigure, TheCurveStandsBetweenL2AndDram) {
  const MeasuredRoofs m = samples::measured_roofs();
  const Plot p = working_set_figure(m, 62914560, light_theme());
  ASSERT_EQ(p.series.size(), 4u);  // L2, DRAM, the curve, its points
  EXPECT_DOUBLE_EQ(p.series[0].x.at(0), 62.91456);
  EXPECT_DOUBLE_EQ(p.series[1].y.at(0), 4400);
  ASSERT_EQ(p.series[3].x.size(), m.curve.size());
  EXPECT_EQ(p.series[3].tooltips.size(), m.curve.size());
  for (std::size_t i = 0; i < m.curve.size(); ++i) {
    EXPECT_DOUBLE_EQ(p.series[2].x[i], m.curve[i].bytes / 1e6);
    EXPECT_DOUBLE_EQ(p.series[2].y[i], m.curve[i].gbs);
    EXPECT_GT(p.series[2].x[i], p.x.min);
    EXPECT_LT(p.series[2].x[i], p.x.max);
    EXPECT_LT(p.series[2].y[i], p.y.max);
  }
  EXPECT_EQ(p.rows.size(), m.curve.size());
  EXPECT_EQ(p.rows[0][column(p, "provenance")], "measured");
  EXPECT_NE(p.subtitle.find("2026-11-20"), std::string::npos);
  // Nothing measured, L2 not known: empty axes, no rule, no crash.
  const Plot none = working_set_figure({}, 0, light_theme());
  EXPECT_TRUE(none.series.empty());
  EXPECT_LT(none.x.min, none.x.max);
}

TEST(Ticks, CategoriesAreThinnedNotCrowded) {
  Axis a;
  a.min = -0.5, a.max = 6.5;
  a.categories = {"1", "2", "4", "8", "16", "32", "64"};
  EXPECT_EQ(ticks(a, 8).size(), 7u);
  EXPECT_EQ(ticks(a, 8)[3].label, "8");
  const auto few = ticks(a, 4);
  ASSERT_EQ(few.size(), 4u);
  EXPECT_EQ(few[1].value, 2);
  EXPECT_EQ(few[1].label, "4");
}

}  // namespace
}  // namespace warpspy::plot
