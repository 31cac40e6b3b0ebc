// A sweep that a window left undone, in the next one.
#include <unistd.h>

#include <filesystem>

#include "tests/ui/support.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

namespace fs = std::filesystem;

class SavedSweeps : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("warpspy_ui_kept_sweep_" + std::to_string(getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string at(const char* name) const { return (folder_ / name).string(); }
  SessionOptions options() const {
    SessionOptions o = Harness::quiet();
    o.desk = at("desk");
    o.history = at("runs.sqlite");
    o.autosave_s = 0;
    return o;
  }
  // Two matrices, two kernels; the sweep is stopped at its third product.
  static void leave_undone(Harness& h) {
    h.settle();
    h.open("gen:laplace5?nx=12&ny=12");
    h.open("gen:laplace5?nx=13&ny=13");
    std::vector<MatrixId> ids;
    for (const OpenMatrix& m : h.state().matrices) ids.push_back(m.id);
    h.session.apply(StartSweep{ids, {"csr_scalar", "csr_vector"}, {Precision::f32}, {"sim:toy"}});
    while (h.state().sweep->sweep.counts().done < 2) h.frames(1);
    h.session.apply(SteerSweep{SteerSweep::To::stop});
    h.settle();
    ASSERT_EQ(h.state().sweep->phase, SweepRun::Phase::stopped);
  }

  fs::path folder_;
};

TEST_F(SavedSweeps, GoOnWhereTheyWereStopped) {
  SweepCounts left;
  {
    Harness h(1280, 800, 1, options());
    leave_undone(h);
    left = h.state().sweep->sweep.counts();
    ASSERT_GT(left.waiting, 0u);
  }
  Harness h(1280, 800, 1, options());
  h.settle();
  ASSERT_TRUE(h.state().sweep);
  EXPECT_EQ(h.state().sweep->phase, SweepRun::Phase::stopped) << "nothing runs by itself";
  EXPECT_EQ(h.state().sweep->sweep.counts().done, left.done);
  EXPECT_EQ(h.engine.runs, 0);
  for (const SweepCell& c : h.state().sweep->sweep.cells()) EXPECT_EQ(c.run != 0, c.state == CellState::done);
  for (const SweepCell& c : h.state().sweep->sweep.cells())
    if (c.run != 0) {
      EXPECT_TRUE(h.state().run(c.run));
    }

  MatricesView view = h.state().matrices_view;
  view.face = MatricesFace::sweep;
  h.session.apply(SetMatricesView{view});
  h.session.apply(ShowTab{"matrices"});
  h.settle();
  EXPECT_TRUE(h.shows("stopped"));
  h.session.apply(SteerSweep{SteerSweep::To::resume});
  h.settle();
  EXPECT_EQ(h.state().sweep->sweep.counts().done, 4u);
  EXPECT_EQ(h.engine.runs, static_cast<int>(left.waiting)) << "what had run does not run again";
}

TEST_F(SavedSweeps, GoWithASessionToAnotherMachine) {
  {
    Harness h(1280, 800, 1, options());
    leave_undone(h);
    h.session.apply(SaveSession{at("shared.warpspy")});
    h.settle();
  }
  SessionOptions elsewhere = Harness::quiet();
  elsewhere.history = at("other.sqlite");
  Harness h(1280, 800, 1, elsewhere);
  h.session.apply(OpenSession{at("shared.warpspy")});
  h.settle();
  ASSERT_TRUE(h.state().sweep);
  for (const SweepCell& c : h.state().sweep->sweep.cells())
    if (c.state == CellState::done) {
      EXPECT_TRUE(h.state().run(c.run)) << "its run has a number of this machine";
    }
  h.session.apply(SteerSweep{SteerSweep::To::resume});
  h.settle();
  EXPECT_EQ(h.state().sweep->sweep.counts().done, 4u);
}

// The session takes the place of all: also of what a product under way would have told.
TEST_F(SavedSweeps, ASessionEndsTheSweepThatIsUnderWay) {
  Harness h(1280, 800, 1, options());
  leave_undone(h);
  h.session.apply(SaveSession{at("shared.warpspy")});
  h.settle();
  const SweepCounts saved = h.state().sweep->sweep.counts();
  h.engine.waits = true;
  h.session.apply(SteerSweep{SteerSweep::To::resume});
  while (!h.state().sweep->job) h.frames(1);
  h.session.apply(OpenSession{at("shared.warpspy")});
  while (!h.state().sweep || h.state().sweep->job) h.frames(1);
  h.engine.waits = false;
  h.settle();
  EXPECT_EQ(h.state().sweep->phase, SweepRun::Phase::stopped);
  EXPECT_EQ(h.state().sweep->sweep.counts().done, saved.done);
}

// Two matrices, two kernels, in a folder; stopped at its third product.
class SweepsInFolders : public SavedSweeps {
 protected:
  StartSweep asked(const Harness& h) const {
    StartSweep a{{}, {"csr_scalar", "csr_vector"}, {Precision::f32}, {"sim:toy"}};
    for (const OpenMatrix& m : h.state().matrices) a.matrices.push_back(m.id);
    a.folder = at("study.sweep");
    return a;
  }
  std::size_t cells() const {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(at("study.sweep/cells"))) count += entry.is_regular_file();
    return count;
  }
  static void open_two(Harness& h) {
    h.settle();
    h.open("gen:laplace5?nx=12&ny=12");
    h.open("gen:laplace5?nx=13&ny=13");
  }
  // The desk is another one: nothing but the folder tells of the sweep.
  SessionOptions elsewhere() const {
    SessionOptions o = Harness::quiet();
    o.history = at("other.sqlite");
    return o;
  }
};

TEST_F(SweepsInFolders, GoOnInAnotherWindow) {
  {
    Harness h(1280, 800, 1, options());
    open_two(h);
    h.session.apply(asked(h));
    while (h.state().sweep->sweep.counts().done < 2) h.frames(1);
    h.session.apply(SteerSweep{SteerSweep::To::stop});
    h.settle();
    EXPECT_FALSE(h.state().sweep->folder) << "what stands still is left to others";
  }
  const std::size_t before = cells();
  ASSERT_GE(before, 2u);
  ASSERT_LT(before, 4u);
  Harness h(1280, 800, 1, elsewhere());
  h.settle();
  h.session.apply(OpenSources{{at("study.sweep")}});
  h.settle();
  ASSERT_TRUE(h.state().sweep);
  EXPECT_EQ(h.state().matrices.size(), 2u) << "its matrices are opened";
  EXPECT_EQ(h.state().sweep->sweep.counts().done, before);
  EXPECT_EQ(h.state().sweep->phase, SweepRun::Phase::stopped) << "nothing runs by itself";
  for (const SweepCell& c : h.state().sweep->sweep.cells())
    if (c.state == CellState::done) {
      EXPECT_TRUE(h.state().run(c.run));
    }
  EXPECT_TRUE(h.shows("stopped"));
  h.session.apply(SteerSweep{SteerSweep::To::resume});
  h.settle();
  EXPECT_EQ(h.state().sweep->sweep.counts().done, 4u);
  EXPECT_EQ(h.state().sweep->phase, SweepRun::Phase::finished);
  EXPECT_EQ(cells(), 4u);
  EXPECT_EQ(h.engine.runs, static_cast<int>(4 - before)) << "what had run does not run again";
}

TEST_F(SweepsInFolders, OneThatIsDoneIsNotStopped) {
  {
    Harness h(1280, 800, 1, options());
    open_two(h);
    StartSweep a = asked(h);
    a.params = {{"coop", {"2:8"}}};
    h.session.apply(a);
    h.settle();
  }
  Harness h(1280, 800, 1, elsewhere());
  h.settle();
  h.session.apply(OpenSources{{at("study.sweep")}});
  h.settle();
  ASSERT_TRUE(h.state().sweep);
  EXPECT_EQ(h.state().sweep->phase, SweepRun::Phase::finished);
  EXPECT_FALSE(h.shows("stopped"));
  EXPECT_TRUE(h.shows("coop 4")) << "which of its products a row is";
}

TEST_F(SweepsInFolders, AnotherProgramIsSaid) {
  Harness h(1280, 800, 1, options());
  open_two(h);
  const SweepFolder held(at("study.sweep"), SweepFolder::For::running);
  h.session.apply(asked(h));
  h.settle();
  EXPECT_NE(h.state().messages.back().text.find("runs this sweep"), std::string::npos);
  EXPECT_EQ(h.state().sweep->phase, SweepRun::Phase::stopped);
  EXPECT_EQ(h.engine.runs, 0);
}

TEST_F(SweepsInFolders, AFileSaysTheSame) {
  StartSweep a;
  {
    Harness h(1280, 800, 1, options());
    open_two(h);
    a = asked(h);
    a.params = {{"coop", {"2:8"}}};
    a.repetitions = 3;
    h.session.apply(SaveSweep{a, at("study.json")});
    h.settle();
    h.session.apply(SaveSweep{a, at("study.json")});
    h.settle();
    EXPECT_NE(h.state().messages.back().text.find("such a file already"), std::string::npos);
  }
  Harness h(1280, 800, 1, elsewhere());
  h.settle();
  h.session.apply(OpenSource{at("study.json")});
  h.settle();
  ASSERT_TRUE(h.state().sweep);
  EXPECT_EQ(h.state().sweep->sweep.plan().repetitions, 3);
  EXPECT_EQ(h.state().sweep->sweep.counts().waiting, h.state().sweep->sweep.cells().size());
  EXPECT_FALSE(fs::exists(at("study.sweep"))) << "opening makes no folder";
  h.session.apply(SteerSweep{SteerSweep::To::resume});
  h.settle();
  EXPECT_EQ(h.state().sweep->phase, SweepRun::Phase::finished);
  EXPECT_EQ(cells(), h.state().sweep->sweep.cells().size());
}

TEST_F(SweepsInFolders, AFileThatIsNoneIsSaid) {
  Harness h(1280, 800, 1, options());
  h.settle();
  h.session.apply(OpenSource{at("none.json")});
  h.settle();
  EXPECT_NE(h.state().messages.back().text.find("cannot be read"), std::string::npos);
  EXPECT_FALSE(h.state().sweep);
}

}  // namespace
