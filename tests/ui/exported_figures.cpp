// A figure that was exported, opened again: it brings back what it shows, and nothing that is a stranger's.
#include <filesystem>
#include <fstream>
#include <string>

#include "core/plot/export.hpp"
#include "core/session/desk.hpp"
#include "tests/ui/exporting.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

TEST(ExportedFigure, AFigureBringsBackItsMatrix) {
  const ExportFolder folder;
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

TEST(ExportedFigure, AFigureBringsBackWhatItShows) {
  const ExportFolder folder;
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
TEST(ExportedFigure, AFigureNeverSaysWhereAnythingIsWritten) {
  const ExportFolder folder;
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

TEST(ExportedFigure, FiguresOfAWarpAndOfManyRunsBringBackHowTheyWereLookedAt) {
  const ExportFolder folder;
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

TEST(ExportedFigure, APictureOfSomethingElseIsRefused) {
  const ExportFolder folder;
  const fs::path file = folder.file("cat.png");
  std::ofstream(file) << "\x89PNG and no more";
  Harness h;
  h.open(file.string());
  EXPECT_TRUE(h.state().matrices.empty());
  ASSERT_FALSE(h.state().messages.empty());
  EXPECT_NE(h.state().messages.back().text.find("no recipe"), std::string::npos) << h.state().messages.back().text;
}

}  // namespace
