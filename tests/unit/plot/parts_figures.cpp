// Figures of products over several GPUs: a lane for each, and speed-ups.
#include "core/plot/parts_figures.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "samples.hpp"

namespace warpspy::plot {
namespace {

std::size_t bars(const Plot& plot, std::uint64_t run) {
  std::size_t count = 0;
  for (const Series& s : plot.series) count += s.kind == Series::Kind::bars && s.ids.front() == run;
  return count;
}

TEST(PartsFigure, EachGpuHasALaneWithItsWorkInOrder) {
  const auto run = samples::divided_runs().back();
  const Plot plot = parts_figure({run}, light_theme());
  ASSERT_EQ(plot.y.categories.size(), run->parts.size());
  EXPECT_EQ(plot.y.categories.front(), "GPU 1");
  ASSERT_EQ(plot.rows.size(), run->parts.size());
  EXPECT_EQ(plot.rows[2].size(), plot.columns.size());
  for (std::size_t k = 0; k < run->parts.size(); ++k) {
    const PartResult& p = run->parts[k];
    double end = 0, sum = 0;
    for (const Series& s : plot.series) {
      const double middle = (s.y.at(0) + s.base) / 2;
      if (middle < static_cast<double>(k) - 0.5 || middle > static_cast<double>(k) + 0.5) continue;
      EXPECT_EQ(s.ids.at(0), run->id);
      if (s.base > static_cast<double>(k) + 0.2) {  // the link, below the others
        EXPECT_EQ(s.x.at(1), p.link_us);
        continue;
      }
      EXPECT_NEAR(s.x.at(0), end, 1e-9) << "one after another";
      end = s.x.at(1), sum += s.x.at(1) - s.x.at(0);
    }
    EXPECT_NEAR(sum, p.time_us, 1e-9);
    EXPECT_LE(end, plot.x.max);
  }
}

TEST(PartsFigure, RunsStandOneBelowTheOther) {
  const auto runs = samples::divided_runs();
  const Plot plot = parts_figure(runs, light_theme());
  std::size_t lanes = 0, divided = 0;
  for (const auto& r : runs) {
    if (r->parts.empty()) continue;
    lanes += r->parts.size(), ++divided;
    EXPECT_GT(bars(plot, r->id), 0u);
  }
  EXPECT_EQ(plot.y.categories.size(), lanes + divided) << "each run has a line for its name";
  EXPECT_EQ(plot.notes.size(), divided);
  EXPECT_EQ(bars(plot, runs.front()->id), 0u) << "a run on one GPU has no lane";
  EXPECT_TRUE(parts_figure({runs.front()}, light_theme()).series.empty());
}

TEST(PartsFigure, OfManyGpusTheSlowestAreDrawn) {
  auto r = std::make_shared<RunRecord>(*samples::divided_runs().back());
  r->parts.assign(100, r->parts.front());
  r->parts[77].time_us += 5;
  const Plot plot = parts_figure({r}, light_theme());
  EXPECT_EQ(plot.y.categories.size(), 32u);
  EXPECT_NE(std::find(plot.y.categories.begin(), plot.y.categories.end(), "GPU 78"), plot.y.categories.end());
  EXPECT_EQ(plot.foot.front(), "The 32 slowest of 100 GPUs; the numbers have all.");
  EXPECT_EQ(plot.rows.size(), 100u);
}

TEST(PartsFigure, TheBarsOfASolveFillItsIteration) {
  auto r = std::make_shared<RunRecord>(*samples::divided_runs().back());
  r->request.solver = Solver::cg, r->solve.emplace();
  for (PartResult& p : r->parts) {
    p.vectors_us = 3, p.dots_us = 2, p.dots_waiting_us = 7;
    p.time_us = p.local_us + p.waiting_us + p.halo_us + 12;
  }
  const Plot plot = parts_figure({r}, light_theme());
  std::map<double, double> filled;  // by lane
  for (const Series& s : plot.series)
    if (s.base - s.y.front() > 0.3) filled[s.y.front()] += s.x[1] - s.x[0];  // the link's bar is less high
  ASSERT_EQ(filled.size(), r->parts.size());
  std::size_t k = 0;
  for (const auto& [lane, us] : filled) EXPECT_NEAR(us, r->parts[k++].time_us, 1e-9);
  EXPECT_NE(std::find(plot.columns.begin(), plot.columns.end(), "dots_waiting_us"), plot.columns.end());
  for (const auto& row : plot.rows) EXPECT_EQ(row.size(), plot.columns.size());
}

TEST(PartsFigure, OfManyRunsTheLastAreDrawn) {
  const auto run = samples::divided_runs().back();
  const Plot plot = parts_figure(std::vector(9, run), light_theme());
  EXPECT_EQ(plot.notes.size(), 6u);
  EXPECT_EQ(plot.foot.front(), "The last 6 of 9 runs.");
}

TEST(SpeedUpFigure, HasALineForEachWayAndTheIdealOne) {
  const SpeedUps of = speed_ups(samples::divided_runs(), Catalog{});
  ASSERT_EQ(of.curves.size(), 2u);
  const Plot plot = speed_up_figure(of, light_theme());
  std::size_t lines = 0, right = 0, marks = 0;
  for (const Series& s : plot.series) {
    lines += s.kind == Series::Kind::line;
    right += s.right_axis;
    marks += s.kind == Series::Kind::points ? s.ids.size() : 0;
  }
  EXPECT_EQ(lines, 5u) << "two speed-ups, two efficiencies, the ideal one";
  EXPECT_EQ(right, 2u);
  EXPECT_EQ(marks, plot.rows.size());
  EXPECT_GE(plot.y.max, 8) << "the ideal line ends at the most GPUs";
  EXPECT_TRUE(speed_up_figure({}, light_theme()).series.empty());
}

}  // namespace
}  // namespace warpspy::plot
