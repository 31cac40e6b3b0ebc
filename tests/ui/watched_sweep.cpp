// A sweep whose tasks run on a cluster: the window looks at its folder and collects what has come.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/sweep/nodes.hpp"
#include "tests/ui/cluster_sweep.hpp"
#include "tests/ui/support.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "0.1.0 (abc)";

// What the tasks of the four products write, this test writes.
class WatchedSweeps : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(root_);
    fs::create_directories(root_);
    ClusterSweep made = write_cluster_sweep(at("study.sweep"), catalog_, kProgram);
    sweep_.emplace(std::move(made.sweep));
    ids_ = std::move(made.ids);
    list_ = std::move(made.tasks);
    ASSERT_EQ(list_.cells.size(), 4u);
  }
  void TearDown() override { fs::remove_all(root_); }
  std::string at(const std::string& name) const { return (root_ / name).string(); }
  SessionOptions options() const {
    SessionOptions o = Harness::quiet();
    o.history = at("runs.sqlite");
    o.version = kProgram;
    o.watch_s = 1e6;  // only when the test asks
    return o;
  }
  static void open(Harness& h, const std::string& folder) {
    h.settle();
    h.session.apply(OpenSources{{folder}});
    h.settle();
    ASSERT_TRUE(h.state().sweep);
  }
  static void look(Harness& h) {
    h.session.apply(SteerSweep{SteerSweep::To::watch});
    h.settle();
  }
  StoredCell cell(std::size_t k, const char* error = "") const {
    RunRecord r;
    r.started = "2026-11-30T10:00:0" + std::to_string(k) + "Z";
    r.request = sweep_->cells()[k].request;
    r.status = *error ? RunStatus::failed : RunStatus::ok, r.error = error;
    r.matrix_name = sweep_->cells()[k].matrix_name;
    r.rows = r.cols = 144, r.nnz = 672;
    r.device = "sim:toy", r.device_name = "Toy GPU";
    r.time = {12.5, "us", Provenance::modelled}, r.gflops = {0.1, "GFLOP/s", Provenance::modelled};
    return {ids_[k], {kProgram, "Toy GPU", ""}, end_of(r), 0.5, r};
  }
  // A start of task k; its file.
  std::string write(std::size_t k, const char* error = "", const char* end = "", const char* program = kProgram) const {
    const SweepFolder folder(at("study.sweep"), SweepFolder::For::reading);
    AttemptWriter writer(folder, list_, k, program);
    writer.add(cell(k, error));
    if (end) writer.end(end);
    return at("study.sweep/" + writer.name());
  }
  std::size_t cells_of_folder() const {
    const fs::directory_iterator files(at("study.sweep/cells"));
    return static_cast<std::size_t>(std::distance(begin(files), end(files)));
  }

  const fs::path root_ = fs::path(testing::TempDir()) / ("warpspy_ui_watched_" + std::to_string(getpid()));
  Catalog catalog_ = test_catalog();
  std::optional<Sweep> sweep_;
  std::vector<std::string> ids_;
  TaskList list_;
};

TEST_F(WatchedSweeps, BringEachResultInOnce) {
  Harness h(1280, 800, 1, options());
  open(h, at("study.sweep"));
  const SweepRun& sweep = *h.state().sweep;
  EXPECT_EQ(sweep.phase, SweepRun::Phase::watched);
  EXPECT_EQ(sweep.sweep.counts().waiting, 4u);
  EXPECT_EQ(h.state().matrices_view.face, MatricesFace::sweep);
  EXPECT_TRUE(h.shows("0 of 4 done; tasks: 4 wait"));

  const std::size_t runs = h.state().runs.all().size();
  write(0);
  for (int times = 0; times < 3; ++times) {
    look(h);
    EXPECT_EQ(sweep.sweep.counts().done, 1u);
    EXPECT_EQ(h.state().runs.all().size(), runs + 1);
    EXPECT_EQ(cells_of_folder(), 1u);
    write(0);  // the same product, once more
  }
  // A line that is still being written counts when it is whole.
  const std::string file = write(1, "", nullptr);
  std::string whole;
  {
    std::ifstream in(file, std::ios::binary);
    whole.assign(std::istreambuf_iterator<char>(in), {});
  }
  fs::resize_file(file, whole.size() - 10);
  look(h);
  EXPECT_EQ(sweep.sweep.counts().done, 1u);
  EXPECT_EQ(sweep.sweep.counts().running, 1u) << "its task has begun and has no end";
  EXPECT_TRUE(h.shows("tasks: 1 run, 2 wait"));
  EXPECT_TRUE(h.state().messages.empty() || h.state().messages.back().kind != Message::Kind::warning);
  std::ofstream(file, std::ios::binary) << whole;
  look(h);
  EXPECT_EQ(sweep.sweep.counts().done, 2u);

  write(2), write(3);
  look(h);
  EXPECT_EQ(sweep.phase, SweepRun::Phase::finished);
  EXPECT_EQ(h.state().messages.back().text, "Sweep: 4 of 4 done.");
  EXPECT_EQ(h.state().runs.all().size(), runs + 4);
  EXPECT_EQ(cells_of_folder(), 4u);
  EXPECT_EQ(History(at("runs.sqlite")).find({}).total, 4u);
  for (const SweepCell& c : sweep.sweep.cells()) EXPECT_TRUE(h.state().run(c.run));
  EXPECT_EQ(h.engine.runs, 0) << "nothing runs here";
}

TEST_F(WatchedSweeps, NameTasksThatFailedAndTheCommandForEach) {
  std::string copied;
  SessionOptions o = options();
  o.clipboard = [&](const std::string& text) { copied = text; };
  Harness h(1280, 800, 1, o);
  write(1, "no luck");
  {
    const SweepFolder folder(at("study.sweep"), SweepFolder::For::reading);
    AttemptWriter(folder, list_, 2, kProgram).end("the device was lost");
  }
  open(h, at("study.sweep"));
  const std::string command = "warpspy sweep " + at("study.sweep") + " --task ";
  EXPECT_EQ(h.state().sweep->sweep.counts().failed, 1u);
  EXPECT_TRUE(h.shows("0 of 4 done, 1 failed; tasks: 2 wait, 1 lack products"));
  EXPECT_TRUE(h.shows(command + "1 --retry"));
  EXPECT_TRUE(h.shows("the device was lost"));
  EXPECT_TRUE(h.shows("task 2: the device was lost")) << "its product says why it waits";
  click_at(h.find(command + "2"), [&] { h.frames(1); }, 0.1f);
  EXPECT_EQ(copied, command + "2");
}

TEST_F(WatchedSweeps, AnotherProgramThatCollectsIsLeftAlone) {
  Harness h(1280, 800, 1, options());
  open(h, at("study.sweep"));
  write(0);
  {
    const SweepFolder held(at("study.sweep"), SweepFolder::For::running);
    look(h);
    EXPECT_TRUE(h.state().sweep->held_by_other);
    EXPECT_TRUE(h.shows("another program collects"));
    EXPECT_EQ(h.state().sweep->sweep.counts().done, 1u);
    EXPECT_EQ(cells_of_folder(), 0u);
  }
  look(h);
  EXPECT_FALSE(h.state().sweep->held_by_other);
  EXPECT_EQ(cells_of_folder(), 1u);
  EXPECT_TRUE(h.state().run(h.state().sweep->sweep.cells()[0].run));
}

TEST_F(WatchedSweeps, AreLookedAtFromTimeToTimeUntilTheyAreLeft) {
  SessionOptions o = options();
  o.watch_s = 0.001;
  Harness h(1280, 800, 1, o);
  h.settle();
  h.session.apply(OpenSweep{at("study.sweep")});
  const auto until_done = [&](std::size_t done) {
    while (!h.state().sweep || h.state().sweep->sweep.counts().done < done) doze(), h.frames(1);
  };
  write(0), until_done(1);
  write(1), until_done(2);
  h.session.apply(SteerSweep{SteerSweep::To::stop});
  h.settle();
  EXPECT_EQ(h.state().sweep->phase, SweepRun::Phase::stopped);
  write(2);
  h.frames(5);
  EXPECT_EQ(h.state().sweep->sweep.counts().done, 2u);
  EXPECT_FALSE(h.session.due_in_s());
  h.session.apply(SteerSweep{SteerSweep::To::watch});
  until_done(3);
}

TEST_F(WatchedSweeps, OfAnotherVersionAreRefused) {
  write(0, "", "", "0.0.1 (older)");
  Harness h(1280, 800, 1, options());
  open(h, at("study.sweep"));
  EXPECT_EQ(h.state().sweep->phase, SweepRun::Phase::stopped);
  EXPECT_TRUE(std::ranges::any_of(h.state().messages, [](const Message& m) {
    return m.text.find("another version of Warpspy wrote this file") != std::string::npos;
  }));
  EXPECT_EQ(cells_of_folder(), 0u);
}

TEST_F(WatchedSweeps, AreWatchedAgainInTheNextWindow) {
  SessionOptions o = options();
  o.desk = at("desk"), o.autosave_s = 0;
  {
    Harness h(1280, 800, 1, o);
    open(h, at("study.sweep"));
    write(0);
    look(h);
  }
  write(1);
  Harness h(1280, 800, 1, o);
  h.settle();
  ASSERT_TRUE(h.state().sweep);
  EXPECT_EQ(h.state().sweep->phase, SweepRun::Phase::watched);
  EXPECT_EQ(h.state().sweep->sweep.counts().done, 2u);
}

}  // namespace
