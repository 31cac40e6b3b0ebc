// Heat map and performance profile: what they hold, whatever they look like.
#include "core/plot/many_figures.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/plot/cell_colours.hpp"
#include "core/plot/theme.hpp"
#include "recording_canvas.hpp"
#include "samples.hpp"

namespace warpspy::plot {
namespace {

constexpr GridMeasure kMeasures[] = {GridMeasure::gflops, GridMeasure::roof_share, GridMeasure::over_best,
                                     GridMeasure::preparation};

const Series* named(const Plot& p, const std::string& name) {
  for (const Series& s : p.series)
    if (s.name == name) return &s;
  return nullptr;
}

TEST(HeatMap, HoldsEveryCellWithItsCardAndRow) {
  const RunGrid g = samples::many_runs();
  for (const GridMeasure m : kMeasures) {
    const Plot p = heat_map_figure(g, m, light_theme());
    EXPECT_EQ(p.series[0].tooltips.size(), g.cells.size());
    EXPECT_EQ(p.series[0].ids.size(), g.cells.size());
    EXPECT_EQ(p.rows.size(), g.cells.size());
    for (const auto& row : p.rows) EXPECT_EQ(row.size(), p.columns.size());
    EXPECT_EQ(p.images.at(0).rgba->size(), g.cells.size());
    ASSERT_TRUE(p.colorbar);
    EXPECT_NE(p.colorbar->label.find("modelled"), std::string::npos) << "where the numbers come from";
  }
}

TEST(HeatMap, FailuresAndGapsSayIt) {
  const Plot p = heat_map_figure(samples::many_runs(), GridMeasure::gflops, light_theme());
  const Series *failed = named(p, "failed"), *missing = named(p, "not run");
  ASSERT_TRUE(failed && missing);
  EXPECT_EQ(failed->x.size(), 2u);
  EXPECT_EQ(missing->x.size(), 2u);
  EXPECT_NE(failed->mark, missing->mark);
  EXPECT_NE(failed->tooltips[0].find("94 GB"), std::string::npos);
}

TEST(HeatMap, TheBestIsFurthestFromTheGround) {
  RunGrid g;
  g.matrices = {"a"}, g.columns = {"slow", "fast"}, g.sources = {"a"};
  g.cells = {{RunGrid::Is::ok, 4, 1, 0.2, {}, "", 1, "", 40, true}, {RunGrid::Is::ok, 1, 4, 0.8, {}, "", 2, "", 10}};
  for (const bool dark : {false, true})
    for (const GridMeasure m : kMeasures) {
      const Theme theme = dark ? dark_theme() : light_theme();
      const auto picture = heat_map_figure(g, m, theme).images.at(0).rgba;
      const auto& pixels = *picture;
      EXPECT_GT(contrast(color_of_pixel(pixels[1]), theme.ground), contrast(color_of_pixel(pixels[0]), theme.ground))
          << name_of(m);
    }
}

// Other values keep the colours that they have without it.
TEST(HeatMap, AZeroHasTheLowestColourAndLeavesTheOthers) {
  RunGrid g;
  g.matrices = {"a"}, g.columns = {"slow", "middle", "fast"}, g.sources = {"a"};
  for (const double speed : {1.0, 10.0, 100.0}) g.cells.push_back({RunGrid::Is::ok, 1, speed, 0.2, {}, "", 1, ""});
  const auto before = heat_map_figure(g, GridMeasure::gflops, light_theme()).images.at(0).rgba;
  g.columns.push_back("none");
  g.cells.push_back({RunGrid::Is::ok, 1, 0, 0, {}, "", 2, ""});
  const auto with = heat_map_figure(g, GridMeasure::gflops, light_theme()).images.at(0).rgba;
  EXPECT_TRUE(std::equal(before->begin(), before->end(), with->begin()));
  EXPECT_EQ(with->at(3), with->at(0));
}

TEST(HeatMap, NumbersStandWhereTheyHaveRoomAndCanBeRead) {
  const Plot p = heat_map_figure(samples::many_runs(), GridMeasure::gflops, light_theme());
  for (const CellText& c : p.cell_texts) {
    const auto k = static_cast<std::size_t>(c.y * 6 + c.x);
    EXPECT_GE(contrast(c.color, color_of_pixel((*p.images[0].rgba)[k])), 4.5) << c.text;
  }
  const auto shows = [&](double w, double h) {
    RecordingCanvas canvas;
    draw(p, canvas, {0, 0, w, h}, light_theme());
    return std::any_of(canvas.texts.begin(), canvas.texts.end(),
                       [&](const auto& t) { return t.text == p.cell_texts[0].text; });
  };
  EXPECT_TRUE(shows(900, 600));
  EXPECT_FALSE(shows(260, 160));
}

TEST(HeatMap, NamesOfKernelsStandUprightWhereTheyWouldTouch) {
  const Plot p = heat_map_figure(samples::many_runs(), GridMeasure::gflops, light_theme());
  const auto upright = [&](double w) {
    RecordingCanvas canvas;
    draw(p, canvas, {0, 0, w, 500}, light_theme());
    int n = 0;
    for (const auto& t : canvas.texts) n += t.turned && t.text == "CSR vector";
    return n;
  };
  EXPECT_EQ(upright(1400), 0);
  EXPECT_EQ(upright(500), 1);
}

TEST(HeatMap, NothingIsDrawnOfNothing) {
  EXPECT_TRUE(heat_map_figure({}, GridMeasure::gflops, light_theme()).images.empty());
  RecordingCanvas canvas;
  draw(heat_map_figure({}, GridMeasure::gflops, light_theme()), canvas, {0, 0, 600, 400}, light_theme());
  draw(profile_figure({}, light_theme()), canvas, {0, 0, 600, 400}, light_theme());
}

TEST(ProfileFigure, IsAStepFunctionPerKernel) {
  const RunGrid g = samples::many_runs();
  const PerformanceProfile p = profile_of(g);
  const Plot plot = profile_figure(g, light_theme());
  std::size_t labelled = 0;
  for (const Series& s : plot.series) {
    labelled += !s.name.empty();
    if (s.kind != Series::Kind::line || s.x.empty()) continue;
    ASSERT_EQ(s.x.size(), s.y.size());
    for (std::size_t k = 1; k < s.x.size(); ++k) {
      EXPECT_GE(s.x[k], s.x[k - 1]);
      EXPECT_GE(s.y[k], s.y[k - 1]) << "a share never falls";
      EXPECT_TRUE(s.x[k] == s.x[k - 1] || s.y[k] == s.y[k - 1]) << "steps";
    }
    EXPECT_LE(*std::max_element(s.y.begin(), s.y.end()), 1);
  }
  EXPECT_EQ(labelled, p.curves.size());
  EXPECT_EQ(plot.rows.size(), p.curves.size() * p.matrices.size());
}

TEST(ProfileFigure, AMarkStandsForARunThatIsThere) {
  RunGrid g = samples::many_runs();
  for (std::size_t k = 0; k < g.cells.size(); ++k) g.cells[k].run = k + 1;
  const PerformanceProfile profile = profile_of(g);
  for (const auto& c : profile.curves) {
    ASSERT_EQ(c.rows.size(), c.ratios.size());
    for (std::size_t k = 0; k < c.rows.size(); ++k)
      EXPECT_DOUBLE_EQ(c.ratios[k], g.at(c.rows[k], c.column).us / *g.best_us(c.rows[k], c.column));
  }
  std::size_t marks = 0;
  for (const Series& s : profile_figure(g, light_theme()).series) {
    if (s.kind != Series::Kind::points) continue;
    ASSERT_EQ(s.ids.size(), s.x.size());
    for (std::size_t k = 0; k < s.ids.size(); ++k) {
      if (s.ids[k] == 0) continue;
      const std::size_t cell = static_cast<std::size_t>(s.ids[k]) - 1;
      EXPECT_NE(s.tooltips[k].find("here: " + g.matrices[cell / g.columns.size()]), std::string::npos) << s.tooltips[k];
      ++marks;
    }
  }
  EXPECT_GT(marks, profile.curves.size());
}

TEST(ProfileFigure, TicksAreFactorsOnALog2Axis) {
  const Plot plot = profile_figure(samples::many_runs(), light_theme());
  ASSERT_GE(plot.x.categories.size(), 3u);
  EXPECT_EQ(plot.x.categories[0], "1");
  EXPECT_NE(plot.x.label.find("log2"), std::string::npos);
}

TEST(ProfileFigure, NoTwoCurvesLookAlike) {
  RunGrid g;
  g.matrices = {"a"}, g.sources = {"a"};
  for (int k = 0; k < 9; ++k) {
    g.columns.push_back("kernel " + std::to_string(k));
    g.cells.push_back({RunGrid::Is::ok, 1.0 + k, 1, {}, {}, "", 1, ""});
  }
  for (const Theme& theme : {light_theme(), dark_theme()}) {
    const Plot plot = profile_figure(g, theme);
    std::vector<const Series*> legend;
    for (const Series& s : plot.series)
      if (!s.name.empty()) legend.push_back(&s);
    ASSERT_EQ(legend.size(), 9u);
    for (std::size_t a = 0; a < legend.size(); ++a) {
      EXPECT_GE(contrast(legend[a]->color, theme.ground), 3);
      for (std::size_t b = a + 1; b < legend.size(); ++b)
        EXPECT_FALSE(legend[a]->color == legend[b]->color && legend[a]->mark == legend[b]->mark);
    }
  }
}

}  // namespace
}  // namespace warpspy::plot
