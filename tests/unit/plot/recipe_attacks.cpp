// Figures that somebody wrote to do harm: each is refused where it is read, with one line, before anything is drawn.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "core/base/types.hpp"
#include "core/plot/figure_recipe.hpp"
#include "core/plot/plot_check.hpp"
#include "core/plot/plot_json.hpp"
#include "samples.hpp"

namespace warpspy::plot {
namespace {

Plot of_table() {
  Plot p;
  p.tables.push_back({"a", "", 2, 3, std::vector<Table::Cell>(6)});
  return p;
}
Plot of_warp() {
  Plot p;
  WarpPanel w;
  w.lanes.resize(32), w.lines.resize(4), w.columns = 5, w.steps.resize(5 * 32);
  p.warps.push_back(w);
  return p;
}
Plot of_image() {
  Plot p;
  p.images.push_back({0, 1, 0, 1, 4, 2, std::make_shared<std::vector<std::uint32_t>>(8)});
  return p;
}
Plot of_diagram() {
  Plot p;
  p.diagram.emplace();
  p.diagram->boxes.resize(1), p.diagram->arrows.resize(1);
  return p;
}
Plot of_points() {
  Plot p;
  p.series.resize(1);
  p.series[0].x = p.series[0].y = {1, 2, 3};
  p.series[0].label = "a";
  return p;
}

struct Attack {
  const char* name;
  Plot (*plot)();
  void (*change)(Plot&, Page&);
  const char* says;
};
// The next one is a line.
const Attack kAttacks[] = {
    {"more rows than cells", of_table, [](Plot& p, Page&) { p.tables[0].rows = 3; }, "table of 3 x 3 has 6"},
    {"fewer cells", of_table, [](Plot& p, Page&) { p.tables[0].cells.pop_back(); }, "has 5 cells"},
    {"product overflows", of_table, [](Plot& p, Page&) { p.tables[0].rows = 1 << 30, p.tables[0].cols = 1 << 30; },
     "out of range"},
    {"negative rows", of_table, [](Plot& p, Page&) { p.tables[0].rows = -2, p.tables[0].cols = -3; }, "out of range"},
    {"columns without cells", of_table,
     [](Plot& p, Page&) { p.tables[0].cells.clear(), p.tables[0].rows = 0, p.tables[0].cols = 60000; }, "no cells"},
    {"a thousand tables", of_table, [](Plot& p, Page&) { p.tables.resize(1000, p.tables[0]); }, "1000 tables"},
    {"steps of a warp", of_warp, [](Plot& p, Page&) { p.warps[0].steps.resize(7); }, "warp of 5 x 32 has 7"},
    {"columns of a warp", of_warp, [](Plot& p, Page&) { p.warps[0].columns = 1 << 20; }, "out of range"},
    {"columns below none", of_warp, [](Plot& p, Page&) { p.warps[0].columns = -1; }, "out of range"},
    {"lanes of a warp", of_warp, [](Plot& p, Page&) { p.warps[0].lanes.resize(33); }, "33 lanes"},
    {"a line that is not there", of_warp, [](Plot& p, Page&) { p.warps[0].lanes[3].line = 4; }, "a lane's line"},
    {"a line below none", of_warp, [](Plot& p, Page&) { p.warps[0].lanes[3].line = -2; }, "a lane's line"},
    {"a step that is nowhere", of_warp, [](Plot& p, Page&) { p.warps[0].now = NAN; }, "a warp's step"},
    {"an entry outside", of_warp, [](Plot& p, Page&) { p.warps[0].entries = {{2, 0, {}}}; }, "an entry"},
    {"pixels of a picture", of_image, [](Plot& p, Page&) { p.images[0].width = 5; }, "picture of 5 x 2 has 8"},
    {"no pixels", of_image, [](Plot& p, Page&) { p.images[0].rgba.reset(); }, "has 0 pixels"},
    {"a picture a pixel wide", of_image, [](Plot& p, Page&) { p.images[0].width = 1, p.images[0].height = 1 << 22; },
     "out of range"},
    {"a picture at no place", of_image, [](Plot& p, Page&) { p.images[0].x0 = NAN; }, "a place"},
    {"a diagram without height", of_diagram, [](Plot& p, Page&) { p.diagram->height = 0; }, "a diagram's height"},
    {"a box that is far away", of_diagram, [](Plot& p, Page&) { p.diagram->boxes[0].at.x = 1e30; }, "a place"},
    {"a band of endless width", of_diagram, [](Plot& p, Page&) { p.diagram->arrows[0].share = INFINITY; }, "share"},
    {"a tall one alone", of_diagram, [](Plot& p, Page&) { p.tall = p.diagram, p.tall->width = NAN, p.diagram.reset(); },
     "a diagram's width"},
    {"an axis that ends nowhere", of_points, [](Plot& p, Page&) { p.x.max = INFINITY; }, "a place"},
    {"an axis of a huge span", of_points, [](Plot& p, Page&) { p.x.min = -1e308, p.x.max = 1e308; }, "a place"},
    {"an axis of a tiny span", of_points, [](Plot& p, Page&) { p.x.min = 0, p.x.max = 1e-320; }, "too small"},
    {"too many names", of_points, [](Plot& p, Page&) { p.x.categories.resize(100000, "a"); }, "texts"},
    {"a line of endless width", of_points, [](Plot& p, Page&) { p.series[0].width = 1e300; }, "a line's width"},
    {"words among points", of_points,
     [](Plot& p, Page&) {
       p.series.resize(1000, p.series[0]);
       p.series[0].x.resize(100000), p.series[0].y.resize(100000);
     },
     "too many words"},
    {"a colour bar's tick", of_points, [](Plot& p, Page&) { p.colorbar = {"a", {1, 2}, {{NAN, "b"}}, true}; },
     "a place"},
    {"an unknown sign", of_points, [](Plot& p, Page&) { p.series[0].mark = static_cast<Mark>(15); }, "not known"},
    {"an unknown side", of_points, [](Plot& p, Page&) { p.notes = {{0, 0, "a", {}, false, static_cast<Align>(3)}}; },
     "not known"},
    {"an unknown kind", of_points, [](Plot& p, Page&) { p.series[0].kind = static_cast<Series::Kind>(6); },
     "not known"},
    {"a text without end", of_points, [](Plot& p, Page&) { p.title.assign(5000, 'w'); }, "letters of one text"},
    {"many long texts", of_points,
     [](Plot& p, Page&) {
       p.series.resize(3000), p.series[0].name = "a";
       for (Series& s : p.series) s.name.assign(4000, 'w');
     },
     "letters"},
    {"a page without width", of_points, [](Plot&, Page& page) { page.width = 0; }, "its page"},
    {"a page of no number", of_points, [](Plot&, Page& page) { page.height = NAN; }, ""},
    {"letters without size", of_points, [](Plot&, Page& page) { page.font_pt = 0; }, "its page"},
    {"giant letters", of_points, [](Plot&, Page& page) { page.font_pt = 1e9; }, "its page"},
    {"pixels without number", of_points,
     [](Plot&, Page& page) { page.width = page.height = 10000, page.png_scale = 3.2; }, "its page"},
};

TEST(RecipeAttacks, EachIsRefusedWhereItIsRead) {
  for (const Attack& a : kAttacks) {
    SCOPED_TRACE(a.name);
    Plot plot = a.plot();
    Page page;
    EXPECT_NO_THROW(read_figure(recipe_text({}, plot, page))) << "what it is made of is good";
    a.change(plot, page);
    const std::string bytes = recipe_text({}, plot, page);
    try {
      read_figure(bytes);
      ADD_FAILURE() << "was read";
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(a.says), std::string::npos) << e.what();
      EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos);
    }
  }
}

// A megabyte that unpacks to a thousand of them, and a text that takes sixty times its size once it is parsed.
TEST(RecipeAttacks, WhatUnpacksBeyondAllThatIsWrittenIsRefused) {
  FigureRecipe recipe;
  recipe.desk.assign(std::size_t{65} << 20, 'w');
  const std::string bytes = recipe_text(recipe, {}, {});
  EXPECT_LT(bytes.size(), std::size_t{1} << 20);
  EXPECT_THROW(read_figure(bytes), Error);
  std::string parts = "[";
  for (std::size_t k = 0; k < kMostJsonParts; ++k) parts += "0,";
  try {
    plot_of(parts + "0]");
    ADD_FAILURE() << "was read";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("more parts"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace warpspy::plot
