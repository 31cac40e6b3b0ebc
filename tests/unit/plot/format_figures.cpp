// Layout and padding pictures: what they show is what the formats are.
#include "core/plot/format_figures.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "recording_canvas.hpp"
#include "samples.hpp"

namespace warpspy::plot {
namespace {

std::string cells(const Plot& plot, const std::string& name) {
  for (const Table& t : plot.tables) {
    if (t.name != name) continue;
    std::string text;
    for (int k = 0; k < t.rows * t.cols; ++k)
      text += t.cells[static_cast<std::size_t>(k)].text + ((k + 1) % t.cols == 0 ? ";" : " ");
    return text;
  }
  return "no table " + name;
}

TEST(LayoutFigure, PrintsThePapersExample) {
  const Theme theme = light_theme();
  const Plot dia = samples::layout("dia", {{"alignment", 4}}, theme);
  EXPECT_EQ(cells(dia, "values"), "* 1 7;* 2 8;5 3 9;6 4 *;");
  EXPECT_EQ(cells(dia, "A"), "1 7  ; 2 8 ;5  3 9; 6  4;");
  EXPECT_EQ(cells(samples::layout("ell", {{"alignment", 4}}, theme), "columns"), "0 1 *;1 2 *;0 2 3;1 3 *;");
}

// One entry has one tag, in the matrix and in every array.
TEST(LayoutFigure, TagsFollowEntries) {
  const Plot ell = samples::layout("ell", {{"alignment", 4}}, light_theme());
  const auto tag = [&](const std::string& table, std::size_t cell) {
    for (const Table& t : ell.tables)
      if (t.name == table) return t.cells[cell].tag;
    return std::uint64_t{0};
  };
  EXPECT_NE(tag("A", 2 * 4 + 3), 0u);
  EXPECT_EQ(tag("A", 2 * 4 + 3), tag("values", 2 * 3 + 2));
  EXPECT_EQ(tag("A", 2 * 4 + 3), tag("columns", 2 * 3 + 2));
  EXPECT_EQ(tag("values", 2), 0u) << "padding";
}

TEST(LayoutFigure, RowsOfPaddingArePrintedOnce) {
  const Plot ell = samples::layout("ell", {{"alignment", 32}}, light_theme());
  for (const Table& t : ell.tables) {
    if (t.name == "A") continue;
    EXPECT_EQ(t.rows, 5);
    EXPECT_NE(t.note.find("27 more rows"), std::string::npos) << t.note;
  }
}

TEST(LayoutFigure, DrawsAtAnySizeAndAnswersWhereCellsAre) {
  const Plot ell = samples::layout("ell", {{"alignment", 4}}, light_theme());
  for (const double w : {1.0, 20.0, 100.0, 300.0, 900.0})
    for (const double h : {1.0, 20.0, 100.0, 600.0}) {
      RecordingCanvas canvas;
      const Layout layout = draw(ell, canvas, {0, 0, w, h}, light_theme());
      for (const auto& c : layout.cells) {
        ASSERT_LT(c.table, ell.tables.size());
        ASSERT_LT(c.cell, ell.tables[c.table].cells.size());
        EXPECT_LE(c.rect.bottom(), h + 1);
      }
      if (w == 900 && h == 600) {
        EXPECT_EQ(layout.cells.size(), 16u + 12u + 12u);
      }
    }
}

// Padding by row, plus what lies below the last row, is the padding of the estimate.
class PaddingProfiles : public ::testing::TestWithParam<std::string> {};
TEST_P(PaddingProfiles, AddUpToTheEstimate) {
  const std::string id = GetParam();
  for (const Matrix& m : {samples::power_law(), samples::stencil(), samples::four_by_four(), samples::empty(0, 3),
                          samples::empty(5, 3), samples::power_law(70)}) {
    std::vector<ParamSet> sets = {{}};
    if (id == "hyb") sets = {{}, {{"rule", 4}, {"k", 3}}, {{"rule", 4}, {"k", 0}}};
    if (id == "hyb_r") sets = {{}, {{"stop_rows", 1}, {"stop_share", 0}}, {{"depth", 1}}};
    if (id == "evc_hyb") sets = {{}, {{"boundary", 4}}, {{"boundary", 32}}};
    if (id == "sell") sets = {{}, {{"slice_rows", 4}, {"sort_window", 1}}, {{"slice_rows", 64}, {"sort_window", 16}}};
    if (id == "bsr") sets = {{}, {{"block_rows", 3}, {"block_cols", 4}}};
    for (ParamSet set : sets) {
      const FormatRow& row = format_row(id);
      for (const auto& p : row.info.params)
        if (p.id == "alignment") set["alignment"] = 1;
      const FormatFacts facts(m);
      const Estimate e = row.estimate(facts, Precision::f32, set);
      const auto profile = padding_profile(facts, id, set, e, 13);
      ASSERT_TRUE(profile);
      EXPECT_LE(profile->groups.size(), 13u);
      index_t rows = 0, entries = 0, below = 0;
      for (const auto& g : profile->groups) rows += g.rows, entries += g.entries + g.rest;
      EXPECT_EQ(rows, m.csr->rows());
      EXPECT_EQ(entries, m.csr->nnz());
      // Slices and blocks end beyond the last row.
      if (id == "sell" || id == "sell16" || id == "sell8" || id == "bsr") {
        const auto built_below = e.padding - profile->padding();
        const index_t each = set.count("slice_rows") ? static_cast<index_t>(set.at("slice_rows")) : 32;
        below = built_below;
        EXPECT_GE(below, 0);
        EXPECT_LE(below, each * (facts.lengths().longest + 8));
      }
      EXPECT_EQ(profile->padding() + below, e.padding) << m.csr->rows();
      RecordingCanvas canvas;
      draw(padding_figure("m", row.info.label, *profile, e, light_theme()), canvas, {0, 0, 500, 300}, light_theme());
    }
  }
}
std::vector<std::string> formats_with_padding() {
  std::vector<std::string> ids;
  for (const FormatRow& row : formats())
    if (row.padding) ids.push_back(row.info.id);
  return ids;
}
INSTANTIATE_TEST_SUITE_P(Formats, PaddingProfiles, ::testing::ValuesIn(formats_with_padding()));

TEST(HistogramCut, StandsRightOfItsLength) {
  HistogramStyle style;
  style.cut = 4, style.cut_label = "HYB K = 4";
  for (const bool log : {false, true}) {
    style.log_x = log;
    const Plot plot = samples::histogram(light_theme(), style);
    const Series& cut = plot.series.back();
    EXPECT_EQ(cut.label, "HYB K = 4");
    EXPECT_GT(cut.x[0], 4);
    EXPECT_LT(cut.x[0], 5);
  }
  style.cut = 1e6;
  const Plot beyond = samples::histogram(light_theme(), style);
  EXPECT_EQ(beyond.series.back().x[0], beyond.x.max);
  EXPECT_NE(beyond.series.back().label, "HYB K = 4") << "it says that it lies beyond";
}

TEST(RooflineMinimum, IsALineInSight) {
  RooflineStyle style;
  style.minimum = RooflineStyle::Minimum{0.001, "ELL minimum"};
  const Plot plot = roofline_figure(samples::h200_roofs(), "H200", {}, style, light_theme());
  bool found = false;
  for (const Series& s : plot.series) found |= s.kind == Series::Kind::vline && s.label == "ELL minimum";
  EXPECT_TRUE(found);
  EXPECT_LT(plot.x.min, 0.001);
  EXPECT_NE(std::find_if(plot.rows.begin(), plot.rows.end(), [](const auto& r) { return r[0] == "minimum"; }),
            plot.rows.end());
}

}  // namespace
}  // namespace warpspy::plot
