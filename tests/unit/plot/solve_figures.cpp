// Figures of solves: a bar for each launch of an iteration on a time axis, and residuals of several solves.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "core/plot/many_figures.hpp"
#include "samples.hpp"

namespace warpspy::plot {
namespace {

std::vector<const Series*> bars_of(const Plot& plot, std::uint64_t run) {
  std::vector<const Series*> bars;
  for (const Series& s : plot.series)
    if (s.kind == Series::Kind::bars && s.ids.front() == run) bars.push_back(&s);
  return bars;
}

TEST(IterationFigure, HasABarForEachLaunchOneAfterAnother) {
  const auto runs = samples::solved_runs();
  const Plot plot = iteration_figure(runs, light_theme());
  // The second run is an older one, which only tells its kinds of work.
  const std::size_t bars[] = {5, 4, 5};
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const auto own = bars_of(plot, runs[k]->id);
    ASSERT_EQ(own.size(), bars[k]) << k;
    double end = 0;
    for (const Series* bar : own) {
      EXPECT_DOUBLE_EQ(bar->x.at(0), end) << k;
      EXPECT_GT(bar->x.at(1), bar->x.at(0)) << k;
      EXPECT_LT(bar->y.at(0), static_cast<double>(k)) << "in its own row";
      EXPECT_GT(bar->base, static_cast<double>(k));
      end = bar->x.at(1);
    }
    EXPECT_NEAR(end, runs[k]->time.value, 1e-9) << k;
  }
  EXPECT_EQ(plot.y.categories.size(), runs.size());
  EXPECT_GE(plot.x.max, 66);
}

TEST(IterationFigure, ItsNumbersTellEachLaunch) {
  const Plot plot = iteration_figure(samples::solved_runs(), light_theme());
  ASSERT_EQ(plot.columns.size(), 8u);
  std::vector<std::string> parts;
  for (const auto& row : plot.rows)
    if (row[0] == "1") parts.push_back(row[3] + " " + row[4]);
  EXPECT_EQ(parts, (std::vector<std::string>{"1 product", "2 updates", "3 sums", "4 updates", " between launches"}));
  EXPECT_DOUBLE_EQ(std::strtod(plot.rows[1][5].c_str(), nullptr), 0.55 * 31) << "it begins when the product has ended";
}

TEST(ResidualFigure, HasALineForEachSolve) {
  const auto runs = samples::solved_runs();
  for (const bool over_time : {false, true}) {
    const Plot plot = residual_figure(runs, over_time, light_theme());
    std::size_t lines = 0;
    for (const Series& s : plot.series) {
      if (s.kind != Series::Kind::line || s.x.empty()) continue;
      const RunRecord& r = *runs.at(lines++);
      const auto iterations = static_cast<double>(r.solve->iterations);
      EXPECT_DOUBLE_EQ(s.x.back(), over_time ? iterations * r.time.value * 1e-3 : iterations);
    }
    EXPECT_EQ(lines, runs.size());
  }
}

// The legend tells whose true residual a mark is.
TEST(ResidualFigure, ALegendEntryHasTheMarkOfItsSolve) {
  const Plot plot = residual_figure(samples::solved_runs(), false, light_theme());
  std::set<Mark> ends, named;
  for (const Series& s : plot.series) {
    if (s.kind == Series::Kind::points) ends.insert(s.mark);
    if (!s.name.empty()) named.insert(s.mark);
  }
  EXPECT_EQ(ends.size(), 3u);
  EXPECT_EQ(named, ends);
}

}  // namespace
}  // namespace warpspy::plot
