// Many matrices: the table, a sweep, and the figures that come of it.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "tests/ui/hands.hpp"
#include "ui/figures/figure.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

const std::vector<std::string> kSources = {"gen:laplace5?nx=20&ny=20", "gen:powerlaw?rows=900", "gen:diagonal?n=50",
                                           "gen:dense?rows=30&cols=20"};

class Many : public ::testing::Test {
 protected:
  void SetUp() override {
    h.session.apply(OpenSources{kSources});
    h.settle();
    h.session.apply(ShowTab{"matrices"});
    h.settle();
  }
  void view(const std::function<void(MatricesView&)>& change) {
    MatricesView next = h.state().matrices_view;
    change(next);
    h.session.apply(SetMatricesView{next});
    h.settle();
  }
  std::vector<std::string> listed() const {
    std::vector<std::string> names;
    for (const OpenMatrix* m : listed_matrices(h.state(), fastest_runs(h.state())))
      names.push_back(m->name.substr(0, m->name.find('?')));
    return names;
  }
  std::vector<MatrixId> ids() const {
    std::vector<MatrixId> all;
    for (const OpenMatrix& m : h.state().matrices) all.push_back(m.id);
    return all;
  }
  StartSweep both_kernels() const { return {ids(), {"csr_scalar", "csr_vector"}, {Precision::f32}, {"sim:toy"}}; }
  const SweepRun& under_way() const { return *h.state().sweep; }
  void click(const std::string& name, bool ctrl = false, bool shift = false) {
    feed_chord({Key::none, ctrl, shift}, true);
    click_at(h.find(name), [&] { h.frames(1); }, 0.1f);
    feed_chord({Key::none, ctrl, shift}, false);
    h.frames(2);
  }
  Harness h{1600, 900};
};

TEST_F(Many, EachMatrixHasARowWithItsFacts) {
  for (const OpenMatrix& m : h.state().matrices) {
    SCOPED_TRACE(m.name);
    EXPECT_TRUE(h.shows(m.name));
    ASSERT_TRUE(m.thumbnail);
    EXPECT_EQ(m.thumbnail->rgba.size(), static_cast<std::size_t>(m.thumbnail->width * m.thumbnail->height));
    std::uint64_t entries = 0;
    for (const std::uint32_t c : m.thumbnail->counts) entries += c;
    EXPECT_EQ(static_cast<index_t>(entries), m.matrix->csr->nnz()) << "no entry is lost";
    ASSERT_TRUE(m.smallest);
    EXPECT_GT(m.smallest->bytes, 0u);
  }
  EXPECT_TRUE(h.shows("symmetric"));
  EXPECT_TRUE(h.shows("rectangular"));
  EXPECT_TRUE(h.shows("not run yet"));
  EXPECT_EQ(h.state().matrices[2].smallest->format, "dia");
}

TEST_F(Many, TheBestOfEachStandsInATableWithWhy) {
  view([](auto& v) { v.face = MatricesFace::best; });
  EXPECT_TRUE(h.shows("Nothing ran yet"));
  h.session.apply(both_kernels());
  h.settle();
  h.frames(2);
  const auto& best = h.state().best;
  ASSERT_EQ(best.size(), 4u) << "a row for each matrix";
  for (const warpspy::BestRun& b : best) {
    ASSERT_TRUE(b.second);
    EXPECT_NE(b.second->request.kernel, b.best->request.kernel);
    EXPECT_LE(b.best->time.value, b.second->time.value);
    EXPECT_TRUE(h.shows(b.best->matrix_name));
    EXPECT_TRUE(h.shows(b.why)) << b.why;
  }
  EXPECT_TRUE(h.shows("Times as fast"));
  const Figure figure = figure_of(h.state(), "best");
  EXPECT_EQ(figure.csv(), to_csv(best)) << "what is exported is what is shown";
  EXPECT_EQ(figure.json(), to_json(best));
}

// The choice is one row: the table, the sentence, the figure and what is exported follow it, and it can be undone.
TEST_F(Many, TheBestIsForANumberOfProducts) {
  view([](auto& v) { v.face = MatricesFace::best; });
  h.session.apply(both_kernels());
  h.settle();
  h.frames(2);
  ASSERT_TRUE(h.state().costs_chart);
  EXPECT_TRUE(h.shows("Best for"));
  EXPECT_TRUE(h.shows("Prepared"));
  const struct {
    const char* clicked;
    ProductCount products;
  } offered[] = {{"1", 1}, {"100", 100}, {"10,000", 10'000}, {"Ever", for_ever}};
  for (const auto& o : offered) {
    SCOPED_TRACE(o.clicked);
    if (o.products == 1)  // other things are called so
      h.session.apply(choose("best for", "1"));
    else
      click(o.clicked);
    h.settle();
    h.frames(2);
    EXPECT_EQ(h.state().matrices_view.products, o.products);
    for (const BestRun& b : h.state().best) EXPECT_EQ(b.products, o.products);
    const BestRun* shown = best_shown(h.state());
    ASSERT_TRUE(shown);
    EXPECT_TRUE(h.shows(cost_text(*shown))) << cost_text(*shown);
    const Figure cost = figure_of(h.state(), "cost"), best = figure_of(h.state(), "best");
    EXPECT_EQ(cost.options.products, o.products);
    EXPECT_EQ(best.csv(), to_csv(h.state().best)) << "what is exported is what is shown";
    Progress progress;
    EXPECT_EQ(cost.draw(plot::light_theme(), progress).rows, h.state().costs_chart->rows);
  }
  h.session.apply(choose("best for", "34"));
  EXPECT_EQ(h.state().matrices_view.products, 34u);
  EXPECT_EQ(h.state().undo, "number of products");
  h.session.apply(choose("best for", "many"));
  EXPECT_EQ(h.state().matrices_view.products, 34u) << "a word that is not understood changes nothing";
  h.session.apply(Undo{});
  EXPECT_NE(h.state().matrices_view.products, 34u);
}

TEST_F(Many, TheCostsAreOfTheRowThatIsLookedAt) {
  view([](auto& v) { v.face = MatricesFace::best; });
  EXPECT_FALSE(best_shown(h.state()));
  h.session.apply(both_kernels());
  h.settle();
  for (const BestRun& b : std::vector<BestRun>(h.state().best)) {
    h.session.apply(SelectRun{b.best->id});
    h.frames(2);
    ASSERT_TRUE(best_shown(h.state()));
    EXPECT_EQ(best_shown(h.state())->best->id, b.best->id);
    EXPECT_NE(h.state().costs_chart->title.find(figure::written_name(b.best->matrix_name)), std::string::npos)
        << h.state().costs_chart->title;
  }
}

// As `warpspy best FILE... --search S`: a plan for each matrix, whose finals are listed.
TEST_F(Many, TheBestOfEachIsSearchedByAButton) {
  view([](auto& v) { v.face = MatricesFace::best; });
  h.session.apply(choose("precision", Precision::f64));
  h.frames(2);
  click("Search each best");
  h.settle();
  ASSERT_TRUE(h.state().best_search);
  const BestSearch& b = *h.state().best_search;
  EXPECT_FALSE(b.running);
  EXPECT_EQ(b.count(CellState::done), 4u);
  EXPECT_TRUE(h.shows("4 of 4 matrices searched"));
  EXPECT_EQ(h.state().messages.back().text, "Best of each: 4 of 4 matrices searched.");
  ASSERT_EQ(h.state().best.size(), 4u);
  for (const warpspy::BestRun& best : h.state().best) {
    EXPECT_EQ(best.best->purpose, Purpose::final);
    EXPECT_EQ(best.best->plan, "best");
    EXPECT_EQ(best.best->request.precision, Precision::f64) << "as in the run panel";
    ASSERT_TRUE(best.second);
    EXPECT_TRUE(h.shows(best.best->matrix_name));
  }
  EXPECT_EQ(h.state().runs.all().size(), 8u) << "trials are not listed";
}

TEST_F(Many, OnlyTheChosenAreSearched) {
  view([&](auto& v) { v.chosen = {ids()[1], ids()[2]}; });
  ActionSink out;
  ASSERT_TRUE(perform("best.search", h.state(), out));
  for (const Action& a : out.take()) h.session.apply(a);
  h.settle();
  EXPECT_EQ(h.state().tab, "matrices");
  EXPECT_EQ(h.state().matrices_view.face, MatricesFace::best);
  ASSERT_EQ(h.state().best_search->items.size(), 2u);
  EXPECT_EQ(h.state().best.size(), 2u);
}

TEST_F(Many, TheSearchOfEachBestStopsAndGoesOn) {
  view([](auto& v) { v.face = MatricesFace::best; });
  h.engine.answers = 6;  // the first matrix, and half of the second
  h.session.apply(SearchBest{});
  while (h.engine.runs <= 6) h.frames(1);
  h.frames(2);
  EXPECT_TRUE(h.shows("1 of 4 matrices searched"));
  EXPECT_TRUE(h.shows("in turn: csr_vector")) << "what is under way";
  EXPECT_TRUE(h.shows("waiting"));
  EXPECT_EQ(h.state().best.size(), 1u) << "as it is found";
  click("Stop");
  h.settle();
  EXPECT_TRUE(h.shows("1 of 4 matrices searched; stopped"));
  EXPECT_EQ(h.state().best_search->left(), 3u);
  h.engine.answers = 1 << 30;
  click("Resume");
  h.settle();
  EXPECT_EQ(h.state().best_search->count(CellState::done), 4u);
  EXPECT_EQ(h.state().best.size(), 4u);
}

// By the cross of its job too; and what goes on before that has ended goes on then.
TEST_F(Many, ACancelledSearchOfEachBestIsStopped) {
  h.engine.waits = true;
  h.session.apply(SearchBest{});
  while (h.engine.runs == 0) h.frames(1);
  h.session.apply(CancelJob{h.state().best_search->job->id});
  h.settle();
  EXPECT_FALSE(h.state().best_search->running);
  EXPECT_EQ(h.state().best_search->count(CellState::waiting), 4u);
  h.session.apply(SteerBest{SteerBest::To::resume});
  h.frames(2);
  h.session.apply(SteerBest{SteerBest::To::stop});
  h.session.apply(SteerBest{SteerBest::To::resume});
  h.engine.waits = false;
  h.settle();
  EXPECT_EQ(h.state().best_search->count(CellState::done), 4u);
}

TEST_F(Many, WhatHasNoBestSaysWhy) {
  view([](auto& v) { v.face = MatricesFace::best; });
  h.engine.fails = true;
  h.session.apply(SearchBest{});
  h.session.apply(CloseMatrix{ids().back()});
  h.settle();
  EXPECT_EQ(h.state().best_search->count(CellState::failed), 3u);
  EXPECT_EQ(h.state().best_search->count(CellState::skipped), 1u);
  EXPECT_TRUE(h.shows("out of bounds: x[12]"));
  EXPECT_TRUE(h.shows("its matrix was closed"));
  EXPECT_EQ(h.state().messages.back().text, "Best of each: 0 of 4 matrices searched.");
  EXPECT_EQ(h.state().messages.back().kind, Message::Kind::warning);
  h.session.apply(SetDevice{"cuda:0"});
  h.session.apply(SearchBest{});
  EXPECT_NE(h.state().messages.back().text.find("no driver"), std::string::npos);
}

TEST_F(Many, AThumbnailFollowsTheTheme) {
  const auto before = h.state().matrices[0].thumbnail->rgba;
  h.session.apply(choose("theme", ThemeId::dark));
  h.settle();
  EXPECT_NE(h.state().matrices[0].thumbnail->rgba, before);
}

TEST_F(Many, SortsByEveryColumnBothWays) {
  view([](auto& v) { v.sort = MatrixColumn::nnz; });
  EXPECT_EQ(listed(), (std::vector<std::string>{"diagonal", "dense", "laplace5", "powerlaw"}));
  view([](auto& v) { v.descending = true; });
  EXPECT_EQ(listed(), (std::vector<std::string>{"powerlaw", "laplace5", "dense", "diagonal"}));
  for (int k = 0; k <= static_cast<int>(MatrixColumn::share); ++k) {
    view([&](auto& v) { v.sort = static_cast<MatrixColumn>(k); });
    EXPECT_EQ(listed().size(), 4u);
  }
}

TEST_F(Many, FiltersByWords) {
  view([](auto& v) { v.filter = "RECT"; });
  EXPECT_EQ(listed(), std::vector<std::string>{"dense"});
  EXPECT_EQ(h.items("row " + h.state().matrices[3].name).size(), 1u);
  EXPECT_TRUE(h.items("row " + h.state().matrices[0].name).empty());
  view([](auto& v) { v.filter = "nothing like it"; });
  EXPECT_TRUE(h.shows("No open matrix answers this filter."));
}

TEST_F(Many, AClickChoosesADoubleClickOpens) {
  const auto all = ids();
  click("row " + h.state().matrices[1].name);
  EXPECT_EQ(h.state().selected, all[1]);
  EXPECT_EQ(h.state().tab, "matrices") << "the table stays";
  h.frames(30);  // so that the next is no second click of that one
  for (int k = 0; k < 2; ++k) click("row " + h.state().matrices[1].name);
  EXPECT_EQ(h.state().tab, "matrix");
  h.session.apply(ShowTab{"matrices"});
  h.settle();
  click("row " + h.state().matrices[3].name, true);
  EXPECT_EQ(h.state().matrices_view.chosen, (std::set<MatrixId>{all[1], all[3]}));
  EXPECT_TRUE(h.shows("2 of 4 matrices chosen"));
  click("row " + h.state().matrices[2].name, false, true);
  EXPECT_EQ(h.state().matrices_view.chosen, (std::set<MatrixId>{all[2], all[3]}));
  EXPECT_EQ(h.state().tab, "matrices");
}

TEST_F(Many, TheKeyboardAloneSuffices) {
  const auto press = [&](Chord c) {
    feed_chord(c, true);
    h.frames(2);
    feed_chord(c, false);
    h.frames(2);
  };
  const auto all = ids();
  press({Key::down});
  EXPECT_EQ(h.state().selected, all[1]);
  press({Key::down, false, true});
  EXPECT_EQ(h.state().matrices_view.chosen, (std::set<MatrixId>{all[1], all[2]}));
  press({key('A'), true});
  EXPECT_EQ(h.state().matrices_view.chosen.size(), 4u);
  press({Key::enter});
  EXPECT_EQ(h.state().tab, "matrix");
}

TEST_F(Many, TheNamesOfItsColumnsSortByKeys) {
  const auto all = ids();
  ASSERT_TRUE(to_panel(h, "matrices"));
  ASSERT_TRUE(tab_until(h, [&] {
    press(h, {Key::page_up});
    press(h, {Key::up});  // from the first row to the names
    press(h, {Key::right});
    press(h, {Key::enter});
    return h.state().matrices_view.sort != MatricesView{}.sort;
  }));
  EXPECT_EQ(h.state().tab, "matrices") << "Enter on a name opens nothing";
  const MatrixId shown = h.state().selected;
  press(h, {Key::down});
  EXPECT_EQ(h.state().selected, shown) << "from the names to the first row";
}

TEST_F(Many, WhatIsClosedIsChosenNoMore) {
  view([&](auto& v) { v.chosen = {ids()[0], ids()[1]}; });
  h.session.apply(CloseMatrix{ids()[0]});
  h.settle();
  EXPECT_EQ(h.state().matrices_view.chosen.size(), 1u);
}

TEST_F(Many, ASweepRunsEveryCellAndItsRunsAreRunsLikeAnyOther) {
  const auto looked_at = h.state().selected_run;
  h.session.apply(both_kernels());
  h.settle();
  ASSERT_TRUE(h.state().sweep);
  EXPECT_EQ(under_way().phase, SweepRun::Phase::finished);
  EXPECT_EQ(under_way().sweep.counts().done, 8u);
  EXPECT_EQ(h.state().runs.all().size(), 8u);
  EXPECT_EQ(h.state().list.rows.size(), 8u);
  EXPECT_EQ(h.state().selected_run, looked_at) << "what is looked at stays";
  EXPECT_EQ(h.state().messages.back().text, "Sweep: 8 of 8 done.");
  EXPECT_TRUE(h.shows("8 of 8 done"));
  EXPECT_TRUE(h.shows("CSR scalar") || h.shows("CSR vector")) << "the best kernel of each";
  for (const SweepCell& c : under_way().sweep.cells()) EXPECT_TRUE(h.state().run(c.run));
}

TEST_F(Many, FailuresKeepTheirReasonAndCanBeRetried) {
  h.engine.fails = true;
  h.session.apply(both_kernels());
  h.settle();
  EXPECT_EQ(under_way().sweep.counts().failed, 8u);
  view([](auto& v) { v.face = MatricesFace::sweep; });
  EXPECT_TRUE(h.shows("out of bounds"));
  h.engine.fails = false;
  click("Retry failed");
  h.settle();
  EXPECT_EQ(under_way().sweep.counts().done, 8u);
  EXPECT_EQ(under_way().phase, SweepRun::Phase::finished);
}

TEST_F(Many, WhatCannotRunIsSkipped) {
  StartSweep a = both_kernels();
  a.devices = {"sim:toy", "cuda:0"};
  h.session.apply(a);
  h.settle();
  EXPECT_EQ(under_way().sweep.counts().done, 8u);
  EXPECT_EQ(under_way().sweep.counts().skipped, 8u);
  a.devices = {"cuda:0"};
  h.session.apply(a);
  h.settle();
  EXPECT_NE(h.state().messages.back().text.find("nothing to run: CUDA: no driver"), std::string::npos);
}

TEST_F(Many, PausesResumesAndStops) {
  h.session.apply(both_kernels());
  h.session.apply(SteerSweep{SteerSweep::To::pause});
  h.settle();
  EXPECT_EQ(under_way().phase, SweepRun::Phase::paused);
  EXPECT_GT(under_way().sweep.counts().waiting, 0u);
  EXPECT_TRUE(h.shows("paused"));
  click("Resume");
  h.settle();
  EXPECT_EQ(under_way().sweep.counts().done, 8u);

  h.session.apply(both_kernels());
  h.session.apply(SteerSweep{SteerSweep::To::stop});
  h.settle();
  EXPECT_EQ(under_way().phase, SweepRun::Phase::stopped);
  EXPECT_EQ(under_way().sweep.counts().running, 0u);
  h.session.apply(SteerSweep{SteerSweep::To::resume});
  h.settle();
  EXPECT_EQ(under_way().sweep.counts().done, 8u);
}

TEST_F(Many, CancellingItsJobStopsIt) {
  h.session.apply(both_kernels());
  h.session.update();
  ASSERT_TRUE(under_way().job);
  h.session.apply(CancelJob{under_way().job->id});
  h.settle();
  // It may have been done already: then the sweep just goes on.
  EXPECT_EQ(under_way().sweep.counts().running, 0u);
  EXPECT_EQ(under_way().sweep.counts().failed, 0u);
}

TEST_F(Many, AClosedMatrixIsSkippedNotWaitedFor) {
  h.session.apply(both_kernels());
  h.session.apply(SteerSweep{SteerSweep::To::pause});
  h.settle();
  h.session.apply(CloseMatrix{ids().back()});
  h.session.apply(SteerSweep{SteerSweep::To::resume});
  h.settle();
  EXPECT_EQ(under_way().sweep.counts().skipped, 2u);
  EXPECT_EQ(under_way().sweep.cells().back().reason, "its matrix was closed");
  EXPECT_EQ(under_way().phase, SweepRun::Phase::finished);
}

TEST_F(Many, WaitsForMatricesThatAreStillOpening) {
  h.session.apply(OpenSource{"gen:laplace5?nx=60&ny=60"});
  StartSweep a = both_kernels();
  h.session.apply(a);
  h.settle();
  EXPECT_EQ(under_way().sweep.counts().done, 10u);
}

TEST_F(Many, TheDialogSaysHowManyAndStarts) {
  h.session.apply(ShowDialog{"sweep"});
  h.settle();
  EXPECT_TRUE(h.shows("4 products of"));
  click("CSR");  // the format: all of its kernels
  EXPECT_TRUE(h.shows("8 products of"));
  // The controls behind the dialog have one too; the dialog stands in the middle.
  std::vector<Shown> both;
  for (const Shown& s : h.shown)
    if (s.words == "f64") both.push_back(s);
  std::sort(both.begin(), both.end(), [](const Shown& a, const Shown& b) {
    return std::abs(a.x + a.w / 2 - 800) < std::abs(b.x + b.w / 2 - 800);
  });
  ASSERT_FALSE(both.empty());
  click_at(both.front(), [&] { h.frames(1); });
  EXPECT_TRUE(h.shows("16 products of"));
  feed_chord({Key::enter}, true);
  h.frames(2);
  feed_chord({Key::enter}, false);
  h.settle();
  ASSERT_TRUE(h.state().sweep);
  EXPECT_EQ(under_way().sweep.counts().done, 16u);
  EXPECT_EQ(h.state().matrices_view.face, MatricesFace::sweep);
}

TEST_F(Many, FiguresFollowTheRuns) {
  view([](auto& v) { v.face = MatricesFace::heat_map; });
  EXPECT_TRUE(h.shows("Nothing ran yet"));
  h.session.apply(both_kernels());
  h.settle();
  ASSERT_TRUE(h.state().heat_map && h.state().profile);
  EXPECT_EQ(h.state().heat_map->series[0].tooltips.size(), 8u);
  EXPECT_EQ(h.state().heat_map->title, "Speed by matrix and kernel");
  view([](auto& v) { v.measure = plot::GridMeasure::over_best; });
  EXPECT_EQ(h.state().heat_map->title, "Time over the best by matrix and kernel");
  view([](auto& v) { v.face = MatricesFace::profile; });
  EXPECT_EQ(h.state().profile->rows.size(), 8u);
  sweep(h, 12, 8);
  // A run outside the sweep counts, unless only the sweep is asked for.
  h.session.apply(choose("precision", Precision::f64));
  h.session.apply(StartRun{});
  h.settle();
  EXPECT_EQ(h.state().heat_map->x.categories.size(), 3u);
  view([](auto& v) { v.only_sweep = true; });
  EXPECT_EQ(h.state().heat_map->x.categories.size(), 2u);
}

TEST_F(Many, ClicksOnFiguresSelectRuns) {
  h.session.apply(both_kernels());
  h.settle();
  const auto selected_by_clicks = [&](const char* figure, float step) {
    std::set<std::uint64_t> runs;
    click_until(h, of_figure(h, figure), step, [&] {
      runs.insert(h.state().selected_run);
      return false;
    });
    return runs;
  };
  view([](auto& v) { v.face = MatricesFace::heat_map; });
  EXPECT_GE(selected_by_clicks("heatmap", 40).size(), 8u) << "every cell";
  EXPECT_EQ(h.state().run(h.state().selected_run)->request.matrix, h.state().current()->source);
  view([](auto& v) { v.face = MatricesFace::profile; });
  EXPECT_GE(selected_by_clicks("profile", 16).size(), 2u) << "a mark of each kernel";
  EXPECT_EQ(h.state().run(h.state().selected_run)->request.matrix, h.state().current()->source);
}

TEST_F(Many, ALineChartOverWhatWasTurned) {
  view([](auto& v) { v.face = MatricesFace::lines; });
  EXPECT_TRUE(h.shows("Nothing was varied yet"));
  EXPECT_NE(figure_row("line")->reason(h.state()), "");
  StartSweep turned = both_kernels();
  turned.kernels = {"csr_vector"};
  turned.params = {{"coop", {"2:16"}}};
  h.session.apply(turned);
  h.settle();
  view([](auto& v) { v.face = MatricesFace::lines; });
  ASSERT_TRUE(h.state().line_chart);
  EXPECT_EQ(h.state().line_chart->title, "Speed over Threads per row");
  EXPECT_EQ(h.state().line_chart->x.categories, (std::vector<std::string>{"2", "4", "8", "16"}));
  std::set<std::uint64_t> runs;
  click_until(h, of_figure(h, "line"), 16, [&] {
    runs.insert(h.state().selected_run);
    return false;
  });
  EXPECT_GE(runs.size(), 4u) << "marks select their runs";
  click("over Threads per row");
  click("over rows of the matrix");
  h.settle();
  EXPECT_EQ(h.state().matrices_view.over, "rows");
  ASSERT_TRUE(h.state().line_chart);
  EXPECT_EQ(h.state().line_chart->title, "Speed over rows of the matrix");
}

TEST_F(Many, ACellWithoutARunIsChosenForTheNext) {
  h.session.apply(SelectMatrix{ids()[0]});
  h.session.apply(SetKernel{"csr_scalar"});
  h.session.apply(StartRun{});
  h.settle();
  h.session.apply(SelectMatrix{ids()[1]});
  h.session.apply(SetKernel{"csr_vector"});
  h.session.apply(StartRun{});
  h.settle();
  view([](auto& v) { v.face = MatricesFace::heat_map; });
  // By keys: the first cell ran, the one beside it did not.
  for (int k = 0; k < 120 && !h.shows("ny=20, CSR scalar"); ++k) press(h, {Key::tab});
  ASSERT_TRUE(h.shows("ny=20, CSR scalar")) << "the card of the first cell";
  press(h, {Key::right});
  ASSERT_TRUE(h.shows("ny=20, CSR vector"));
  press(h, {Key::enter});
  h.settle();
  EXPECT_EQ(h.state().selected, ids()[0]);
  EXPECT_EQ(h.state().knobs.kernel, "csr_vector");
  EXPECT_NE(h.state().messages.back().text.find("has not run on"), std::string::npos);
}

TEST_F(Many, TheSweepIsSortedByAColumn) {
  h.session.apply(both_kernels());
  h.settle();
  view([](auto& v) { v.face = MatricesFace::sweep; });
  const auto first = [&] {
    const Shown* top = nullptr;
    for (const Shown& s : h.shown)
      if (s.kind == Shown::Kind::text && (s.words == "CSR scalar" || s.words == "CSR vector") && s.y > 150 &&
          s.x > 220 && s.x < 1300 && (!top || s.y < top->y))
        top = &s;
    return top ? top->words : std::string();
  };
  click("Kernel");
  EXPECT_EQ(first(), "CSR scalar");
  click("Kernel");
  EXPECT_EQ(first(), "CSR vector");
}

TEST_F(Many, FiguresAreExportedLikeAnyOther) {
  StartSweep turned = both_kernels();
  turned.params = {{"coop", {"2:16"}}};
  h.session.apply(turned);
  h.settle();
  for (const char* id : {"heatmap", "profile", "line"})
    for (const char* ending : {".svg", ".pdf", ".png", ".csv", ".json"}) {
      const std::string path = testing::TempDir() + "/warpspy_many_" + std::to_string(getpid()) + ending;
      h.session.apply(ExportFigure{.what = id, .path = path, .overwrite = true});
      h.settle();
      EXPECT_GT(std::filesystem::file_size(path), 200u) << path;
      std::filesystem::remove(path);
    }
}

}  // namespace
