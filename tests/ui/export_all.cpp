// Every figure at once: a folder or a ZIP archive, with a report of all matrices and runs.
#include <filesystem>
#include <iterator>
#include <string>

#include "core/plot/export.hpp"
#include "core/plot/figure_recipe.hpp"
#include "core/session/desk.hpp"
#include "tests/ui/exporting.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

TEST(ExportAll, AllOfThemAreAFolderWithAReport) {
  const ExportFolder folder;
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

TEST(ExportAll, AllOfThemAreAZip) {
  const ExportFolder folder;
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

TEST(ExportAll, TheReportHasEveryMatrixAndEveryNote) {
  const ExportFolder folder;
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
TEST(ExportAll, TheReportHasEveryRunOfTheSession) {
  const ExportFolder folder;
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

}  // namespace
