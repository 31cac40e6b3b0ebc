// Small windows: what has no room scrolls, goes on below, or says so; nothing falls off the edge.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "tests/ui/lesson_folder.hpp"
#include "tests/ui/study_folder.hpp"
#include "ui/views/view.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

struct Size {
  float width, height, scale;  // pixels, as the window has them; 1: 100 %
};
constexpr Size kSizes[] = {{1280, 800, 1}, {1280, 800, 1.5f}, {1280, 800, 1.75f},
                           {1280, 800, 2}, {1024, 768, 1},    {800, 600, 1}};

// What each tab has, whatever the window: items and texts, seen at once or scrolled to. Of tables that go on sideways
// the columns in front.
struct Has {
  const char* tab;
  std::vector<const char*> words;
};
const Has kHas[] = {
    {"matrix",
     {"figure spy", "log", "binary", "Row lengths", "figure histogram", "log x", "quartiles", "figure roofline",
      "this session", "GFLOP/s"}},
    {"rows", {"figure histogram", "log x", "log y", "share", "quartiles", "Longest rows"}},
    {"formats", {"Build", "Host memory", "Padding", "Row lengths", "flop/B", "Convert ms", "Break-even"}},
    {"roofline", {"this matrix", "all matrices", "level", "device", "figure roofline", "Points", "parameters"}},
    {"warp", {"Row of the warp", "no kernel beside it", "alone", "barrier", "SM over time"}},
    {"diagnosis", {"CSR vector on"}},
    {"runs", {"this session", "Repeat", "every matrix", "f64", "figure roofline", "Comparison", "against run"}},
    {"tune", {"Tune the kernel", "Fixed rule", "Exhaustive", "Done: ", "figure tuning", "figure roofline", "regret"}},
    {"facts", {"bandwidth"}},
    {"traffic", {"Arrays", "Source lines", "Source", "csr_vector.hpp:41"}},
    {"memory", {"Memory chart", "Beside it", "figure memory"}},
    {"solve", {"Method", "Preconditioner", "Tolerance", "At most", "GPUs", "Solve", "Over 3 GPUs", "Show each GPU"}},
    {"parts", {"A product over several GPUs", "entries", "halo in", "figure parts", "figure speedup"}},
    {"analyses", {"Run", "chosen kernel", "kernels of the runs", "figure analysis"}},
    {"compare", {"figure spy", "beside", "Leave   Esc", "size", "figure both_lengths", "Formats and runs of both"}},
    {"two_runs", {"Comparison", "against run", "figure roofline"}},
    {"lessons", {"Predict, run, see", "Steps"}},
    {"studies", {"Nobody 2026", "Two kernels on two grids", "Counts alone"}},
    {"matrices", {"Table", "Run a sweep", "filter", "Matrix"}},
    {"help", {"Where a number comes from"}},
    {"guide", {"From a sparse matrix to its speed", "See it: Roofline"}},
};

// Two matrices with runs that are compared, a search, an analysis and a warp.
void arrange(Harness& h) {
  h.open("gen:laplace5?nx=40&ny=40");
  h.open("gen:laplace5?nx=30&ny=30");
  for (const char* kernel : {"csr_scalar", "csr_vector"}) {
    h.session.apply(SetKernel{kernel});
    h.session.apply(StartRun{});
    h.settle();
  }
  h.session.apply(choose("parts", std::uint64_t{3}));
  h.session.apply(StartSolve{});
  h.settle();
  h.session.apply(StartRun{});
  h.settle();
  h.session.apply(choose("parts", std::uint64_t{1}));
  h.session.apply(StartTuning{});
  h.settle();
  AnalysisSettings analysis = h.state().analysis;
  analysis.id = "throughput";
  h.session.apply(SetAnalysis{analysis});
  h.session.apply(StartAnalysis{});
  ShowWarp warp;
  warp.wanted.row = 3;
  h.session.apply(warp);
  h.session.apply(CompareMatrices{h.state().matrices[0].id, h.state().matrices[1].id});
  h.session.apply(CompareRuns{{h.state().runs.all()[0]->id, h.state().runs.all()[1]->id}});
  h.settle();
}

// Where the tab begins: behind the open matrices, or behind what stands for them where they have no room.
float tab_left(const Harness& h, const Size& size) {
  const float units = size.width / size.scale;
  if (units < 900) return 24 * size.scale;
  return std::min(static_cast<float>(h.state().panes.left) * size.scale, std::floor(size.width * 0.4f));
}

// Looks at all of a tab: page after page, with the wheel at its edge.
struct Seen {
  std::set<std::string> words;
  bool has(const std::string& part) const {
    return std::any_of(words.begin(), words.end(), [&](const auto& w) { return w.find(part) != std::string::npos; });
  }
};
Seen look_through(Harness& h, const char* tab, const Size& size) {
  h.session.apply(ShowTab{tab});
  h.settle();
  Seen seen;
  // Above the status bar, at the left edge of the tab, where no figure has the wheel. Away first: since Dear ImGui 1.89
  // the wheel stays with what it turned until the mouse moves.
  feed_mouse(1, 1);
  h.frames(1);
  feed_mouse(tab_left(h, size) + 10 * size.scale, size.height - 40 * size.scale);
  for (int page = 0; page < 60; ++page) {
    h.frames(2);
    for (const Shown& s : h.shown) seen.words.insert(s.words);
    feed_wheel(-1);
  }
  return seen;
}

class SmallWindows : public testing::TestWithParam<int> {};

TEST_P(SmallWindows, HaveAllOfEveryTab) {
  const Size& size = kSizes[GetParam()];
  const StudyFolder studies;
  const LessonFolder lessons;
  SessionOptions options = studies.options();
  options.lessons = lessons.options().lessons;
  Harness h(size.width / size.scale, size.height / size.scale, size.scale, options);
  arrange(h);
  std::set<std::string> told;
  for (const Has& has : kHas) {
    SCOPED_TRACE(has.tab);
    told.insert(has.tab);
    const Seen seen = look_through(h, has.tab, size);
    for (const char* words : has.words) EXPECT_TRUE(seen.has(words)) << words << " is not there";
  }
  for (const ViewRow* row : view_rows())
    if (row->place == Place::tab) {
      EXPECT_TRUE(told.contains(row->id)) << row->id << " has no line in kHas";
    }
}

// Half a number would be another number; of source that is cut to a dot nothing can be read.
TEST_P(SmallWindows, CutNoNumberAndNoSource) {
  const Size& size = kSizes[GetParam()];
  Harness h(size.width / size.scale, size.height / size.scale, size.scale);
  h.engine.tells_bounds = true;
  h.open("gen:laplace5?nx=60&ny=60");
  h.session.apply(SetKernel{"csr_scalar"});
  h.session.apply(StartRun{});
  h.session.apply(ShowTab{"diagnosis"});
  h.settle();
  // Where the panel to the right begins, where there is one.
  const float edge = h.shows("Device") ? h.find("Device").x : size.width;
  int gains = 0;
  for (const Shown& s : h.shown)
    if (s.kind == Shown::Kind::text && s.words.ends_with("(model)")) {
      ++gains;
      EXPECT_LE(s.x + s.w, edge) << s.words;
    }
  EXPECT_GT(gains, 0);
  ShowWarp warp;
  warp.wanted.row = 3;
  h.session.apply(warp);
  h.session.apply(SetWarpView{WarpView::source});
  h.settle();
  float widest = 0;
  for (const Shown& s : h.shown)
    if (s.words.find("_line_") != std::string::npos) widest = std::max(widest, s.w);
  EXPECT_GT(widest, 60 * size.scale);
}
// Of kernels and matrices whose names are cut to a letter nobody knows which they are; of a figure that is as low as
// its title, axes and names are gone.
TEST_P(SmallWindows, KeepTheFacesOfManyMatricesReadable) {
  const Size& size = kSizes[GetParam()];
  Harness h(size.width / size.scale, size.height / size.scale, size.scale);
  h.open("gen:laplace5?nx=40&ny=40");
  h.open("gen:laplace5?nx=30&ny=30");
  h.session.apply(StartSweep{{h.state().matrices[0].id, h.state().matrices[1].id},
                             {"csr_scalar", "csr_vector"},
                             {Precision::f32},
                             {"sim:toy"}});
  h.settle();
  h.session.apply(ShowTab{"matrices"});
  for (const MatricesFace face : {MatricesFace::sweep, MatricesFace::best}) {
    MatricesView view = h.state().matrices_view;
    view.face = face;
    h.session.apply(SetMatricesView{view});
    h.settle();
    int kernels = 0;
    for (const Shown& s : h.shown)
      if (s.kind == Shown::Kind::text && s.x > tab_left(h, size) && s.words.starts_with("CSR ")) {
        ++kernels;
        EXPECT_GT(s.w, 50 * size.scale) << s.words << " of face " << static_cast<int>(face);
      }
    EXPECT_GT(kernels, 1) << static_cast<int>(face);
  }
  for (const MatricesFace face : {MatricesFace::profile, MatricesFace::heat_map}) {
    MatricesView view = h.state().matrices_view;
    view.face = face;
    h.session.apply(SetMatricesView{view});
    h.settle();
    const char* words = face == MatricesFace::profile ? "figure profile" : "figure heatmap";
    EXPECT_GE(h.find(words).h, 300 * size.scale) << words;
  }
}
INSTANTIATE_TEST_SUITE_P(Sizes, SmallWindows, testing::Range(0, static_cast<int>(std::size(kSizes))));

}  // namespace
