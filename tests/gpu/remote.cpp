// An engine in a process of its own, on a real device: what is lost there is there again, and how fast Live is through
// it. Skipped where there is none.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "core/generate/generate.hpp"
#include "kernels/device/device.hpp"
#include "profiling/engine/engine.hpp"
#include "profiling/remote/remote_engine.hpp"
#include "tests/gpu/assets.hpp"

namespace warpspy {
namespace {

class RemoteGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    const DeviceProbe probe = probe_devices();
    if (!probe.available) GTEST_SKIP() << probe.reason << "; " << probe.remedy;
    options_.patience.hung = 10;
    // Beside this program, in a bundle too.
    const auto engine = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "faulting_engine";
    engine_ = make_remote_engine({engine.string(), {"faulting_engine"}, ""}, options_);
    matrix_ = generate("fem_quad?nx=300&ny=300", progress_);
  }
  RunRecord run(const std::string& kernel) {
    RunRequest r;
    r.kernel = kernel;
    r.device = "cuda:0";
    r.budget_s = 0.05;
    Progress progress;
    return engine_->run(r, matrix_, progress);
  }

  RemoteOptions options_;
  std::unique_ptr<RemoteEngine> engine_;
  Matrix matrix_;
  Progress progress_;
};

TEST_F(RemoteGpu, AnIllegalAddressEndsARunAndTheNextOneIsGood) {
  for (int k = 0; k < 3; ++k) {
    const RunRecord lost = run("illegal");
    std::printf("%s\n", lost.error.c_str());
    EXPECT_EQ(lost.status, RunStatus::failed);
    EXPECT_NE(lost.error.find("the device was lost"), std::string::npos);
    EXPECT_NE(lost.error.find("the next run gets a new engine"), std::string::npos);
    const RunRecord good = run("csr_vector");
    ASSERT_EQ(good.status, RunStatus::ok) << good.error;
    EXPECT_TRUE(good.check->passed);
  }
}

TEST_F(RemoteGpu, AKernelThatHangsEndsARunAndTheNextOneIsGood) {
  const RunRecord hung = run("endless");
  std::printf("%s\n", hung.error.c_str());
  EXPECT_EQ(hung.status, RunStatus::failed);
  EXPECT_NE(hung.error.find("a kernel hangs"), std::string::npos);
  const RunRecord good = run("csr_vector");
  EXPECT_EQ(good.status, RunStatus::ok) << good.error;
}

// As Live reads: the product stays on the device, and so do the counters. The numbers are printed; nothing depends on
// them but that there are any.
TEST_F(RemoteGpu, LiveThroughTheProcessAndWithoutIt) {
  const auto own = make_engine(testing::assets_folder());
  const auto readings = [&](Engine& engine) {
    RunRequest r;
    r.device = "cuda:0";
    r.budget_s = 0.02;
    r.live = true;
    Progress progress;
    EXPECT_EQ(engine.run(r, matrix_, progress).status, RunStatus::ok);  // opens the counters
    const auto began = std::chrono::steady_clock::now();
    int n = 0;
    std::string source;
    while (std::chrono::steady_clock::now() - began < std::chrono::seconds(3)) {
      const RunRecord got = engine.run(r, matrix_, progress);
      EXPECT_EQ(got.status, RunStatus::ok) << got.error;
      source = name_of(got.traffic_source);
      ++n;
    }
    const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return std::pair(n / s, source);
  };
  // One after another: of two that have counters open only one may read them.
  const auto [through, its_source] = readings(*engine_);
  engine_.reset();
  const auto [alone, own_source] = readings(*own);
  std::printf("Live: %.1f readings a second through the process (%s), %.1f in one process (%s)\n", through,
              its_source.c_str(), alone, own_source.c_str());
  EXPECT_GT(through, 0);
}

}  // namespace
}  // namespace warpspy
