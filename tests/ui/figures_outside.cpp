// What the window shows and exports is what the command line draws of the same choices.
#include <set>
#include <string>
#include <utility>

#include "core/plot/plot_json.hpp"
#include "tests/ui/exporting.hpp"
#include "tests/ui/study_folder.hpp"
#include "ui/figures/figure.hpp"
#include "ui/views/view.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

// All that the window can export, and something chosen of it.
void with_everything(Harness& h) {
  h.open("gen:diagonal?n=30");
  h.open("gen:laplace5?nx=20&ny=20");
  h.session.apply(SelectMatrix{h.state().matrices.front().id});
  h.session.apply(StartRun{});
  h.settle();
  h.session.apply(SelectMatrix{h.state().matrices.back().id});
  h.session.apply(SetKernel{"csr_scalar"});
  h.session.apply(StartRun{});
  h.settle();
  h.session.apply(SetKernel{"csr_vector"});
  for (const double coop : {2, 4, 8}) {
    h.session.apply(SetParam{SetParam::Of::kernel, "coop", coop});
    h.session.apply(StartRun{});
    h.settle();
  }
  h.session.apply(choose("parts", std::uint64_t{3}));
  h.session.apply(StartRun{});
  h.settle();
  h.session.apply(choose("parts", std::uint64_t{1}));
  h.session.apply(StartSolve{});
  h.settle();
  h.session.apply(SelectRun{h.state().runs.all()[h.state().runs.all().size() - 3]->id});
  h.session.apply(choose("flops", FlopCount::executed));
  h.session.apply(choose("roofline shows", "all"));
  h.session.apply(choose("roofline colours", "kernel"));
  h.session.apply(choose("roofline zoom", "0.1 9 2 80"));
  MatricesView view;
  view.measure = plot::GridMeasure::over_best;
  h.session.apply(SetMatricesView{view});
  h.session.apply(StartTuning{});
  h.settle();
  AnalysisSettings analysis = h.state().analysis;
  analysis.id = "throughput";
  h.session.apply(SetAnalysis{analysis});
  h.session.apply(StartAnalysis{});
  h.settle();
  ShowWarp warp;
  warp.wanted.row = 42;
  h.session.apply(warp);
  h.settle();
  h.session.apply(SetWarpStep{2});
  h.settle();
  h.session.apply(CompareRuns{{h.state().runs.all()[1]->id, h.state().runs.all()[2]->id}});
  h.settle();
}

// As a real GPU's, of the device that the roofline shows.
AppState with_measured_roofs(const Harness& h) {
  AppState s = h.state();
  MeasuredRoofs roofs{s.roofline_device->name, "GPU-1", "13.0", "2026-01-01T00:00:00Z", 0, 0, {}, {}};
  for (const double mb : {1.0, 8.0, 64.0}) roofs.curve.push_back({1e6 * mb, 9000 / mb});
  s.measured_roofs[s.roofline_device->id] = roofs;
  return s;
}

// What the window shows of a row; nullptr: it draws that by itself (the pattern, from tiles), or only exports it.
const plot::Plot* on_screen(const AppState& s, const std::string& id) {
  const std::pair<const char*, const plot::Plot*> shown[] = {
      {"histogram", s.current()->histogram.get()},
      {"lengths", s.both_lengths.get()},
      {"layout", s.layout.get()},
      {"roofline", s.roofline.get()},
      {"memory", s.memory_chart.get()},
      {"residual", s.solve.residuals.get()},
      {"iteration", s.solve.parts.get()},
      {"parts", s.parts.lanes.get()},
      {"speedup", s.parts.speed_up.get()},
      {"heatmap", s.heat_map.get()},
      {"profile", s.profile.get()},
      {"line", s.line_chart.get()},
      {"cost", s.costs_chart.get()},
      {"tuning", s.tuning->plane.get()},
      {"analysis", s.analyses.at(s.analysis.id).figure.get()},
      {"warp", s.warp.figure.get()},
      {"study", s.studies.figure.get()},
  };
  for (const auto& [row, plot] : shown)
    if (row == id) return plot;
  return nullptr;
}

// The words of what is chosen, said outside.
figure::Options said_outside(const Figure& inside) {
  figure::Options outside;
  for (const figure::Field& f : figure::fields())
    if (const std::string words = f.get(inside.options); inside.row->drawn().takes_field(f.id) && !words.empty())
      f.set(outside, words);
  return outside;
}

// So they draw what the window shows.
void expect_shown_as_outside(const AppState& s, const char* id) {
  SCOPED_TRACE(std::string("on the screen: ") + id);
  const plot::Plot* shown = on_screen(s, id);
  ASSERT_TRUE(shown);
  const Figure inside = figure_of(s, id);
  plot::Plot there = figure::draw(inside.row->drawn(), inside.subject, said_outside(inside),
                                  {.theme = plot_theme(palette_of(s.theme), 12)}, Progress{});
  // A window that draws an axis anew for every step does without its numbers.
  if (inside.options.face == figure::WarpFace::axis) there.rows.clear();
  EXPECT_EQ(plot::plot_text(*shown), plot::plot_text(there));
}

// The words of what is chosen in the window draw outside what the window shows and exports: every row of the registry.
// Its recipe has the command.
TEST(FiguresOutside, EveryFigureIsTheSameOutside) {
  const StudyFolder folder;
  SessionOptions options = Harness::quiet();
  options.studies = folder.at("studies");
  Harness h(1280, 800, 1, options);
  with_everything(h);
  h.session.apply(choose("study", "made-up"));
  h.session.apply(choose("matrices show", "best"));
  h.session.apply(choose("best for", "100"));
  // Points that a search left are on the screen alone: another device, or kernel, and they are gone.
  h.session.apply(SetKernel{"csr_scalar"});
  h.session.apply(SetKernel{"csr_vector"});
  // Figures that are made only while their tab is shown.
  for (const char* tab : {"studies", "formats", "matrices", "solve", "parts", "compare"}) {
    h.session.apply(ShowTab{tab});
    h.settle();
  }
  ASSERT_TRUE(h.state().trail.empty());
  ASSERT_NE(figure_row("roofs")->reason(h.state()), "") << "nothing was measured";
  const AppState s = with_measured_roofs(h);
  for (const figure::Row* of : figure::rows()) {
    SCOPED_TRACE(of->id);
    const FigureRow* row = figure_row(of->id);
    ASSERT_TRUE(row) << "the window has no such figure";
    ASSERT_EQ(row->reason(s), "");
    const Figure inside = figure_of(s, *row);
    if (of->of == figure::Of::experiment || of->of == figure::Of::device) {
      EXPECT_TRUE(recipe_of(s, inside).command.starts_with(std::string("warpspy draw ") + of->id))
          << recipe_of(s, inside).command;
    }
    if (!of->picture()) {
      EXPECT_EQ(inside.csv(), of->csv(inside.subject, inside.options));
      EXPECT_EQ(inside.json(), of->json(inside.subject, inside.options));
      continue;
    }
    const std::set<std::string> not_shown{"spy", "mesh", "roofs"};
    if (!not_shown.contains(of->id)) expect_shown_as_outside(s, of->id);
    const figure::Options outside = said_outside(inside);
    const plot::Page page = plot::page_of(*plot::page_preset("columns"));
    const plot::Plot there = figure::draw(*of, inside.subject, outside, figure::look_of(page), Progress{});
    EXPECT_EQ(plot::plot_text(inside.draw(page, Progress{})), plot::plot_text(there));
    if (of->id == std::string("roofs")) {
      EXPECT_EQ(there.rows.size(), 3u);
    }
  }
}

TEST(FiguresOutside, EveryViewOfAWarpIsTheSameOutside) {
  Harness h;
  with_everything(h);
  h.session.apply(ShowWarp{h.state().warp.wanted, "csr_scalar"});
  h.settle();
  ASSERT_EQ(h.state().warp.seen.size(), 2u);
  for (const ThemeId theme : {ThemeId::dark, ThemeId::paper})
    for (const WarpView view : {WarpView::step, WarpView::source, WarpView::axis})
      for (const std::size_t step : {0u, 3u}) {
        SCOPED_TRACE("view " + std::to_string(static_cast<int>(view)) + " step " + std::to_string(step));
        h.session.apply(choose("theme", theme));
        h.session.apply(SetWarpView{view});
        h.session.apply(SetWarpStep{step});
        expect_shown_as_outside(h.state(), "warp");
      }
}

// Those of the chosen precision stand there; the command takes those of the last run, unless it is told.
TEST(FiguresOutside, TheCommandOfARooflineSaysWhichRoofs) {
  Harness h;
  with_run(h);
  const auto precision = [&] { return figure_of(h.state(), "roofline").options.roof_precision; };
  EXPECT_FALSE(precision());
  h.session.apply(choose("precision", Precision::f64));
  h.settle();
  EXPECT_EQ(precision(), Precision::f64);
  h.session.apply(StartRun{});
  h.settle();
  EXPECT_FALSE(precision()) << "as the last run has it";
}

TEST(FiguresOutside, EveryFigureNamesATabThatThereIs) {
  for (const FigureRow* row : figure_rows()) {
    const ViewRow* view = view_row(row->tab);
    ASSERT_TRUE(view) << row->id;
    EXPECT_EQ(view->place, Place::tab) << row->id;
  }
}

}  // namespace
