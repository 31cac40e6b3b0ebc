// The registry of figures: every row draws, every choice is a field that comes back from its words, and the same words
// are the same picture.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "cases.hpp"
#include "core/figure/figure.hpp"
#include "core/plot/plot_json.hpp"
#include "core/study/report.hpp"
#include "samples.hpp"
#include "tests/ui/toy_warp.hpp"

namespace warpspy::figure {
namespace {

Catalog catalog() {
  Catalog c;
  c.kernels.push_back(plot::samples::tuned_kernel());
  return c;
}

// What every row can be drawn of.
Subject subject_of(const Catalog& c) {
  Subject s;
  s.catalog = &c;
  s.matrices = {
      {"power.mtx.gz", "/tmp/power.mtx.gz", "", std::make_shared<const Matrix>(plot::samples::power_law(500))},
      {"stencil", "gen:laplace5?nx=20&ny=20", "", std::make_shared<const Matrix>(plot::samples::stencil(20))}};
  s.matrices[1].points = plot::samples::grid_points(20, 20);
  s.runs = plot::samples::five_runs();
  s.device = "NVIDIA H200", s.roofs = plot::samples::h200_roofs();
  s.measured = plot::samples::measured_roofs();
  s.search = std::make_shared<const TuneRecord>(plot::samples::tuning());
  s.analysis = std::make_shared<const AnalysisResult>(plot::samples::analysis("throughput"));
  s.study = std::make_shared<const StudyReport>(plot::samples::study());
  s.warps = {ui::shared_toy_warp("csr_scalar")};
  return s;
}

plot::Plot drawn(const Row& row, Options options) {
  const Catalog c = catalog();
  options.format.format = "csr";
  Subject s = subject_of(c);
  if (row.id == std::string("line")) s.runs = plot::samples::dragged_runs();
  if (row.id == std::string("mesh")) s.matrices.erase(s.matrices.begin());
  if (row.id == std::string("memory")) s.runs.resize(3);
  if (row.id == std::string("residual") || row.id == std::string("iteration")) s.runs = plot::samples::solved_runs();
  if (row.id == std::string("parts") || row.id == std::string("speedup")) s.runs = plot::samples::divided_runs();
  return draw(row, s, options, look_of(plot::Page{}), Progress{});
}

// What each field may say.
std::string word_for(const Field& f) {
  const std::string id = f.id;
  if (!f.words.empty()) return f.words.back();
  if (f.is_switch) return "yes";
  if (id == "x-range") return "0.5:100";
  if (id == "y-range") return "1:500";
  if (id == "kernels") return "csr_vector";
  if (id == "block-rows") return "100";
  if (id == "part") return "1:5:2:8";
  if (id == "cut") return "6:HYB K";
  if (id == "minimum") return "0.16:ELL minimum";
  if (id == "selected") return "2";
  if (id == "compared") return "1,2";
  if (id == "step") return "1";
  if (id == "param") return "chunk=8,sigma=0.5";
  if (id == "products") return "100";
  if (id == "caption") return "one\\ntwo";
  return "words";
}

TEST(Registry, EveryFieldComesBackFromItsWords) {
  std::set<std::string> ids;
  for (const Field& f : fields()) {
    SCOPED_TRACE(f.id);
    EXPECT_TRUE(ids.insert(f.id).second) << "twice";
    EXPECT_EQ(f.get(Options{}), "") << "nothing is said of what is as usual";
    Options o;
    f.set(o, word_for(f));
    EXPECT_EQ(f.get(o), word_for(f));
  }
}

TEST(Registry, WhatIsNotUnderstoodIsRefused) {
  for (const auto& [id, text] : std::initializer_list<std::pair<const char*, const char*>>{{"x-range", "3"},
                                                                                           {"x-range", "5:1"},
                                                                                           {"y-range", "a:b"},
                                                                                           {"part", "1:2:3"},
                                                                                           {"part", "5:1:0:2"},
                                                                                           {"cut", "HYB"},
                                                                                           {"minimum", "x:y"},
                                                                                           {"selected", "two"},
                                                                                           {"compared", "1,"},
                                                                                           {"step", "-1"},
                                                                                           {"measure", "speed"},
                                                                                           {"products", "0"},
                                                                                           {"products", "many"},
                                                                                           {"x-range", "nan:1"},
                                                                                           {"step", "1.5"},
                                                                                           {"part", ":::"},
                                                                                           {"shading", "none"},
                                                                                           {"param", "chunk"},
                                                                                           {"param", "=1"}}) {
    Options o;
    EXPECT_THROW(field(id).set(o, text), Error) << id << " " << text;
  }
  EXPECT_THROW(field("nothing"), Error);
}

TEST(Registry, EveryRowDrawsAndTakesFieldsThatThereAre) {
  std::set<std::string> ids;
  for (const Row* row : rows()) {
    SCOPED_TRACE(row->id);
    EXPECT_TRUE(ids.insert(row->id).second) << "twice";
    for (const char* id : row->takes) EXPECT_NO_THROW(field(id));
    EXPECT_NE(row->picture(), row->csv && row->json);
    if (!row->picture()) continue;
    EXPECT_FALSE(drawn(*row, {}).title.empty() && drawn(*row, {}).tables.empty());
  }
  EXPECT_EQ(row("nothing"), nullptr);
}

TEST(Registry, EveryPictureHasAGoldenOne) {
  std::set<std::string> golden, pictures;
  for (const plot::samples::Case& c : plot::samples::kCases) golden.insert(c.figure);
  for (const Row* row : rows())
    if (row->picture()) pictures.insert(row->id);
  EXPECT_EQ(golden, pictures);
}

// The words of a figure's options make the same options, and those the same picture.
TEST(Registry, TheSameWordsAreTheSamePicture) {
  for (const Row* row : rows()) {
    if (!row->picture()) continue;
    for (const Field& f : fields()) {
      const std::string id = f.id;
      if (!row->takes_field(id) || f.own || id == "array" || id == "x" || id == "y" || id == "path" || id == "over" ||
          id == "picture")
        continue;  // these name what a sample does not have
      SCOPED_TRACE(std::string(row->id) + " --" + id);
      Options here, there;
      f.set(here, word_for(f));
      for (const Field& each : fields())
        if (const std::string text = each.get(here); !text.empty()) each.set(there, text);
      std::string first, again;
      try {
        first = plot::plot_text(drawn(*row, here));
      } catch (const Error& e) {
        first = e.what();
      }
      try {
        again = plot::plot_text(drawn(*row, there));
      } catch (const Error& e) {
        again = e.what();
      }
      EXPECT_EQ(first, again);
    }
  }
}

TEST(Registry, LimitsTitleAndCaptionHoldForEveryFigureWithAxes) {
  for (const Row* row : rows()) {
    if (!row->picture()) continue;
    SCOPED_TRACE(row->id);
    Options o;
    o.title = "Mine", o.caption = "one\ntwo";
    plot::Plot p = drawn(*row, o);
    EXPECT_EQ(p.title, "Mine");
    ASSERT_GE(p.foot.size(), 2u);
    EXPECT_EQ(p.foot[p.foot.size() - 2] + p.foot.back(), "onetwo");
    o.limits = {0.25, 40, 0.5, 60};
    if (!row->axes) {
      EXPECT_THROW(drawn(*row, o), Error);
      continue;
    }
    p = drawn(*row, o);
    EXPECT_EQ(p.x.min, 0.25);
    EXPECT_EQ(p.x.max, 40);
    EXPECT_EQ(p.y.min, 0.5);
    EXPECT_EQ(p.y.max, 60);
  }
}

TEST(Registry, OnlyTheKernelsThatWereAskedForInThatOrder) {
  const Row& heat = *row("heatmap");
  Options o;
  std::set<std::string> ids;
  for (const auto& r : plot::samples::five_runs()) ids.insert(r->request.kernel);
  ASSERT_GE(ids.size(), 2u);
  o.kernels = {*ids.rbegin(), *ids.begin()};
  const plot::Plot p = drawn(heat, o);
  EXPECT_EQ(p.x.categories.size(), 2u);
  std::swap(o.kernels[0], o.kernels[1]);
  const plot::Plot turned = drawn(heat, o);
  EXPECT_EQ(turned.x.categories, (std::vector<std::string>{p.x.categories[1], p.x.categories[0]}));
  o.kernels = {"nobody"};
  EXPECT_THROW(drawn(heat, o), Error);
}

// Runs of so many kernels on two matrices.
Subject of_kernels(const Catalog& c, int kernels) {
  Subject s = subject_of(c);
  s.runs.clear();
  for (int m = 0; m < 2; ++m)
    for (int k = 0; k < kernels; ++k) {
      RunRecord r = *plot::samples::five_runs().front();
      r.id = s.runs.size() + 1;
      r.request.kernel = r.kernel_label = "kernel_" + std::to_string(k);
      r.request.matrix = r.matrix_name = m == 0 ? "small" : "large";
      r.rows *= 1 + m, r.nnz *= 1 + m;
      r.time.value += 3 * k, r.gflops.value -= 0.1 * k;
      s.runs.push_back(std::make_shared<const RunRecord>(r));
    }
  return s;
}

// Without colours.
TEST(Registry, TenKernelsHaveTenMarks) {
  const Catalog c = catalog();
  const Subject s = of_kernels(c, 10);
  for (const char* id : {"roofline", "profile", "line"}) {
    Options o;
    o.roofline.color = plot::RooflineStyle::ColorBy::kernel;
    if (id == std::string("line")) o.over = "rows";
    std::set<plot::Mark> marks;
    for (const plot::Series& each : draw(*row(id), s, o, look_of(plot::Page{}), Progress{}).series)
      if (each.kind == plot::Series::Kind::points && !each.x.empty()) marks.insert(each.mark);
    EXPECT_EQ(marks.size(), 10u) << id;
  }
}

// As in the heat map, so in the legends of curves: not by speed.
TEST(Registry, CurvesStandInTheOrderThatWasAskedFor) {
  const Catalog c = catalog();
  const Subject s = of_kernels(c, 10);
  for (const char* id : {"profile", "line"}) {
    Options o;
    o.kernels = {"kernel_7", "kernel_2", "kernel_9", "kernel_0", "kernel_5", "kernel_1", "kernel_3", "kernel_4"};
    if (id == std::string("line")) o.over = "rows";
    std::vector<std::string> names;
    for (const plot::Series& each : draw(*row(id), s, o, look_of(plot::Page{}), Progress{}).series)
      if (!each.name.empty()) names.push_back(each.name.substr(0, 8));
    EXPECT_EQ(names, o.kernels) << id;
  }
}

TEST(Registry, ColumnsOfADeviceStandTogether) {
  const Catalog c = catalog();
  Subject s = subject_of(c);
  for (const auto& r : plot::samples::five_runs()) {
    RunRecord other = *r;
    other.device = "sim:v100", other.device_name = "V100", other.id += 100;
    s.runs.push_back(std::make_shared<const RunRecord>(other));
  }
  Options o;
  o.by_device = true;
  const plot::Plot p = draw(*row("heatmap"), s, o, look_of(plot::Page{}), Progress{});
  std::size_t named = 0;
  for (const plot::Series& each : p.series) named += each.kind == plot::Series::Kind::vline && !each.label.empty();
  EXPECT_EQ(named, 2u);
  const std::size_t half = p.x.categories.size() / 2;
  for (std::size_t k = 0; k < half; ++k) EXPECT_EQ(p.x.categories[k], p.x.categories[half + k]);
}

TEST(Registry, MatricesAreNamedAsPeopleWriteThem) {
  EXPECT_EQ(written_name("memplus.mtx.gz"), "memplus");
  EXPECT_EQ(written_name("memplus.tar.gz"), "memplus");
  EXPECT_EQ(written_name("laplace5?nx=4&ny=4"), "laplace5?nx=4&ny=4");
  EXPECT_EQ(written_name(".mtx"), ".mtx");
  const Row& lengths = *row("lengths");
  bool found = false;
  for (const plot::Series& s : drawn(lengths, {}).series) found |= s.name == "power";
  EXPECT_TRUE(found);
}

TEST(Registry, ACommandIsSafeToPaste) {
  const Catalog c = catalog();
  Options o;
  o.lengths.log_y = false;
  EXPECT_EQ(command_of(*row("histogram"), {.catalog = &c, .matrices = {{"a", "/x/a (1).mtx", "", nullptr}}}, o),
            "warpspy draw histogram '/x/a (1).mtx' --linear-y");
  o = {};
  o.format = {"sell", {{"chunk", 8}, {"sigma", 64}}, Precision::f32, RealView::real_part};
  EXPECT_EQ(command_of(*row("layout"), {.catalog = &c, .matrices = {{"a", "gen:diagonal?n=30", "", nullptr}}}, o),
            "warpspy draw layout 'gen:diagonal?n=30' --format sell --param chunk=8 --param sigma=64 --precision f32 "
            "--view real");
}

// What no saved run and no matrix alone tells: the request of an experiment does.
TEST(Registry, AnExperimentNamesTheCommandThatMakesIt) {
  const Catalog c = catalog();
  const auto command = [](const char* id, const Subject& s, const Options& o = {}) {
    return command_of(*row(id), s, o);
  };
  RunRequest asked;
  asked.matrix = "/x/a b.mtx", asked.kernel = "csr_vector", asked.params = {{"coop", 4}}, asked.device = "sim:h200";
  asked.depth = Depth::quick, asked.precision = Precision::f64, asked.cache_state = CacheState::cold;
  const std::string request = " --precision f64 --cold --view real --device sim:h200 --depth quick";

  Subject search{.catalog = &c};
  EXPECT_EQ(command("tuning", search), "") << "nothing was searched";
  TuneRecord record;
  record.request.run = asked, record.request.strategies = {"exhaustive"};
  search.search = std::make_shared<const TuneRecord>(record);
  Options plane;
  plane.plane.x = "coop";
  EXPECT_EQ(command("tuning", search, plane),
            "warpspy draw tuning '/x/a b.mtx' --kernel csr_vector --strategy exhaustive --param coop=4" + request +
                " --x coop");

  Subject analysis{.catalog = &c};
  AnalysisResult result;
  result.request = {"latency", {{"l1_latency", 30}}, {"csr_vector"}, asked};
  result.request.run.params["nobodys"] = 1;
  analysis.analysis = std::make_shared<const AnalysisResult>(result);
  EXPECT_EQ(command("analysis", analysis),
            "warpspy draw analysis '/x/a b.mtx' --analysis latency --kernel csr_vector --param l1_latency=30 --param "
            "coop=4" +
                request);

  Subject warp{.catalog = &c, .warps = {ui::shared_toy_warp("csr_vector")}};
  EXPECT_EQ(command("warp", warp), "") << "nobody says which";
  warp.request = asked, warp.warp_wanted = WarpWanted{};
  warp.warp_wanted->row = 7;
  Options axis;
  axis.face = WarpFace::axis, axis.step = 2;
  EXPECT_EQ(command("warp", warp, axis),
            "warpspy draw warp '/x/a b.mtx' --kernel csr_vector --row 7 --param coop=4" + request + " --axis --step 2");
  warp.warps.emplace_back(ui::shared_toy_warp("csr_scalar"));
  EXPECT_EQ(command("warp", warp), "") << "the parameters are of the first alone";
  warp.request.params.clear(), warp.warp_wanted->by = WarpWanted::By::worst;
  EXPECT_EQ(command("warp", warp),
            "warpspy draw warp '/x/a b.mtx' --kernel csr_vector,csr_scalar --worst sectors" + request);

  Subject roofs{.catalog = &c, .device_id = "cuda:0"};
  EXPECT_EQ(command("roofs", roofs), "warpspy draw roofs --device cuda:0 --kept");

  Subject pattern{.catalog = &c, .request = asked};
  pattern.matrices = {{"a", "/x/a b.mtx", "", std::make_shared<const Matrix>(plot::samples::stencil(20))}};
  EntryTrace trace;
  trace.row_end = 400;
  pattern.entries = std::make_shared<const EntryTrace>(trace);
  Options shade;
  shade.shade = "x";
  EXPECT_EQ(command("spy", pattern, shade),
            "warpspy draw spy '/x/a b.mtx' --kernel csr_vector --param coop=4 --precision f64 --view real --device "
            "sim:h200 --shade x");
  trace.row_end = 399;
  pattern.entries = std::make_shared<const EntryTrace>(trace);
  EXPECT_EQ(command("spy", pattern, shade), "") << "the command asks for all rows";
}

}  // namespace
}  // namespace warpspy::figure
