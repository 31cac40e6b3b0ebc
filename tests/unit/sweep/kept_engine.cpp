// A search whose products lie in a folder.
#include "core/sweep/kept_engine.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace warpspy {
namespace {

namespace fs = std::filesystem;

class Counting final : public Engine {
 public:
  using Engine::run;
  RunRecord run(const RunRequest& request, const Matrix& /*matrix*/, Progress& progress,
                const OnTimed& /*on_timed*/) override {
    ++runs;
    RunRecord r;
    r.request = request;
    r.status = progress.cancelled() ? RunStatus::cancelled : RunStatus::ok;
    r.device = "sim:toy", r.device_name = "Toy";
    r.time = {static_cast<double>(runs), "us", Provenance::modelled};
    return r;
  }
  TuneRecord tune(const TuneRequest& /*request*/, const Matrix& /*matrix*/, Progress& /*progress*/,
                  const OnTuneStep& /*on_step*/) override {
    return {};
  }
  int runs = 0;
};

class KeptEngines : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(root_);
    catalog_.kernels = {{"csr_vector",
                         "CSR vector",
                         "",
                         "",
                         "csr",
                         {{"coop", "Threads per row", "", ParamSpec::Type::power_of_two, 1, 32, 8}}}};
    catalog_.devices = {{"sim:toy", "Toy", true, true, "", "", {}}};
  }
  void TearDown() override { fs::remove_all(root_); }
  static RunRequest request(double coop) {
    RunRequest r;
    r.matrix = "gen:a";
    r.device = "sim:toy";
    r.params = {{"coop", coop}};
    return r;
  }
  const std::string root_ = testing::TempDir() + "warpspy_kept_engine_" + std::to_string(getpid());
  const Maker here_ = {"0.1.0 (abc)", "", ""};
  Catalog catalog_;
  Counting engine_;
  Matrix matrix_;
  Progress progress_;
};

TEST_F(KeptEngines, RunNothingTwice) {
  {
    SweepFolder folder(root_, SweepFolder::For::running);
    KeptEngine kept(engine_, folder, catalog_, here_);
    kept.run(request(4), matrix_, progress_);
    kept.run(request(8), matrix_, progress_);
  }
  EXPECT_EQ(engine_.runs, 2);
  SweepFolder folder(root_, SweepFolder::For::running);
  KeptEngine kept(engine_, folder, catalog_, here_);
  EXPECT_EQ(kept.run(request(8), matrix_, progress_).time.value, 2);
  EXPECT_EQ(kept.run(request(4), matrix_, progress_).time.value, 1);
  EXPECT_EQ(engine_.runs, 2);
  EXPECT_EQ(kept.found(), 2u);
  RunRequest by_default = request(8);
  by_default.params.clear();
  kept.run(by_default, matrix_, progress_);
  EXPECT_EQ(engine_.runs, 2) << "a default is the same product";
  kept.run(request(16), matrix_, progress_);
  EXPECT_EQ(engine_.runs, 3);
}

TEST_F(KeptEngines, ACancelledProductIsNotKept) {
  SweepFolder folder(root_, SweepFolder::For::running);
  KeptEngine kept(engine_, folder, catalog_, here_);
  Progress cancelled;
  cancelled.cancel();
  EXPECT_EQ(kept.run(request(4), matrix_, cancelled).status, RunStatus::cancelled);
  EXPECT_TRUE(folder.ids().empty());
}

TEST_F(KeptEngines, AnotherBuildIsRefused) {
  SweepFolder folder(root_, SweepFolder::For::running);
  KeptEngine(engine_, folder, catalog_, here_).run(request(4), matrix_, progress_);
  EXPECT_THROW(KeptEngine(engine_, folder, catalog_, {"0.1.0 (def)", "", ""}), Error);
}

}  // namespace
}  // namespace warpspy
