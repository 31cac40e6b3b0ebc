// All runs in the window: what is listed, compared, noted, repeated and removed.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/ui/support.hpp"
#include "ui/commands/commands.hpp"
#include "ui/views/runs_panel.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

constexpr const char* laplace = "gen:laplace5?nx=30&ny=30";

// A file of this test alone.
struct File {
  std::string path = testing::TempDir() + "/warpspy_ui_runs_" + std::to_string(getpid()) + "_" +
                     testing::UnitTest::GetInstance()->current_test_info()->name() + ".sqlite";
  File() { clear(); }
  ~File() { clear(); }
  void clear() const {
    for (const char* part : {"", "-wal", "-shm"}) std::filesystem::remove(path + part);
  }
  SessionOptions options() const {
    SessionOptions o = Harness::quiet();
    o.history = path;
    return o;
  }
};

void run(Harness& h, const char* kernel) {
  h.session.apply(SetKernel{kernel});
  h.session.apply(StartRun{});
  h.settle();
}

std::vector<std::uint64_t> listed(const AppState& s) {
  std::vector<std::uint64_t> ids;
  for (const auto& k : s.list.rows) ids.push_back(k.record->id);
  return ids;
}

using Ids = std::vector<std::uint64_t>;

// A click on the row of a run in the table, counted from the top.
std::vector<Action> click(Harness& h, RunsPanel& panel, int row, bool ctrl, bool shift) {
  std::vector<Action> all;
  const auto frame = [&] {
    for (auto& a : h.panel([&](Ui& ui) { panel.draw(h.state(), ui, ImVec2(1000, 500)); })) all.push_back(a);
  };
  frame();
  feed_chord({Key::none, ctrl, shift}, true);
  click_at(h.items("##row").at(static_cast<std::size_t>(row)), frame, 0.4f);
  feed_chord({Key::none, ctrl, shift}, false);
  frame();
  return all;
}

TEST(Runs, HoldTheLastReadingOfALiveRun) {
  const File file;
  RunRecord shown;
  {
    Harness h(1280, 800, 1, file.options());
    h.engine.counts = true;
    h.open(laplace);
    h.session.apply(choose("live", true));
    h.settle();
    while (h.engine.runs < 5) h.frames();
    h.session.apply(choose("live", false));
    h.settle();
    while (!h.state().jobs.empty()) h.frames();
    ASSERT_EQ(h.state().runs.all().size(), 1u);
    shown = *h.state().runs.all().front();
  }
  const History history(file.path);
  const auto kept = history.get(shown.id);
  ASSERT_TRUE(kept);
  ASSERT_TRUE(shown.detail("counter_latency"));
  EXPECT_GT(shown.detail("counter_latency")->value, 48) << "it was measured again";
  EXPECT_EQ(kept->record->detail("counter_latency")->value, shown.detail("counter_latency")->value);
}

TEST(Runs, SelectedTogetherTheyAreCompared) {
  Harness h(1100, 600);
  h.open(laplace);
  for (const char* kernel : {"csr_vector", "csr_scalar", "csr_vector"}) run(h, kernel);
  ASSERT_EQ(listed(h.state()), (Ids{3, 2, 1}));
  RunsPanel panel(RunsPanel::Size::whole);
  click(h, panel, 2, false, false);
  EXPECT_EQ(h.state().selected_run, 1u);
  EXPECT_FALSE(h.state().comparison);
  click(h, panel, 1, true, false);
  ASSERT_TRUE(h.state().comparison);
  EXPECT_EQ(h.state().comparison->ids, (Ids{1, 2})) << "the one selected first is the baseline";
  EXPECT_GT(h.state().comparison->rows.size(), 3u);
  h.settle();
  ASSERT_EQ(h.state().roofline->arrows.size(), 1u);
  click(h, panel, 0, true, false);
  EXPECT_EQ(h.state().comparison->ids, (Ids{1, 2, 3}));
  h.settle();
  EXPECT_EQ(h.state().roofline->arrows.size(), 2u);
  click(h, panel, 1, true, false);
  EXPECT_EQ(h.state().comparison->ids, (Ids{1, 3})) << "Ctrl+click takes away too";
  click(h, panel, 0, false, false);
  EXPECT_FALSE(h.state().comparison) << "a plain click selects one";
  click(h, panel, 2, false, true);
  EXPECT_EQ(h.state().comparison->ids, (Ids{3, 2, 1})) << "Shift takes all between";
  h.settle();
  h.session.apply(CompareRuns{});
  h.settle();
  EXPECT_TRUE(h.state().roofline->arrows.empty());
}

TEST(Runs, AtMostSixAreComparedAndFewerThanTwoAreNone) {
  Harness h;
  h.open(laplace);
  for (int k = 0; k < 8; ++k) run(h, k % 2 ? "csr_scalar" : "csr_vector");
  h.session.apply(CompareRuns{{1, 2, 3, 4, 5, 6, 7, 8}});
  EXPECT_EQ(h.state().comparing.size(), kMostCompared);
  EXPECT_EQ(h.state().messages.back().kind, Message::Kind::note);
  h.session.apply(CompareRuns{{4, 4, 99}});
  EXPECT_TRUE(h.state().comparing.empty());
  EXPECT_FALSE(h.state().comparison);
}

TEST(Runs, TheTabShowsWhatDiffers) {
  Harness h(1280, 800);
  h.open(laplace);
  for (const char* kernel : {"csr_vector", "csr_scalar", "csr_vector"}) run(h, kernel);
  h.session.apply(choose("precision", Precision::f64));
  run(h, "csr_vector");
  h.session.apply(ShowTab{"runs"});
  h.settle();
  EXPECT_FALSE(h.shows("Comparison"));
  for (const Ids& ids : {Ids{1, 2}, Ids{1, 2, 3, 4}}) {
    h.session.apply(CompareRuns{ids});
    h.settle();
    EXPECT_TRUE(h.shows("Comparison"));
    EXPECT_TRUE(h.shows("against run 1"));
    for (const char* run : {"#1 base", "#2"}) EXPECT_TRUE(h.shows(run)) << run;
    sweep(h, 20, 20);  // tooltips and explanations of every cell
  }
  EXPECT_FALSE(h.state().comparison->differences.empty());
}

TEST(Runs, OutliveTheSession) {
  const File file;
  {
    Harness h(1280, 800, 1, file.options());
    h.open(laplace);
    run(h, "csr_vector");
    run(h, "csr_scalar");
    h.session.apply(SetNote{2, "slow on purpose"});
    h.settle();
    EXPECT_EQ(h.state().list.rows.front().note, "slow on purpose");
  }
  Harness h(1280, 800, 1, file.options());
  h.settle();
  EXPECT_TRUE(h.state().list.rows.empty()) << "nothing was run in this session";
  h.session.apply(ListRuns{true, {}});
  h.settle();
  ASSERT_EQ(listed(h.state()), (Ids{2, 1}));
  EXPECT_EQ(h.state().list.rows[0].note, "slow on purpose");
  EXPECT_EQ(h.state().list.words.kernels, (std::vector<std::string>{"csr_scalar", "csr_vector"}));
  HistoryQuery q;
  q.text = "purpose";
  h.session.apply(ListRuns{true, q});
  h.settle();
  EXPECT_EQ(listed(h.state()), (Ids{2}));
  // Runs of two sessions side by side, on the same roofline.
  h.open(laplace);
  run(h, "csr_vector");
  EXPECT_EQ(h.state().selected_run, 3u) << "numbers go on";
  h.session.apply(CompareRuns{{2, 3}});
  h.settle();
  EXPECT_EQ(h.state().roofline->arrows.size(), 1u);
  h.session.apply(ForgetRun{2});
  h.session.apply(ListRuns{true, {}});
  h.settle();
  EXPECT_EQ(listed(h.state()), (Ids{3, 1}));
}

TEST(Runs, OfBeforeCountInTheTableOfMatrices) {
  const File file;
  {
    Harness h(1280, 800, 1, file.options());
    h.open(laplace);
    run(h, "csr_vector");
  }
  Harness h(1280, 800, 1, file.options());
  h.open(laplace);
  h.session.apply(ShowTab{"matrices"});
  h.settle();
  EXPECT_FALSE(h.shows("not run yet"));
  EXPECT_TRUE(h.shows("CSR vector"));
}

// Formats and kernels have real numbers: which of a complex matrix they took stands beside its best run.
TEST(Runs, OfAComplexMatrixSayOnWhat) {
  const File file;
  const std::string matrix = file.path + ".mtx";
  std::ofstream(matrix) << "%%MatrixMarket matrix coordinate complex general\n2 2 2\n1 1 3 4\n2 2 1 0\n";
  Harness h(1280, 800, 1, file.options());
  h.open(matrix);
  h.session.apply(ShowTab{"matrices"});
  run(h, "csr_vector");
  EXPECT_TRUE(h.shows("f32, real parts"));
  std::filesystem::remove(matrix);
}

TEST(Runs, ANoteIsKeptThoughTheWindowClosesAtOnce) {
  const File file;
  {
    Harness h(1280, 800, 1, file.options());
    h.open(laplace);
    run(h, "csr_vector");
    h.session.apply(SetNote{1, "last words"});
  }
  EXPECT_EQ(History(file.path).get(1)->note, "last words");
}

TEST(Runs, OnlyWhereADragStopsIsKept) {
  const File file;
  {
    Harness h(1280, 800, 1, file.options());
    h.open(laplace);
    h.session.apply(choose("live", true));
    h.settle();
    for (double coop : {1, 2, 4}) {
      h.session.apply(SetParam{SetParam::Of::kernel, "coop", coop});
      h.settle();
    }
    EXPECT_EQ(h.state().list.rows.size(), 1u);
    EXPECT_EQ(h.state().trail.size(), 3u);
    const std::uint64_t last = h.state().selected_run;
    EXPECT_EQ(last, 4u) << "no number is given twice";
    h.session.apply(SetNote{last, "keep this one"});
    h.session.apply(SetParam{SetParam::Of::kernel, "coop", 8});
    h.settle();
    EXPECT_EQ(h.state().selected_run, 5u) << "what has a note is not taken over";
  }
  auto kept = History(file.path).find({});
  ASSERT_EQ(kept.total, 2u);
  EXPECT_EQ(kept.runs[0].record->request.params.at("coop"), 8);
  EXPECT_TRUE(kept.runs[0].note.empty());
  kept.runs.erase(kept.runs.begin());
  EXPECT_EQ(kept.runs[0].record->request.params.at("coop"), 4);
  EXPECT_EQ(kept.runs[0].note, "keep this one");
}

TEST(Runs, ALiveRunIsKeptWhereTheNextBeginsAnotherTrail) {
  const File file;
  {
    Harness h(1280, 800, 1, file.options());
    h.open(laplace);
    h.session.apply(choose("live", true));
    h.settle();
    h.session.apply(SetKernel{"csr_scalar"});
    h.settle();
  }
  EXPECT_EQ(History(file.path).find({}).total, 2u);
}

TEST(Runs, TuningKeepsItsBest) {
  const File file;
  Harness h(1280, 800, 1, file.options());
  h.open(laplace);
  h.session.apply(StartTuning{});
  h.settle();
  EXPECT_EQ(History(file.path).find({}).total, 1u);
  EXPECT_EQ(listed(h.state()), (Ids{1}));
}

TEST(Runs, ARunIsRepeatedExactlyAndCompared) {
  const File file;
  {
    Harness h(1280, 800, 1, file.options());
    h.open(laplace);
    h.session.apply(SetParam{SetParam::Of::kernel, "coop", 16});
    h.session.apply(choose("precision", Precision::f64));
    run(h, "csr_vector");
  }
  Harness h(1280, 800, 1, file.options());
  h.session.apply(ListRuns{true, {}});
  h.settle();
  h.session.apply(RepeatRun{1});
  h.settle();
  ASSERT_EQ(h.state().runs.all().size(), 1u) << "its matrix was opened for it";
  const RunRecord& again = *h.state().runs.all()[0];
  EXPECT_EQ(again.request, h.state().comparing[0]->request);
  ASSERT_TRUE(h.state().comparison);
  EXPECT_EQ(h.state().comparison->ids, (Ids{1, 2}));
  // With the matrix open it is not opened twice.
  h.session.apply(RepeatRun{2});
  h.settle();
  EXPECT_EQ(h.state().matrices.size(), 1u);
  EXPECT_EQ(h.state().runs.all().size(), 2u);
}

TEST(Runs, RepeatingSaysWhenTheMatrixIsGoneOrAnother) {
  const std::string path = testing::TempDir() + "/warpspy_repeat_" + std::to_string(getpid()) + ".mtx";
  const auto write = [&](const char* size) {
    std::ofstream(path) << "%%MatrixMarket matrix coordinate real general\n" << size;
  };
  const File file;
  {
    Harness h(1280, 800, 1, file.options());
    write("2 2 2\n1 1 1\n2 2 1\n");
    h.open(path);
    run(h, "csr_vector");
  }
  const auto repeat = [&] {
    Harness h(1280, 800, 1, file.options());
    h.session.apply(ListRuns{true, {}});
    h.settle();
    h.session.apply(RepeatRun{1});
    h.settle();
    EXPECT_TRUE(h.state().runs.all().empty());
    std::string said;
    for (const auto& m : h.state().messages)
      if (m.kind != Message::Kind::note) said += m.text + "\n";
    return said;
  };
  write("2 2 3\n1 1 1\n2 2 1\n1 2 1\n");
  EXPECT_NE(repeat().find("3 entries, the run had 2 x 2 with 2 entries"), std::string::npos) << repeat();
  std::filesystem::remove(path);
  EXPECT_NE(repeat().find("cannot be repeated"), std::string::npos) << repeat();
}

TEST(Runs, WithoutAPlaceToWriteTheWindowGoesOn) {
  SessionOptions o = Harness::quiet();
  o.history = "/dev/null/warpspy/runs.sqlite";
  Harness h(1280, 800, 1, o);
  h.open(laplace);
  run(h, "csr_vector");
  run(h, "csr_scalar");
  EXPECT_EQ(h.state().runs.all().size(), 2u);
  int said = 0;
  for (const auto& m : h.state().messages) said += m.kind == Message::Kind::warning;
  EXPECT_EQ(said, 1);
  h.session.apply(ListRuns{true, {}});
  h.settle();
  EXPECT_EQ(listed(h.state()), (Ids{2, 1}));
}

TEST(Runs, FiltersHoldForThisSessionToo) {
  Harness h;
  h.open(laplace);
  run(h, "csr_vector");
  run(h, "csr_scalar");
  HistoryQuery q;
  q.kernel = "csr_scalar";
  h.session.apply(ListRuns{false, q});
  h.settle();
  EXPECT_EQ(listed(h.state()), (Ids{2}));
  q.text = "no such run";
  h.session.apply(ListRuns{false, q});
  h.session.apply(ShowTab{"runs"});
  h.settle();
  EXPECT_TRUE(h.state().list.rows.empty());
}

TEST(Runs, TheComparisonIsExported) {
  Harness h;
  h.open(laplace);
  run(h, "csr_vector");
  run(h, "csr_scalar");
  ActionSink out;
  ASSERT_TRUE(perform("runs.compare", h.state(), out));
  for (const auto& a : out.take()) h.session.apply(a);
  h.settle();
  EXPECT_EQ(h.state().comparison->ids, (Ids{1, 2}));
  for (const char* ending : {"csv", "json"}) {
    const std::string path = testing::TempDir() + "/warpspy_delta_" + std::to_string(getpid()) + "." + ending;
    h.session.apply(ExportFigure{.what = "comparison", .path = path, .overwrite = true});
    h.settle();
    EXPECT_TRUE(std::filesystem::exists(path) && std::filesystem::file_size(path) > 200) << path;
    std::filesystem::remove(path);
  }
  h.session.apply(ExportFigure{.what = "comparison", .path = "/tmp/no.svg"});
  h.settle();
  EXPECT_EQ(h.state().messages.back().kind, Message::Kind::error);
}

// The visible way to compare: a switch, and then plain clicks.
TEST(Runs, AreComparedByASwitchWithoutCtrl) {
  const File file;
  Harness h(1280, 800, 1, file.options());
  h.open(laplace);
  run(h, "csr_scalar");
  RunsPanel panel(RunsPanel::Size::whole);
  const auto frame = [&] { return h.panel([&](Ui& ui) { panel.draw(h.state(), ui, ImVec2(1000, 500)); }); };
  frame();
  EXPECT_TRUE(h.items("Compare").empty()) << "one run has none to be compared with";
  run(h, "csr_vector");
  frame();
  ASSERT_FALSE(h.items("Compare").empty());
  click_at(h.items("Compare").front(), [&] { frame(); });
  std::vector<std::uint64_t> ids;
  for (const auto& a : click(h, panel, 1, false, false))
    if (const auto* compare = a.as<CompareRuns>()) ids = compare->ids;
  EXPECT_EQ(ids.size(), 2u);
}

}  // namespace
