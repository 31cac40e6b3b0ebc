// Every view of views.cpp in every situation, in a large, a small and a high-density window.
#include <unistd.h>

#include <array>
#include <cstdio>
#include <set>
#include <tuple>

#include "tests/ui/support.hpp"
#include "ui/figures/figure.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

struct Size {
  float width, height, scale;
};
constexpr Size sizes[] = {{1280, 800, 1}, {640, 400, 1}, {1280, 800, 2}, {480, 320, 1}};

// Every view has words of its own in each of them: the window starts, a file is read, it was read, work is under way,
// it failed, it was cancelled.
enum Situation : int { kEmpty, kOpening, kLoaded, kRunning, kFailed, kCancelled };
constexpr int kSituations = kCancelled + 1;

class InSituation {
 public:
  explicit InSituation(Situation situation, Size size = sizes[0]) : h(size.width, size.height, size.scale) {
    arrange(situation);
  }
  ~InSituation() { let_go(); }

  // Frames until all that can end has ended.
  void rest() {
    if (h.engine.waits || reads_slowly_)
      h.frames(12);
    else
      h.settle();
  }
  // What it shows, drawn alone.
  void look_at(const ViewRow& row) {
    if (row.place == Place::overlay) h.session.apply(ShowDialog{row.id});
    const auto view = row.make();
    for (int k = 0; k < 3; ++k) h.panel([&](Ui& ui) { view->draw(h.state(), ui); });
  }

 private:
  void arrange(Situation situation) {
    if (situation == kEmpty) return;
    if (situation == kOpening) return open_slowly();
    h.open("gen:laplace5?nx=40&ny=40");
    h.open("/no/such/file.mtx");
    h.session.apply(SelectMatrix{h.state().matrices[0].id});
    h.engine.fails = situation == kFailed;
    h.engine.waits = situation == kRunning || situation == kCancelled;
    h.session.apply(StartRun{});
    rest();
    if (situation == kLoaded) return;
    h.session.apply(StartTuning{});
    h.session.apply(StartAnalysis{});
    h.session.apply(StartSweep{{h.state().matrices[0].id}, {"csr_scalar"}, {Precision::f32}, {"sim:toy"}});
    MatricesView next = h.state().matrices_view;
    next.face = MatricesFace::sweep;
    h.session.apply(SetMatricesView{next});
    rest();
    if (situation != kCancelled) return;
    h.session.apply(SteerSweep{SteerSweep::To::stop});
    h.session.workers().cancel_all();
    h.engine.waits = false;
    rest();
  }
  // The queue of the jobs that read is full until this ends.
  void open_slowly() {
    reads_slowly_ = true;
    for (int k = 0; k < 2; ++k)
      h.session.workers().submit(
          JobQueue::load, "Something else",
          [](Progress& p) {
            while (true) p.check(), doze();
          },
          [] {});
    h.session.apply(OpenSource{"gen:laplace5?nx=40&ny=40"});
    rest();
  }
  void let_go() {
    h.engine.waits = false;
    h.session.workers().cancel_all();
    h.settle();
  }

 public:
  Harness h;

 private:
  bool reads_slowly_ = false;
};

// Where the mouse stands in a view, one frame each. Frames take some ten times as long under the sanitizers.
#if WARPSPY_SANITIZED
constexpr int kColumns = 4, kRows = 3;
const auto kSizesTried = testing::Values(0, 3);
#else
constexpr int kColumns = 12, kRows = 8;
const auto kSizesTried = testing::Range(0, 4);
#endif

class EveryView : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(EveryView, DrawsInEveryState) {
  const auto [size_index, situation] = GetParam();
  for (const ViewRow* row : view_rows()) {
    SCOPED_TRACE(row->id);
    InSituation in(static_cast<Situation>(situation), sizes[size_index]);
    Harness& h = in.h;
    if (row->place == Place::tab) h.session.apply(ShowTab{row->id});
    if (row->place == Place::overlay) h.session.apply(ShowDialog{row->id});
    in.rest();
    sweep(h, kColumns, kRows);
    for (const ThemeId theme : {ThemeId::dark, ThemeId::paper}) {
      h.session.apply(choose("theme", theme));
      in.rest();
      EXPECT_EQ(h.state().theme, theme);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, EveryView, testing::Combine(kSizesTried, testing::Values(kEmpty, kLoaded, kFailed)));
INSTANTIATE_TEST_SUITE_P(UnderWay, EveryView,
                         testing::Combine(testing::Range(0, 2), testing::Values(kOpening, kRunning, kCancelled)));

// What a view says in a situation; "" where that is what it says when something is loaded.
struct Says {
  const char* view;
  std::array<const char*, kSituations> words;
};
constexpr const char* kSame = "";
constexpr const char* kWrong = "out of bounds: x[12] of 10";
constexpr Says kSays[] = {
    // view, empty, a file is read, loaded and run, work under way, failed, cancelled
    {"matrix", {"No matrix yet", "Reading laplace5", "CSR vector", "Running CSR vector", "failed", "No runs yet"}},
    {"rows", {"No rows yet", "Counting rows", "Longest rows", kSame, kSame, kSame}},
    {"formats", {"No matrix yet", "Reading laplace5", "Host memory", kSame, kSame, kSame}},
    {"roofline", {"Points", "Points", "GFLOP/s", "Points", "Points", "Points"}},
    {"warp", {"No warp yet", "No warp yet", "Show the worst warp", kSame, kSame, kSame}},
    {"diagnosis",
     {"No run is selected", "No run is selected", "CSR vector on", "No run is selected", kWrong, "No run is selected"}},
    {"runs", {"No runs yet", "Reading laplace5", "CSR vector", "Running CSR vector", "failed", "No runs yet"}},
    {"tune", {"Nothing was tuned yet", kSame, "Tune the kernel", "Waiting for the first product", kWrong, kSame}},
    {"facts", {"No matrix yet", "Reading laplace5", "bandwidth", kSame, kSame, kSame}},
    {"traffic", {"No run selected", "Reading", "csr_vector.hpp:41", "Running CSR vector", kWrong, "No run selected"}},
    {"memory", {"No run selected", "Reading", "Memory chart", "Running CSR vector", kWrong, "No run selected"}},
    {"solve", {"Solve A x = b", "Reading laplace5", "Nothing was solved yet", kSame, kSame, kSame}},
    {"parts", {"No run over several GPUs yet", "Reading laplace5", "Run over 4 GPUs", kSame, kSame, kSame}},
    {"analyses", {"chosen kernel", kSame, "chosen kernel", "Running", kWrong, "Run the analysis"}},
    {"compare", {"Nothing to compare yet", "Reading laplace5", "Nothing to compare with yet", kSame, kSame, kSame}},
    {"two_runs", {kSame, kSame, "No runs are compared yet", kSame, kSame, kSame}},
    {"matrices", {"No matrices yet", "opening", "CSR vector", "0 of 1 done", "1 failed", "stopped"}},
    {"studies", {kSame, kSame, "No studies", kSame, kSame, kSame}},
    {"lessons", {kSame, kSame, "No lessons", kSame, kSame, kSame}},
    {"help", {kSame, kSame, "Where a number comes from", kSame, kSame, kSame}},
    {"guide", {kSame, kSame, "From a sparse matrix to its speed", kSame, kSame, kSame}},
    {"workspace", {"Nothing is open", "opening", "CSR vector", "1.6k", "failed", "1.6k"}},
    {"controls", {"Threads per row", "Threads per row", "GFLOP/s", "Cancel", kWrong, "Run (F5)"}},
    {"lesson", {kSame, kSame, "No lesson is open", kSame, kSame, kSame}},
    {"top", {kSame, kSame, "Search actions", kSame, kSame, kSame}},
    {"status", {"1 message", "Something else", "whole matrix", "Running CSR vector", "1 failed", "whole matrix"}},
    {"open", {kSame, kSame, "Recent", kSame, kSame, kSame}},
    {"export", {kSame, kSame, "svg", kSame, kSame, kSame}},
    {"goto", {"Open a matrix first", "Open a matrix first", "1,600", kSame, kSame, kSame}},
    {"commands", {kSame, kSame, "Search actions", kSame, kSame, kSame}},
    {"reorder", {"Open a matrix first", "Open a matrix first", "Reverse Cuthill-McKee", kSame, kSame, kSame}},
    {"sweep", {"None can be run", "1 product", "1 product", kSame, kSame, kSame}},
    {"open_session", {kSame, kSame, "takes the place", kSame, kSame, kSame}},
    {"save_session", {kSame, kSame, "generated ones by recipe", kSame, kSame, kSame}},
    {"hand_in", {kSame, kSame, "No lesson is open", kSame, kSame, kSame}},
    {"recover", {kSame, kSame, "There is no desk", kSame, kSame, kSame}},
    {"welcome", {kSame, kSame, "Begin with an example", kSame, kSame, kSame}},
    {"settings", {kSame, kSame, "Keep the desk", kSame, kSame, kSame}},
    {"layouts", {kSame, kSame, "None has been saved yet", kSame, kSame, kSame}},
    {"about", {kSame, kSame, "MIT licence", kSame, kSame, kSame}},
};

TEST(Views, SayWhatIsGoingOn) {
  std::set<std::string> told;
  for (const Says& says : kSays) {
    ASSERT_TRUE(view_row(says.view)) << says.view;
    told.insert(says.view);
  }
  for (const ViewRow* row : view_rows()) EXPECT_TRUE(told.contains(row->id)) << row->id << " has no line in kSays";
  for (int situation = 0; situation < kSituations; ++situation) {
    SCOPED_TRACE("situation " + std::to_string(situation));
    InSituation in(static_cast<Situation>(situation));
    for (const Says& says : kSays) {
      const char* words = *says.words[situation] ? says.words[situation] : says.words[kLoaded];
      in.look_at(*view_row(says.view));
      EXPECT_TRUE(in.h.shows(words)) << says.view << " does not say: " << words;
    }
  }
}

TEST(Views, AboutSaysWhichWarpspyThisIs) {
  SessionOptions options = Harness::quiet();
  options.version = "9.8.7 (abc)";
  Harness h(1280, 800, 1, options);
  h.session.apply(ShowDialog{"about"});
  h.frames(2);
  EXPECT_TRUE(h.shows("Version 9.8.7 (abc)"));
}

TEST(Views, IdsAreUniqueAndHaveATab) {
  std::set<std::string> ids;
  int tabs = 0;
  for (const ViewRow* each : view_rows()) {
    const ViewRow& row = *each;
    EXPECT_TRUE(ids.insert(row.id).second) << row.id;
    EXPECT_TRUE(row.make != nullptr);
    EXPECT_NE(std::string(row.help), "");
    tabs += row.place == Place::tab;
  }
  EXPECT_GE(tabs, 5);
}

// What a row of a table brings: a command with its keys, and the reason where it cannot be performed.
TEST(Views, TabsAndDialogsHaveACommandOfTheirRow) {
  for (const ViewRow* row : view_rows()) {
    SCOPED_TRACE(row->id);
    const bool tab = row->place == Place::tab, dialog = *row->opener.id != 0;
    EXPECT_TRUE(!dialog || row->place == Place::overlay);
    if (!tab && !dialog) continue;
    const Command* c = command(tab ? std::string("tab.") + row->id : row->opener.id);
    ASSERT_TRUE(c);
    EXPECT_EQ(c->help, row->help);
    if (!tab || row->keys.key != Key::none) {
      EXPECT_EQ(c->keys, row->keys);
    }
    Harness h;
    const std::string why = why_not(h.state(), *c);
    EXPECT_EQ(why, row->why_not ? row->why_not(h.state()) : "");
    if (!why.empty()) continue;
    c->perform(h.state(), h.sink);
    for (const auto& a : h.sink.take()) h.session.apply(a);
    EXPECT_EQ(tab ? h.state().tab : h.state().dialog, row->id);
  }
}

TEST(Views, FiguresHaveACommandOfTheirRow) {
  for (const FigureRow* row : figure_rows()) {
    SCOPED_TRACE(row->id);
    EXPECT_NE(row->picture(), row->drawn().csv && row->drawn().json);
    const Command* c = command(std::string("export.") + row->id);
    ASSERT_TRUE(c);
    Harness h;
    EXPECT_EQ(perform(c->id, h.state(), h.sink), row->reason(h.state()).empty());
    EXPECT_TRUE(row->reason(h.state()).empty() || row->reason(h.state()).back() == '.');
  }
}

// Shapes at the edge of what a figure can show.
class OddMatrices : public testing::TestWithParam<std::pair<index_t, index_t>> {};
TEST_P(OddMatrices, AreDrawn) {
  const auto [rows, cols] = GetParam();
  const std::string path = testing::TempDir() + "/warpspy_odd_" + std::to_string(getpid()) + ".mtx";
  std::FILE* f = std::fopen(path.c_str(), "w");
  const int entries = rows > 0 && cols > 0 ? 1 : 0;
  std::fprintf(f, "%%%%MatrixMarket matrix coordinate real general\n%lld %lld %d\n", static_cast<long long>(rows),
               static_cast<long long>(cols), entries);
  if (entries > 0) std::fprintf(f, "%lld %lld 1e300\n", static_cast<long long>(rows), static_cast<long long>(cols));
  std::fclose(f);
  Harness h;
  h.open(path);
  ASSERT_EQ(h.state().matrices.size(), 1u);
  EXPECT_EQ(h.state().matrices[0].status, OpenMatrix::Status::ready);
  for (const char* tab : {"matrix", "rows", "formats", "facts"}) {
    h.session.apply(ShowTab{tab});
    h.frames(3);
    feed_mouse(500, 300);
    for (int k = 0; k < 12; ++k) {
      feed_wheel(3);
      h.frames(1);
    }
    h.settle();
    h.session.apply(SetCamera{h.state().selected, Camera{}});
  }
  h.session.apply(StartRun{});
  h.settle();
  std::remove(path.c_str());
}
INSTANTIATE_TEST_SUITE_P(Shapes, OddMatrices,
                         testing::Values(std::pair<index_t, index_t>{0, 0}, std::pair<index_t, index_t>{0, 5},
                                         std::pair<index_t, index_t>{5, 0}, std::pair<index_t, index_t>{1, 1},
                                         std::pair<index_t, index_t>{1, 3000000},
                                         std::pair<index_t, index_t>{3000000, 1},
                                         std::pair<index_t, index_t>{1000000, 1000000}));

}  // namespace
