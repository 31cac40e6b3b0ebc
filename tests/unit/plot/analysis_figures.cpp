// Figures of analyses and of the memory: every number is in the table, its kind can be seen, what is missing is said.
#include "core/plot/analysis_figures.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/run/no_l2.hpp"
#include "recording_canvas.hpp"
#include "samples.hpp"

namespace warpspy::plot {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t column(const Plot& p, const std::string& name) {
  return static_cast<std::size_t>(std::find(p.columns.begin(), p.columns.end(), name) - p.columns.begin());
}

TEST(AnalysisFigure, EveryAnalysisAtEveryProvenance) {
  const std::pair<Provenance, Fill> kinds[] = {{Provenance::measured, Fill::half},
                                               {Provenance::modelled, Fill::hollow}};
  for (const AnalysisRow& row : analyses())
    for (const auto& [provenance, fill] : kinds)
      for (const std::size_t kernels : {1, 3, 8}) {
        SCOPED_TRACE(row.info.id + " " + name_of(provenance) + " " + std::to_string(kernels));
        const AnalysisResult r = samples::analysis(row.info.id, provenance, kernels);
        const Plot p = analysis_figure(r, light_theme());
        EXPECT_EQ(p.rows.size(), r.values.size());
        EXPECT_EQ(p.title, row.info.label);
        EXPECT_TRUE(has(p.subtitle, row.info.source)) << p.subtitle;
        EXPECT_EQ(std::count(p.foot.begin(), p.foot.end(), row.info.formula), 1);
        std::size_t drawn = 0;
        for (const Series& s : p.series)
          for (std::size_t k = 0; k < s.tooltips.size(); ++k, ++drawn) {
            const Axis& y = s.right_axis ? *p.y2 : p.y;
            EXPECT_TRUE(s.y[k] >= y.min && s.y[k] <= y.max) << s.tooltips[k];
            EXPECT_TRUE(s.x[k] >= p.x.min && s.x[k] <= p.x.max) << s.tooltips[k];
            if (provenance == Provenance::modelled) {
              EXPECT_EQ(s.fill, fill) << s.tooltips[k];
            }
          }
        std::size_t known = 0;
        for (const AnalysisValue& v : r.values) known += v.value.has_value();
        EXPECT_EQ(drawn, known) << "each value can be pointed at";
        RecordingCanvas canvas;
        draw(p, canvas, {0, 0, 900, 600}, light_theme());
        EXPECT_FALSE(canvas.saw_nan);
        EXPECT_EQ(canvas.clips, 0);
        EXPECT_TRUE(has(canvas.calls, row.info.formula.substr(0, 12))) << "the formula stands below";
      }
}

// A kernel that has no such parameter was run at no place of the sweep.
TEST(AnalysisFigure, ASweepHasNoPlaceBeforeItsFirst) {
  AnalysisResult r = samples::analysis("coop");
  AnalysisSubject scalar;
  scalar.label = "CSR scalar", scalar.problem = "kernel csr_scalar has no parameter coop";
  r.subjects.push_back(scalar);
  revalue(r);
  const Plot p = analysis_figure(r, light_theme());
  EXPECT_EQ(p.x.categories, (std::vector<std::string>{"1", "2", "4", "8", "16", "32"}));
}

TEST(AnalysisFigure, EveryCurveOfASweepIsNamed) {
  for (const char* id : {"coop", "stride"})
    for (const Rect frame : {Rect{0, 0, 900, 600}, Rect{0, 0, 620, 420}}) {
      const Plot p = analysis_figure(samples::analysis(id), light_theme());
      RecordingCanvas canvas;
      draw(p, canvas, frame, light_theme());
      for (const Series& s : p.series)
        EXPECT_TRUE(s.label.empty() || has(canvas.calls, "\"" + s.label + "\"")) << id << ": " << s.label;
    }
}

TEST(AnalysisFigure, WhatIsMissingIsSaidWithItsReason) {
  const Plot p = analysis_figure(samples::analysis("throughput", Provenance::modelled, 2), light_theme());
  const auto foot = std::find_if(p.foot.begin(), p.foot.end(), [](const auto& s) { return has(s, "unavailable"); });
  ASSERT_NE(foot, p.foot.end());
  EXPECT_EQ(*foot,
            "unavailable: L2 read by the texture cache, texture cache: texture and L1 are one cache on this GPU");
  for (const auto& row : p.rows)
    EXPECT_EQ(row[column(p, "value")].empty(), row[column(p, "provenance")] == "unavailable");
}

TEST(AnalysisFigure, NothingAvailableIsNoEmptyPicture) {
  AnalysisResult r = samples::analysis("balance", Provenance::modelled, 1);
  for (AnalysisValue& v : r.values) v.value.reset(), v.reason = "no counters";
  const Plot p = analysis_figure(r, light_theme());
  ASSERT_EQ(p.notes.size(), 1u);
  RecordingCanvas canvas;
  draw(p, canvas, {0, 0, 900, 600}, light_theme());
  EXPECT_TRUE(has(canvas.calls, "no counters"));
}

TEST(AnalysisFigure, PartsOfTheTimeStandOnEachOther) {
  const Plot p = analysis_figure(samples::analysis("times", Provenance::modelled, 1), light_theme());
  double base = 0;
  int bars = 0;
  for (const Series& s : p.series) {
    if (s.kind != Series::Kind::bars || s.y.empty()) continue;
    EXPECT_NEAR(s.base, base, 1e-9);
    base = s.y[0];
    ++bars;
  }
  EXPECT_EQ(bars, 3);
  EXPECT_NEAR(base, 100, 1e-9);
}

TEST(MemoryFigure, BytesRatesAndDifferences) {
  const Plot p = samples::memory(light_theme());
  RecordingCanvas canvas;
  draw(p, canvas, {0, 0, 900, 700}, light_theme());
  for (const char* text : {"SM", "L1", "L2", "DRAM", "96.5 MB", "hit 34.0 %", "hit 23.0 %", "63.5 MB", "67.3 MB",
                           "+6.0 %", "same bytes", "500 kB", "measured", "modelled"})
    EXPECT_TRUE(has(canvas.calls, text)) << text;
  EXPECT_EQ(p.rows.size(), 10u);  // L1 and L2 loads, stores, DRAM reads and writes, twice
  ASSERT_TRUE(p.diagram);
  int solid = 0, hollow = 0;
  for (const Diagram::Arrow& a : p.diagram->arrows) {
    solid += a.fill == Fill::solid, hollow += a.fill == Fill::hollow;
    EXPECT_TRUE(a.share >= 0 && a.share <= 1);
    EXPECT_FALSE(a.tooltip.empty());
  }
  EXPECT_EQ(solid, 5);
  EXPECT_EQ(hollow, 5);
}

TEST(MemoryFigure, TextureCacheApartIsABoxOfItsOwn) {
  const Plot p = memory_figure({samples::full_run(1, Provenance::modelled, true)}, light_theme());
  const auto box = std::find_if(p.diagram->boxes.begin(), p.diagram->boxes.end(),
                                [](const auto& b) { return b.title == "Texture"; });
  EXPECT_NE(box, p.diagram->boxes.end());
  // L1: 96.5 - 40 MB; (96.5 x 34 - 40 x 71) / 56.5 = 7.8 % of them hit.
  const auto l1 = std::find_if(p.rows.begin(), p.rows.end(), [](const auto& r) { return r[4] == "L1 loads"; });
  ASSERT_NE(l1, p.rows.end());
  EXPECT_DOUBLE_EQ(std::stod((*l1)[column(p, "bytes")]), 56.5e6);
  EXPECT_NEAR(std::stod((*l1)[column(p, "hit_rate")]), 7.805, 0.001);
}

TEST(MemoryFigure, AGpuWithoutL2HasNoSuchBox) {
  RunRecord r = *samples::full_run(1, Provenance::modelled);
  for (Counter& c : r.counters)
    if (c.id.starts_with("l2_")) c.value.reset(), c.reason = no_l2_reason;
  const Plot p = memory_figure({std::make_shared<const RunRecord>(r)}, light_theme());
  for (const auto& boxes : {p.diagram->boxes, p.tall->boxes})
    for (const Diagram::Box& b : boxes) EXPECT_NE(b.title, "L2");
  for (const Diagram::Arrow& a : p.diagram->arrows) EXPECT_FALSE(a.missing) << a.tooltip;
  EXPECT_EQ(p.diagram->arrows.size(), 3u) << "loads out of L1, reads from DRAM, writes to it";
  EXPECT_TRUE(p.foot.empty());
}

TEST(MemoryFigure, UnknownBytesAreADashedLineWithTheReasonBelow) {
  RunRecord r = *samples::full_run(1, Provenance::measured);
  for (Counter& c : r.counters) c.value.reset(), c.reason = "counters are for administrators only";
  const Plot p = memory_figure({std::make_shared<const RunRecord>(r)}, light_theme());
  for (const Diagram::Arrow& a : p.diagram->arrows) EXPECT_TRUE(a.missing);
  EXPECT_EQ(p.foot, std::vector<std::string>{"unavailable: counters are for administrators only"});
}

TEST(MemoryFigure, NoOrFailedRuns) {
  RunRecord failed = *samples::full_run(1, Provenance::measured);
  failed.status = RunStatus::failed;
  for (const auto& runs :
       {std::vector<std::shared_ptr<const RunRecord>>{},
        std::vector<std::shared_ptr<const RunRecord>>{nullptr, std::make_shared<const RunRecord>(failed)}}) {
    const Plot p = memory_figure(runs, light_theme());
    EXPECT_TRUE(p.rows.empty());
    RecordingCanvas canvas;
    draw(p, canvas, {0, 0, 900, 600}, light_theme());
  }
}

TEST(MemoryFigure, FitsAnyFrame) {
  const Plot p = samples::memory(light_theme());
  for (const double w : {40.0, 200.0, 600.0, 1600.0})
    for (const double h : {30.0, 150.0, 400.0, 1200.0}) {
      RecordingCanvas canvas;
      draw(p, canvas, {0, 0, w, h}, light_theme());
      EXPECT_FALSE(canvas.saw_nan) << w << " x " << h;
      EXPECT_EQ(canvas.clips, 0);
    }
}

TEST(RooflineFigure, ByteCountsOfTheOnlyRunAreMarked) {
  const Plot p = samples::roofline_counts(light_theme());
  for (const char* label : {"minimum", "effective", "caching", "Table 1"}) {
    EXPECT_TRUE(std::any_of(p.notes.begin(), p.notes.end(), [&](const Note& n) { return n.text == label; })) << label;
  }
  int rows = 0;
  for (const auto& row : p.rows) rows += has(row[0], " bytes");
  EXPECT_EQ(rows, 4);
  for (const Note& n : p.notes) EXPECT_TRUE(n.x > p.x.min && n.x < p.x.max && n.y > p.y.min) << n.text;
}

TEST(RooflineFigure, ExecutedFlopsAreSaid) {
  RooflineStyle style;
  style.flops = FlopCount::executed;
  const Plot p = roofline_figure(samples::h200_roofs(), "NVIDIA H200", {samples::full_run(1, Provenance::modelled)},
                                 style, light_theme());
  EXPECT_TRUE(has(p.x.label, "executed"));
  EXPECT_TRUE(has(p.subtitle, "padding"));
}

}  // namespace
}  // namespace warpspy::plot
