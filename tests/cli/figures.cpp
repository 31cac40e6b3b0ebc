// Pages and recipes of figures from the command line.
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "core/figure/figure.hpp"
#include "core/plot/figure_recipe.hpp"
#include "core/plot/plot_json.hpp"
#include "core/run/history.hpp"
#include "core/session/desk.hpp"
#include "program.hpp"

namespace warpspy {
namespace {

using testing::content_of;
using testing::has;
using testing::Ran;
using testing::scratch;
using testing::warpspy;

void write_matrix(const std::string& path, const char* value) {
  std::ofstream(path) << "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 " << value << "\n2 2 1\n";
}

struct Files {
  std::string matrix = scratch("figure.mtx");
  Files() { write_matrix(matrix, "5"); }
  ~Files() { std::filesystem::remove(matrix); }
};

TEST(FigureCommand, APresetIsAPageInMillimetres) {
  const Files files;
  const std::string svg = scratch("page.svg");
  Ran r = warpspy("spy " + files.matrix + " -o " + svg + " --preset column --font 8");
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(has(content_of(svg), "width=\"85mm\""));
  r = warpspy("spy " + files.matrix + " -o " + svg + " --preset column --width 88.9 --colours grey --no-title");
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(has(content_of(svg), "width=\"88.9mm\""));
  EXPECT_FALSE(has(content_of(svg), "2 entries")) << "that is the subtitle";
  std::filesystem::remove(svg);
}

TEST(FigureCommand, OptionsThatDoNotGoTogetherAreRefused) {
  const Files files;
  const std::string begin = "spy " + files.matrix + " -o " + scratch("no.svg");
  for (const char* options : {" --preset column --size 300x200", " --width 85", " --preset poster", " --font 3",
                              " --preset slide --colours blue"}) {
    const Ran r = warpspy(begin + options);
    EXPECT_NE(r.code, 0) << options;
    EXPECT_FALSE(r.err.empty()) << options;
  }
  EXPECT_FALSE(std::filesystem::exists(scratch("no.svg")));
}

TEST(FigureCommand, DrawsTheSameBytesAgain) {
  const Files files;
  for (const std::string ending : {"svg", "pdf", "png"}) {
    const std::string first = scratch("first." + ending), again = scratch("again." + ending);
    Ran r = warpspy("histogram " + files.matrix + " -o " + first + " --preset column");
    ASSERT_EQ(r.code, 0) << r.err;
    r = warpspy("figure " + first + " -o " + again);
    ASSERT_EQ(r.code, 0) << r.err;
    EXPECT_TRUE(has(r.out, "byte for byte")) << r.out;
    EXPECT_TRUE(content_of(first) == content_of(again));
    const Ran told = warpspy("figure " + first);
    EXPECT_TRUE(has(told.out, "warpspy histogram " + files.matrix + " --preset column")) << told.out;
    std::filesystem::remove(first), std::filesystem::remove(again);
  }
}

TEST(FigureCommand, AnotherPageAndTheNumbers) {
  const Files files;
  const std::string first = scratch("of.pdf"), slide = scratch("slide.svg"), csv = scratch("of.csv");
  ASSERT_EQ(warpspy("histogram " + files.matrix + " -o " + first + " --preset column").code, 0);
  Ran r = warpspy("figure " + first + " -o " + slide + " --preset slide");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(has(content_of(slide), "width=\"254mm\" height=\"142.88mm\"")) << content_of(slide).substr(0, 300);
  r = warpspy("figure " + first + " -o " + csv);
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(has(content_of(csv), "length,rows,share"));
  for (const std::string& file : {first, slide, csv}) std::filesystem::remove(file);
}

TEST(FigureCommand, AMatrixThatChangedOrIsGoneIsSaid) {
  Files files;
  const std::string first = scratch("changed.svg"), again = scratch("changed_again.svg");
  ASSERT_EQ(warpspy("histogram " + files.matrix + " -o " + first).code, 0);
  write_matrix(files.matrix, "6");
  Ran r = warpspy("figure " + first + " -o " + again);
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(has(r.err, "has changed since")) << r.err;
  std::filesystem::remove(files.matrix);
  r = warpspy("figure " + first + " -o " + again);
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(has(r.err, "is gone")) << r.err;
  EXPECT_FALSE(std::filesystem::exists(again));
  r = warpspy("figure " + first + " -o " + again + " --as-recorded");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(content_of(first) == content_of(again));
  std::filesystem::remove(first), std::filesystem::remove(again);
}

TEST(FigureCommand, AFileChangedByHandIsSaidAndDrawnFromItsRecipe) {
  const Files files;
  const std::string first = scratch("edited.svg"), again = scratch("edited_again.svg");
  ASSERT_EQ(warpspy("histogram " + files.matrix + " -o " + first).code, 0);
  const std::string whole = content_of(first);
  std::string bytes = whole;
  bytes.replace(bytes.rfind("row length"), 10, "row LENGTH");
  std::ofstream(first, std::ios::binary) << bytes;
  Ran r = warpspy("figure " + first + " -o " + again);
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(has(r.err, "changed by hand")) << r.err;
  EXPECT_TRUE(content_of(again) == whole);
  // A recipe that is cut is none.
  std::ofstream(first, std::ios::binary) << whole.substr(0, whole.find("warpspy-recipe") + 200);
  r = warpspy("figure " + first + " -o " + again);
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(has(r.err, "not whole")) << r.err;
  std::ofstream(first, std::ios::binary) << "<svg/>";
  r = warpspy("figure " + first + " -o " + again);
  EXPECT_TRUE(has(r.err, "no recipe")) << r.err;
  std::filesystem::remove(first), std::filesystem::remove(again);
}

TEST(FigureCommand, ASearchTellsItsMatrixAndDevice) {
  const Files files;
  const std::string svg = scratch("tune.svg");
  const Ran made = warpspy("tune " + files.matrix +
                           " --kernel csr_scalar --strategy fixed_rule --device sim:h200 --preset column -o " + svg);
  ASSERT_EQ(made.code, 0) << made.err;
  const Ran r = warpspy("figure " + svg);
  EXPECT_TRUE(has(r.out, "matrix      " + files.matrix + ", contents ")) << r.out;
  EXPECT_TRUE(has(r.out, "device      NVIDIA H200")) << r.out;
  EXPECT_TRUE(has(r.out, "modelled")) << r.out;
  std::filesystem::remove(svg);
}

TEST(FigureCommand, RunsAreInTheRecipe) {
  const std::string svg = scratch("roofline.svg");
  ASSERT_EQ(
      warpspy("roofline 'gen:laplace5?nx=20&ny=20' --kernel csr_scalar --device sim:h200 --preset columns -o " + svg)
          .code,
      0);
  const Ran r = warpspy("figure " + svg);
  EXPECT_TRUE(has(r.out, "NVIDIA H200")) << r.out;
  EXPECT_TRUE(has(r.out, "modelled")) << r.out;
  EXPECT_TRUE(has(r.out, "gen:laplace5?nx=20&ny=20")) << r.out;
  std::filesystem::remove(svg);
}

// A session of two matrices with saved runs, in which something is chosen of every figure.
struct WindowSession {
  std::string folder = scratch("window"), runs = "WARPSPY_RUNS='" + folder + "/runs.sqlite'";
  std::string file = folder + "/both.warpspy";

  WindowSession() {
    std::filesystem::create_directories(folder);
    Desk desk;
    for (const char* source : {"gen:laplace5?nx=20&ny=20", "gen:powerlaw?rows=300&mean=6"}) {
      for (const char* kernel : {"csr_scalar", "csr_vector --param coop=4", "csr_vector --param coop=16"})
        EXPECT_EQ(warpspy("run '" + std::string(source) + "' --device sim:h200 --kernel " + kernel, runs).code, 0);
      desk.matrices.emplace_back().recipe.source = source;
      desk.matrices.back().name = source + 4;
    }
    EXPECT_EQ(warpspy("run 'gen:powerlaw?rows=300&mean=6' --device sim:h200 --kernel csr_vector --param coop=16 "
                      "--parts 3",
                      runs)
                  .code,
              0);
    EXPECT_EQ(
        warpspy("solve 'gen:powerlaw?rows=300&mean=6' --device sim:h200 --solver gmres --max-iterations 40", runs).code,
        0);
    desk.active = 1;
    for (std::uint64_t id = 1; id <= 8; ++id) desk.runs.push_back({id});
    desk.selected_run = 5;
    desk.choices = {{"device", "sim:h200"},         {"kernel", "csr_vector"},      {"format", "ell"},
                    {"precision", "f64"},           {"flops", "executed"},         {"roofline shows", "all"},
                    {"roofline colours", "kernel"}, {"pattern shading", "linear"}, {"heat map of", "time over best"}};
    save_desk(file, desk);
  }
  ~WindowSession() { std::filesystem::remove_all(folder); }
};

// What the window exports says with which command it is drawn; that draws the same picture.
TEST(FigureCommand, DrawsWhatTheWindowDraws) {
  const WindowSession window;
  const Ran made = warpspy("report '" + window.file + "' -o '" + window.folder + "' --preset columns", window.runs);
  if (has(made.err, "this build has no window")) GTEST_SKIP() << made.err;
  ASSERT_EQ(made.code, 0) << made.err;
  std::set<std::string> drawn;
  for (const auto& entry : std::filesystem::directory_iterator(window.folder + "/warpspy-figures")) {
    if (entry.path().extension() != ".svg") continue;
    const plot::FoundFigure inside = plot::read_figure(content_of(entry.path().string()));
    const std::string& command = inside.recipe.command;
    SCOPED_TRACE(command);
    ASSERT_TRUE(command.starts_with("warpspy draw ")) << entry.path();
    const std::string again = window.folder + "/again.svg";
    const Ran r = warpspy(command.substr(8) + " --preset columns -o '" + again + "'", window.runs);
    ASSERT_EQ(r.code, 0) << r.err;
    const plot::FoundFigure outside = plot::read_figure(content_of(again));
    EXPECT_EQ(plot::plot_text(inside.plot), plot::plot_text(outside.plot));
    const std::string rest = command.substr(std::string("warpspy draw ").size());
    drawn.insert(rest.substr(0, rest.find(' ')));
  }
  std::set<std::string> all;
  for (const figure::Row* row : figure::rows())
    if (row->picture() && row->of != figure::Of::device && row->of != figure::Of::experiment) all.insert(row->id);
  EXPECT_EQ(drawn, all);
}

TEST(FigureCommand, DrawsEveryRowOfTheRegistry) {
  const std::string listed = warpspy("draw --help").out;
  for (const figure::Row* row : figure::rows()) {
    EXPECT_TRUE(has(listed, std::string("\n  ") + row->id + " ")) << row->id;
    const Ran r = warpspy(std::string("draw ") + row->id + " --help");
    EXPECT_EQ(r.code, 0) << row->id << ": " << r.err;
    for (const char* field : row->takes) EXPECT_TRUE(has(r.out, std::string("--") + field)) << row->id << " " << field;
  }
}

// What the window says of an experiment's figure can be typed.
TEST(FigureCommand, CommandsOfExperimentsAreThere) {
  RunRequest asked;
  asked.matrix = "gen:laplace5?nx=20&ny=20", asked.kernel = "csr_vector", asked.device = "sim:h200";
  asked.depth = Depth::quick, asked.precision = Precision::f64, asked.cache_state = CacheState::cold;
  asked.params = {{"coop", 4}};
  figure::Subject search, analysis, warp;
  TuneRecord record;
  record.request.run = asked, record.request.strategies = {"fixed_rule"};
  search.search = std::make_shared<const TuneRecord>(record);
  AnalysisResult result;
  result.request = {"throughput", {}, {"csr_vector", "csr_scalar"}, asked};
  analysis.analysis = std::make_shared<const AnalysisResult>(result);
  warp.request = asked, warp.warp_wanted = WarpWanted{};
  warp.warps = {std::make_shared<const WarpTrace>()};
  figure::Options step;
  step.step = 1;
  struct Case {
    const char* id;
    const figure::Subject& subject;
    figure::Options options;
  };
  for (const Case& c : {Case{"tuning", search, {}}, Case{"analysis", analysis, {}}, Case{"warp", warp, step}}) {
    const std::string command = figure::command_of(*figure::row(c.id), c.subject, c.options);
    ASSERT_TRUE(command.starts_with("warpspy draw ")) << command;
    const std::string svg = scratch("experiment.svg");
    const Ran r = warpspy(command.substr(8) + " -o '" + svg + "'");
    EXPECT_EQ(r.code, 0) << command << "\n" << r.err;
    EXPECT_FALSE(plot::read_figure(content_of(svg)).plot.title.empty()) << command;
    std::filesystem::remove(svg);
  }
}

// The roofs are those of the last run's precision, or of the one that is named.
TEST(FigureCommand, ARooflineTakesTheRoofsOfAPrecision) {
  const std::string csv = scratch("roofs.csv"),
                    line = "roofline gen:diagonal --kernel csr_scalar --device sim:h200 -o '" + csv + "'";
  const auto roofs = [&](const std::string& more) {
    EXPECT_EQ(warpspy(line + more).code, 0) << more;
    return content_of(csv);
  };
  const std::string usual = roofs(""), f64 = roofs(" --roof-precision f64");
  EXPECT_NE(usual, f64);
  EXPECT_EQ(usual, roofs(" --roof-precision f32"));
  EXPECT_TRUE(has(content_of(csv + "-metadata.json"), "warpspy roofline gen:diagonal")) << "how it was made";
  std::filesystem::remove(csv), std::filesystem::remove(csv + "-metadata.json");
}

}  // namespace
}  // namespace warpspy
