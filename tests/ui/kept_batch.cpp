// A batch that a window left undone, in the next one.
#include <unistd.h>

#include <filesystem>

#include "tests/ui/support.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

namespace fs = std::filesystem;

class KeptBatches : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("warpspy_ui_kept_batch_" + std::to_string(getpid()));
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
  // Two matrices, two kernels; the batch is stopped at its third product.
  static void leave_undone(Harness& h) {
    h.settle();
    h.open("gen:laplace5?nx=12&ny=12");
    h.open("gen:laplace5?nx=13&ny=13");
    std::vector<MatrixId> ids;
    for (const OpenMatrix& m : h.state().matrices) ids.push_back(m.id);
    h.session.apply(StartBatch{ids, {"csr_scalar", "csr_vector"}, {Precision::f32}, {"sim:toy"}});
    while (h.state().batch->batch.counts().done < 2) h.frames(1);
    h.session.apply(SteerBatch{SteerBatch::To::stop});
    h.settle();
    ASSERT_EQ(h.state().batch->phase, BatchRun::Phase::stopped);
  }

  fs::path folder_;
};

TEST_F(KeptBatches, GoOnWhereTheyWereStopped) {
  BatchCounts left;
  {
    Harness h(1280, 800, 1, options());
    leave_undone(h);
    left = h.state().batch->batch.counts();
    ASSERT_GT(left.waiting, 0u);
  }
  Harness h(1280, 800, 1, options());
  h.settle();
  ASSERT_TRUE(h.state().batch);
  EXPECT_EQ(h.state().batch->phase, BatchRun::Phase::stopped) << "nothing runs by itself";
  EXPECT_EQ(h.state().batch->batch.counts().done, left.done);
  EXPECT_EQ(h.engine.runs, 0);
  for (const BatchCell& c : h.state().batch->batch.cells()) EXPECT_EQ(c.run != 0, c.state == CellState::done);
  for (const BatchCell& c : h.state().batch->batch.cells())
    if (c.run != 0) {
      EXPECT_TRUE(h.state().run(c.run));
    }

  MatricesView view = h.state().matrices_view;
  view.face = MatricesFace::batch;
  h.session.apply(SetMatricesView{view});
  h.session.apply(ShowTab{"matrices"});
  h.settle();
  EXPECT_TRUE(h.shows("stopped"));
  h.session.apply(SteerBatch{SteerBatch::To::resume});
  h.settle();
  EXPECT_EQ(h.state().batch->batch.counts().done, 4u);
  EXPECT_EQ(h.engine.runs, static_cast<int>(left.waiting)) << "what had run does not run again";
}

TEST_F(KeptBatches, GoWithASessionToAnotherMachine) {
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
  ASSERT_TRUE(h.state().batch);
  for (const BatchCell& c : h.state().batch->batch.cells())
    if (c.state == CellState::done) {
      EXPECT_TRUE(h.state().run(c.run)) << "its run has a number of this machine";
    }
  h.session.apply(SteerBatch{SteerBatch::To::resume});
  h.settle();
  EXPECT_EQ(h.state().batch->batch.counts().done, 4u);
}

// The session takes the place of all: also of what a product under way would have told.
TEST_F(KeptBatches, ASessionEndsTheBatchThatIsUnderWay) {
  Harness h(1280, 800, 1, options());
  leave_undone(h);
  h.session.apply(SaveSession{at("shared.warpspy")});
  h.settle();
  const BatchCounts saved = h.state().batch->batch.counts();
  h.engine.waits = true;
  h.session.apply(SteerBatch{SteerBatch::To::resume});
  while (!h.state().batch->job) h.frames(1);
  h.session.apply(OpenSession{at("shared.warpspy")});
  while (!h.state().batch || h.state().batch->job) h.frames(1);
  h.engine.waits = false;
  h.settle();
  EXPECT_EQ(h.state().batch->phase, BatchRun::Phase::stopped);
  EXPECT_EQ(h.state().batch->batch.counts().done, saved.done);
}

}  // namespace
