// The export dialog: a preview, wrong names, files that are there already, the last folder.
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "core/plot/export.hpp"
#include "core/plot/plot_json.hpp"
#include "core/session/desk.hpp"
#include "tests/ui/support.hpp"
#include "ui/figures/figure.hpp"
#include "ui/views/view.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("warpspy_export_" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  fs::path file(const std::string& name) const { return path_ / name; }
  std::string name() const { return path_.string(); }

 private:
  fs::path path_;
};

std::string text_of(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

void with_run(Harness& h) {
  h.open("gen:laplace5?nx=20&ny=20");
  h.session.apply(StartRun{});
  h.settle();
}

void press(Harness& h, Chord c) {
  feed_chord(c, true);
  h.frames(1);
  feed_chord(c, false);
  h.frames(3);
}

// Into the field of the path, in the place of what stands there.
void type_path(Harness& h, const std::string& words) {
  for (int k = 0; k < 40 && !ImGui::GetIO().WantTextInput; ++k) press(h, {Key::tab});
  ASSERT_TRUE(ImGui::GetIO().WantTextInput);
  press(h, {key('A'), true});
  for (const char c : words) {
    ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(c));
    h.frames(2);
  }
}

void click(Harness& h, const std::string& name) {
  click_at(h.find(name), [&] { h.frames(1); });
}

TEST(Export, AWrongEndingKeepsTheDialogOpenAndSaysSo) {
  const Folder folder;
  Harness h;
  with_run(h);
  h.session.apply(ShowExport{"runs"});
  h.frames(3);
  const std::string svg = folder.file("runs.svg").string();
  type_path(h, svg);
  EXPECT_TRUE(h.shows("Nothing is written as .svg")) << "before anything is pressed";
  press(h, {Key::enter});
  h.settle();
  EXPECT_EQ(h.state().dialog, "export");
  EXPECT_FALSE(fs::exists(svg));
  EXPECT_TRUE(h.shows("use one of .csv, .json"));
  // Mended where it was typed.
  type_path(h, folder.file("runs.csv").string());
  press(h, {Key::enter});
  h.settle();
  EXPECT_EQ(h.state().dialog, "");
  EXPECT_TRUE(fs::exists(folder.file("runs.csv")));
}

TEST(Export, AFolderThatIsNotThereKeepsTheDialogOpen) {
  const Folder folder;
  Harness h;
  h.session.apply(ShowExport{"roofline"});
  h.frames(3);
  h.session.apply(ExportFigure{.what = "roofline", .path = folder.file("no/r.svg").string()});
  h.settle();
  EXPECT_EQ(h.state().dialog, "export");
  EXPECT_NE(h.state().exporting.problem, "");
  EXPECT_TRUE(h.shows("no/r.svg"));
}

TEST(Export, NothingIsWrittenOverUnasked) {
  const Folder folder;
  const fs::path file = folder.file("roofline.svg");
  std::ofstream(file) << "mine";
  Harness h;
  h.session.apply(ShowExport{"roofline"});
  h.frames(3);
  type_path(h, file.string());
  press(h, {Key::enter});
  h.settle();
  EXPECT_EQ(text_of(file), "mine");
  ASSERT_EQ(h.state().dialog, "export");
  EXPECT_TRUE(h.shows("This file exists already."));
  click(h, "Write over it");
  h.settle();
  EXPECT_EQ(h.state().dialog, "");
  EXPECT_NE(text_of(file).find("<svg"), std::string::npos);
}

TEST(Export, TheLastFolderIsKept) {
  const Folder folder;
  SessionOptions options = Harness::quiet();
  options.preferences = folder.file("preferences.json").string();
  {
    Harness h(1280, 800, 1, options);
    h.session.apply(ExportFigure{.what = "roofline", .path = folder.file("a.svg").string()});
    h.settle();
    EXPECT_EQ(h.state().exporting.folder, folder.name());
  }
  Harness again(1280, 800, 1, options);
  EXPECT_EQ(again.state().exporting.folder, folder.name());
  again.session.apply(ShowExport{"roofline"});
  again.frames(3);
  press(again, {Key::enter});
  again.settle();
  EXPECT_TRUE(fs::exists(folder.file("roofline.svg")));
}

TEST(Export, ThePreviewIsTheFigureOnItsPage) {
  Harness h;
  with_run(h);
  h.session.apply(ShowExport{"roofline"});
  h.settle();
  ASSERT_TRUE(h.state().exporting.preview);
  EXPECT_EQ(h.state().exporting.preview->width, 900);
  click(h, "one column");
  h.settle();
  ASSERT_TRUE(h.state().exporting.preview);
  EXPECT_EQ(h.state().exporting.preview->width, 321) << "85 mm at 96 pixels to an inch";
  EXPECT_TRUE(h.shows("texts of 8 pt"));
  const auto with_title = h.state().exporting.preview->rgba;
  click(h, "title");
  h.settle();
  EXPECT_NE(h.state().exporting.preview->rgba, with_title);
}

TEST(Export, AllOfThemAreAFolderWithAReport) {
  const Folder folder;
  Harness h;
  with_run(h);
  for (const char* name : {"warpspy-figures", "warpspy-figures-2"}) {
    h.session.apply(ExportAll{folder.name(), plot::page_of(*plot::page_preset("columns"))});
    h.settle();
    for (const char* file : {"spy.svg", "spy.pdf", "spy.csv", "roofline.json", "runs.csv", "README.md", "report.html"})
      EXPECT_TRUE(fs::exists(folder.file(name) / file)) << name << " " << file;
  }
  const std::string readme = text_of(folder.file("warpspy-figures") / "README.md");
  EXPECT_NE(readme.find("![roofline](roofline.svg)"), std::string::npos) << readme;
  const std::string report = text_of(folder.file("warpspy-figures") / "report.html");
  EXPECT_EQ(report.find("<script"), std::string::npos);
  EXPECT_EQ(report.find("src="), std::string::npos) << "everything is inside";
  EXPECT_NE(report.find("id=\"rooflineclip1\""), std::string::npos) << "names of pictures do not meet";
}

TEST(Export, AFigureBringsBackItsMatrix) {
  const Folder folder;
  const fs::path file = folder.file("rows.png");
  {
    Harness h;
    with_run(h);
    h.session.apply(ExportFigure{.what = "histogram", .path = file.string()});
    h.settle();
    ASSERT_TRUE(fs::exists(file));
  }
  Harness h;
  h.open(file.string());
  ASSERT_EQ(h.state().matrices.size(), 1u);
  EXPECT_EQ(h.state().matrices[0].source, "gen:laplace5?nx=20&ny=20");
}

TEST(Export, AFigureBringsBackWhatItShows) {
  const Folder folder;
  const fs::path file = folder.file("roofline.svg");
  std::string selected;
  {
    Harness h;
    with_run(h);
    h.session.apply(SetKernel{"csr_scalar"});
    h.session.apply(StartRun{});
    h.settle();
    h.session.apply(SelectRun{h.state().runs.all().front()->id});
    h.session.apply(choose("flops", FlopCount::executed));
    h.session.apply(ShowTab{"runs"});
    h.settle();
    ASSERT_EQ(h.state().runs.all().size(), 2u);
    selected = h.state().run(h.state().selected_run)->request.kernel;
    h.session.apply(ExportFigure{.what = "roofline", .path = file.string()});
    h.settle();
    ASSERT_TRUE(fs::exists(file));
  }
  Harness h;
  h.open("gen:diagonal?rows=9");  // what is looked at gives way
  h.open(file.string());
  const AppState& s = h.state();
  EXPECT_EQ(s.tab, "roofline") << "where the window shows this figure";
  ASSERT_TRUE(s.current());
  EXPECT_EQ(s.current()->source, "gen:laplace5?nx=20&ny=20");
  EXPECT_EQ(s.current()->status, OpenMatrix::Status::ready);
  EXPECT_EQ(s.runs.all().size(), 2u) << "its runs are in the file, although no history has them";
  ASSERT_TRUE(s.run(s.selected_run));
  EXPECT_EQ(s.run(s.selected_run)->request.kernel, selected);
  EXPECT_EQ(s.flops, FlopCount::executed);
  EXPECT_EQ(h.engine.runs, 0);
}

// Whoever wrote it: a session file would be written over by Ctrl+S, and a sweep would go on in its folder.
TEST(Export, AFigureNeverSaysWhereAnythingIsWritten) {
  const Folder folder;
  const fs::path file = folder.file("stranger.svg"), victim = folder.file("victim.warpspy");
  std::ofstream(victim) << "mine";
  Desk desk;
  desk.matrices.emplace_back();
  desk.matrices[0].recipe.source = "gen:laplace5?nx=5&ny=5", desk.matrices[0].name = "a";
  desk.active = 0;
  desk.choices = {{"tab", "matrix"}, {"session file", victim.string()}, {"panes", "left 0.9"}};
  desk.sweep.emplace();
  desk.sweep->folder = folder.file("sweep").string();
  plot::FigureRecipe recipe;
  recipe.desk = to_json(desk);
  plot::export_plot({}, file.string(), plot::Page{}, recipe);
  Harness h;
  const std::string panes = to_text(h.state().panes);
  h.open(file.string());
  ASSERT_EQ(h.state().matrices.size(), 1u);
  EXPECT_EQ(h.state().session, "");
  EXPECT_FALSE(h.state().sweep);
  EXPECT_EQ(to_text(h.state().panes), panes);
  press(h, {key('S'), true});
  h.settle();
  EXPECT_EQ(text_of(victim), "mine");
}

TEST(Export, FiguresOfAWarpAndOfManyRunsBringBackHowTheyWereLookedAt) {
  const Folder folder;
  const fs::path warp = folder.file("warp.svg"), roofline = folder.file("roofline.svg"), grid = folder.file("grid.svg");
  {
    Harness h;
    with_run(h);
    ShowWarp wanted;
    wanted.wanted.row = 42;
    h.session.apply(wanted);
    h.settle();
    h.session.apply(SetWarpView{WarpView::source});
    h.session.apply(SetWarpStep{2});
    h.session.apply(choose("roofline shows", "all"));
    h.session.apply(choose("roofline colours", "kernel"));
    h.session.apply(choose("roofline zoom", "0.1 9 2 80"));
    MatricesView view;
    view.face = MatricesFace::heat_map, view.measure = plot::GridMeasure::over_best;
    h.session.apply(SetMatricesView{view});
    h.settle();
    h.session.apply(ExportFigure{.what = "warp", .path = warp.string()});
    h.session.apply(ExportFigure{.what = "roofline", .path = roofline.string()});
    h.session.apply(ExportFigure{.what = "heatmap", .path = grid.string()});
    h.settle();
  }
  {
    Harness h;
    h.open(warp.string());
    h.settle();
    ASSERT_EQ(h.state().tab, "warp");
    ASSERT_TRUE(h.state().warp.trace);
    EXPECT_EQ(h.state().warp.wanted.row, 42);
    EXPECT_EQ(h.state().warp.step, 2u);
    EXPECT_EQ(h.state().warp.view, WarpView::source);
  }
  {
    Harness h;
    h.open(roofline.string());
    EXPECT_EQ(h.state().roofline_settings.color, plot::RooflineStyle::ColorBy::kernel);
    ASSERT_TRUE(h.state().roofline_settings.view);
    EXPECT_EQ(h.state().roofline_settings.view->y1, 80);
  }
  Harness h;
  h.open(grid.string());
  h.settle();
  EXPECT_EQ(h.state().tab, "matrices");
  EXPECT_EQ(h.state().matrices_view.face, MatricesFace::heat_map);
  ASSERT_TRUE(h.state().heat_map);
  EXPECT_EQ(h.state().heat_map->title, "Time over the best by matrix and kernel");
}

TEST(Export, AllOfThemAreAZip) {
  const Folder folder;
  Harness h;
  with_run(h);
  for (const char* name : {"warpspy-figures.zip", "warpspy-figures-2.zip"}) {
    h.session.apply(ExportAll{folder.name(), plot::page_of(*plot::page_preset("columns")), true});
    h.settle();
    const std::string bytes = text_of(folder.file(name));
    ASSERT_EQ(bytes.substr(0, 4), "PK\x03\x04") << name;
    for (const char* file : {"/spy.svg", "/spy.pdf", "/roofline.json", "/runs.csv", "/README.md", "/report.html"})
      EXPECT_NE(bytes.find(fs::path(name).stem().string() + file), std::string::npos) << name << " " << file;
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.file("")), fs::directory_iterator()), 2)
      << "nothing else is left there";
}

// While it lives no file grows beyond so many bytes: a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    ::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit full = {bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &full);
  }
  ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_ = {};
};

TEST(Export, AFullDiskKeepsTheDialogOpenAndTheOldFile) {
  const Folder folder;
  const fs::path file = folder.file("roofline.svg");
  std::ofstream(file) << "mine";
  Harness h;
  with_run(h);
  h.session.apply(ShowExport{"roofline"});
  h.settle();
  {
    const FullDisk full(2000);
    h.session.apply(ExportFigure{.what = "roofline", .path = file.string(), .overwrite = true});
    h.settle();
  }
  EXPECT_EQ(h.state().dialog, "export");
  EXPECT_TRUE(h.shows("check the folder and the free space"));
  EXPECT_EQ(text_of(file), "mine");
  for (const bool zip : {false, true}) {
    {
      const FullDisk full(2000);
      h.session.apply(ExportAll{folder.name(), plot::page_of(*plot::page_preset("columns")), zip});
      h.settle();
    }
    EXPECT_EQ(h.state().dialog, "export");
    EXPECT_NE(h.state().exporting.problem.find("cannot write"), std::string::npos) << h.state().exporting.problem;
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.file("")), fs::directory_iterator()), 1)
        << "a part of them is worse than none";
  }
}

TEST(Export, AFolderThatCannotBeWrittenKeepsTheDialogOpen) {
  Harness h;
  with_run(h);
  h.session.apply(ShowExport{"roofline"});
  h.settle();
  // Read-only for everybody.
  for (const char* path : {"/proc/roofline.svg", "/sys/roofline.svg"}) {
    h.session.apply(ExportFigure{.what = "roofline", .path = path});
    h.settle();
    EXPECT_EQ(h.state().dialog, "export");
    EXPECT_TRUE(h.shows("cannot write the file"));
  }
  h.session.apply(ExportAll{"/proc", {}, false});
  h.settle();
  EXPECT_EQ(h.state().dialog, "export");
  EXPECT_TRUE(h.shows("the folder could not be made"));
}

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
      {"heatmap", s.heat_map.get()},
      {"profile", s.profile.get()},
      {"line", s.line_chart.get()},
      {"tuning", s.tuning->plane.get()},
      {"analysis", s.analyses.at(s.analysis.id).figure.get()},
      {"warp", s.warp.figure.get()},
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
TEST(Export, EveryFigureIsTheSameOutside) {
  Harness h;
  with_everything(h);
  // Points that a search left are on the screen alone: another device, or kernel, and they are gone.
  h.session.apply(SetKernel{"csr_scalar"});
  h.session.apply(SetKernel{"csr_vector"});
  // Figures that are made only while their tab is shown.
  for (const char* tab : {"formats", "matrices", "compare"}) {
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
      EXPECT_EQ(inside.csv(), of->csv(inside.subject));
      EXPECT_EQ(inside.json(), of->json(inside.subject));
      continue;
    }
    if (of->id != std::string("spy") && of->id != std::string("roofs")) expect_shown_as_outside(s, of->id);
    const figure::Options outside = said_outside(inside);
    const plot::Page page = plot::page_of(*plot::page_preset("columns"));
    const plot::Plot there = figure::draw(*of, inside.subject, outside, figure::look_of(page), Progress{});
    EXPECT_EQ(plot::plot_text(inside.draw(page, Progress{})), plot::plot_text(there));
    if (of->id == std::string("roofs")) {
      EXPECT_EQ(there.rows.size(), 3u);
    }
  }
}

TEST(Export, EveryViewOfAWarpIsTheSameOutside) {
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
TEST(Export, TheCommandOfARooflineSaysWhichRoofs) {
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

TEST(Export, TheReportHasEveryMatrixAndEveryNote) {
  const Folder folder;
  Harness h;
  h.open("gen:laplace5?nx=12&ny=12");
  h.session.apply(StartRun{});
  h.settle();
  h.session.apply(SetNote{h.state().runs.all().front()->id, "see <b>this</b>"});
  h.open("gen:diagonal?n=30");
  h.settle();
  h.session.apply(ExportAll{folder.name(), plot::page_of(*plot::page_preset("columns"))});
  h.settle();
  const fs::path place = folder.file("warpspy-figures");
  for (const char* figure : {"spy-", "histogram-", "layout-"}) {
    int found = 0;
    for (const auto& entry : fs::directory_iterator(place))
      found += entry.path().filename().string().starts_with(figure) && entry.path().extension() == ".svg";
    EXPECT_EQ(found, 2) << figure;
  }
  // The current one is the diagonal; the figure of the other brings back that.
  for (const auto& entry : fs::directory_iterator(place)) {
    if (!entry.path().filename().string().starts_with("spy-") || entry.path().extension() != ".svg") continue;
    const plot::FoundFigure found = plot::read_figure(text_of(entry.path()));
    const Desk desk = desk_from_json(found.recipe.desk).desk;
    ASSERT_GE(desk.active, 0);
    EXPECT_EQ(desk.matrices.at(static_cast<std::size_t>(desk.active)).recipe.source,
              found.recipe.matrices.at(0).source);
  }
  EXPECT_NE(text_of(place / "report.html").find("see &lt;b&gt;this"), std::string::npos);
}

// Whatever the list of the tab Runs shows, and what became of them.
TEST(Export, TheReportHasEveryRunOfTheSession) {
  const Folder folder;
  Harness h;
  with_run(h);
  h.engine.fails = true;
  h.session.apply(StartRun{});
  h.settle();
  HistoryQuery other;
  other.kernel = "csr_scalar";
  h.session.apply(ListRuns{false, other});
  h.settle();
  ASSERT_TRUE(h.state().list.rows.empty());
  h.session.apply(ExportAll{folder.name(), plot::page_of(*plot::page_preset("columns"))});
  h.settle();
  const fs::path place = folder.file("warpspy-figures");
  const std::string csv = text_of(place / "runs.csv");
  EXPECT_NE(csv.find("GFLOP/s"), std::string::npos) << csv;
  EXPECT_NE(csv.find("out of bounds: x[12]"), std::string::npos) << csv;
  EXPECT_NE(text_of(place / "report.html").find("out of bounds: x[12]"), std::string::npos);
}

TEST(Export, EveryFigureNamesATabThatThereIs) {
  for (const FigureRow* row : figure_rows()) {
    const ViewRow* view = view_row(row->tab);
    ASSERT_TRUE(view) << row->id;
    EXPECT_EQ(view->place, Place::tab) << row->id;
  }
}

TEST(Export, APictureOfSomethingElseIsRefused) {
  const Folder folder;
  const fs::path file = folder.file("cat.png");
  std::ofstream(file) << "\x89PNG and no more";
  Harness h;
  h.open(file.string());
  EXPECT_TRUE(h.state().matrices.empty());
  ASSERT_FALSE(h.state().messages.empty());
  EXPECT_NE(h.state().messages.back().text.find("no recipe"), std::string::npos) << h.state().messages.back().text;
}

TEST(Export, APreviewOfWhatFailsSaysWhy) {
  Harness h;
  h.session.apply(PreviewFigure{.what = "histogram"});
  h.settle();
  EXPECT_FALSE(h.state().exporting.preview);
  EXPECT_NE(h.state().exporting.no_preview, "");
}

}  // namespace
