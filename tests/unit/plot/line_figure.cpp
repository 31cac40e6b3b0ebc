// Speed over what was turned.
#include <gtest/gtest.h>

#include "core/plot/many_figures.hpp"

namespace warpspy::plot {
namespace {

RunLines lines(std::size_t curves) {
  RunLines all;
  all.x = "coop", all.x_label = "Threads per row", all.conditions = "f32, Toy, warm", all.doubling = true;
  for (std::size_t k = 0; k < curves; ++k) {
    RunLines::Curve c{"matrix " + std::to_string(k), {}};
    for (const double x : {2.0, 4.0, 8.0})
      c.points.push_back({x, x / static_cast<double>(k + 1), 10 / x, 100 * k + static_cast<std::uint64_t>(x)});
    all.curves.push_back(std::move(c));
  }
  return all;
}

std::size_t marks(const Plot& p) {
  std::size_t count = 0;
  for (const Series& s : p.series) count += s.kind == Series::Kind::points ? s.ids.size() : 0;
  return count;
}

TEST(LineFigure, HasAMarkForEachPointAndARowForEachNumber) {
  const Plot p = line_figure(lines(3), light_theme());
  EXPECT_EQ(marks(p), 9u);
  EXPECT_EQ(p.rows.size(), 9u);
  EXPECT_EQ(p.x.label, "Threads per row");
  EXPECT_EQ(p.x.categories, (std::vector<std::string>{"2", "4", "8"}));
  EXPECT_GT(p.y.max, 8);
}

TEST(LineFigure, DrawsTheFastestAndSaysSo) {
  const Plot p = line_figure(lines(15), light_theme());
  EXPECT_EQ(marks(p), 12u * 3);
  EXPECT_EQ(p.rows.size(), 45u) << "the table has all";
  ASSERT_FALSE(p.foot.empty());
  EXPECT_EQ(p.foot[0], "The fastest 12 of 15 curves; the table has all.");
}

// Five files have nothing in common but the kernel: their sizes are to scale, and no line joins them.
TEST(LineFigure, OtherMatricesAreNotJoined) {
  RunLines all = lines(3);
  all.x = "nnz", all.by_size = true, all.joined = false;
  const Plot p = line_figure(all, light_theme());
  EXPECT_TRUE(p.x.categories.empty());
  EXPECT_EQ(p.x.scale, Scale::log10);
  EXPECT_EQ(marks(p), 9u);
  std::size_t named = 0;
  for (const Series& s : p.series) {
    EXPECT_EQ(s.kind, Series::Kind::points);
    named += !s.name.empty();
  }
  EXPECT_EQ(named, 3u) << "the legend has their names";
  all.joined = true;
  std::size_t joining = 0;
  for (const Series& s : line_figure(all, light_theme()).series) joining += s.kind == Series::Kind::line;
  EXPECT_EQ(joining, 3u) << "sizes of one generator";
}

TEST(LineFigure, SaysWhenNothingWasTurned) {
  const Plot p = line_figure(RunLines{}, light_theme());
  ASSERT_EQ(p.notes.size(), 1u);
  EXPECT_TRUE(p.series.empty());
}

}  // namespace
}  // namespace warpspy::plot
