// Timing on a real device, and a device that is really lost. Skipped where there is none.
#include <gtest/gtest.h>

#include <cstdio>

#include "kernels/device/device.hpp"
#include "kernels/table/table.hpp"
#include "kernels/vendor/library.hpp"
#include "profiling/bench/bench.hpp"
#include "profiling/engine/devices.hpp"
#include "profiling/engine/engine.hpp"
#include "tests/gpu/assets.hpp"
#include "tests/products.hpp"

namespace warpspy {

namespace testing {
void launch_illegal(void* stream);
}

namespace {

const std::string assets = testing::assets_folder();

class TimingGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    const DeviceProbe probe = probe_devices();
    if (!probe.available) GTEST_SKIP() << probe.reason << "; " << probe.remedy;
  }
  Progress progress_;
};

TEST_F(TimingGpu, WarmAndColdOfTheSameProduct) {
  const Matrix m = generate("laplace5?nx=500&ny=500", progress_);
  const KernelRow& kernel = kernel_row("csr_vector");
  const auto p = testing::product_of(kernel, m, Precision::f64, {{"coop", 4}});
  const auto make = [&] { return kernel.on_device(p->inputs); };
  const Rotation warm = rotation_of(CacheState::warm, make, progress_);
  const Rotation cold = rotation_of(CacheState::cold, make, progress_);
  EXPECT_EQ(warm.copies.size(), 1u);
  EXPECT_TRUE(cold.flush || cold.copies.size() >= 2);
  const Comparison c = compare_interleaved({&warm, &cold}, 2, progress_);
  for (const ProductTime& t : c.times) {
    std::printf("%.2f us (%.2f to %.2f), SM %.0f MHz: %s %s\n", t.us, t.low, t.high, t.sm_mhz, t.how.c_str(),
                t.clock_note.c_str());
    EXPECT_GT(t.us, 0.5);
    EXPECT_LE(t.low, t.us);
    EXPECT_GE(t.high, t.us);
    EXPECT_GE(t.samples, 9);
    EXPECT_GT(t.l2_bytes, 0u);
    EXPECT_GT(t.product_bytes, 0u);
  }
  EXPECT_GT(ratio_of(c.samples[1], c.samples[0]).value, 0);
  for (const auto& copy : cold.copies) EXPECT_EQ(testing::first_wrong_row(p->expected, copy->y()), "");
}

TEST_F(TimingGpu, AProductTooSmallForCopiesIsFlushed) {
  const Matrix m = generate("laplace5?nx=10&ny=10", progress_);
  const KernelRow& kernel = kernel_row("csr_scalar");
  const auto p = testing::product_of(kernel, m, Precision::f32, {});
  const Rotation cold = cold_rotation([&] { return kernel.on_device(p->inputs); }, progress_);
  EXPECT_TRUE(cold.flush);
  const ProductTime t = time_rotation(cold, 1, progress_);
  std::printf("%.2f us: %s\n", t.us, t.how.c_str());
  EXPECT_GT(t.flush_us, 0);
}

TEST_F(TimingGpu, TheCopyReachesSomething) {
  const CopyBandwidth copy = measure_copy(progress_);
  std::printf("copy: %.0f GB/s, noise %.2f %%\n", copy.gbs, 100 * copy.noise);
  EXPECT_GT(copy.gbs, 10);
}

TEST_F(TimingGpu, L2HandsOutMoreSideBySideThanAnywhere) {
  const L2Bandwidth l2 = measure_l2(0, progress_);
  std::printf("L2: %.0f GB/s read, %.0f gathered, of %.3g MB\n", l2.read_gbs, l2.gather_gbs, l2.bytes * 1e-6);
  EXPECT_GT(l2.gather_gbs, 10);
  EXPECT_GT(l2.read_gbs, l2.gather_gbs);
}

TEST_F(TimingGpu, ABenchmarkHasBothSidesAndRightResults) {
  if (!vendor_library().available) GTEST_SKIP() << vendor_library().reason;
  BenchOptions options;
  options.kernels = {"csr_vector", "csr_scalar"};
  options.states = {CacheState::warm, CacheState::cold};
  options.budget_s = 2;
  const auto engine = make_engine(assets);
  BenchReport report = begin_bench(options, all_devices(assets), *engine, progress_);
  const Matrix m = generate("laplace5?nx=300&ny=300", progress_);
  History history("");
  const Catalog catalog = make_catalog(assets);
  Executor executor(*engine, catalog, {.history = &history});
  bench_matrix(m, "gen:laplace5?nx=300&ny=300", options, executor, report, progress_,
               [&](const BenchRow& r) { std::printf("%s\n", table_line(r, report).c_str()); });
  int both = 0;
  for (const BenchRow& r : report.rows) {
    for (const std::string& note : r.notes) std::printf("  %s\n", note.c_str());
    if (r.operation != Operation::product) continue;
    ++both;
    ASSERT_TRUE(r.own && r.library);
    EXPECT_GT(r.ratio.value, 0);
    EXPECT_LE(r.own->error_of_bound, 1);
    EXPECT_LE(r.library->error_of_bound, 1);
  }
  EXPECT_EQ(both, 4) << "two precisions, warm and cold";
  HistoryQuery trials;
  trials.trials = true;
  EXPECT_GE(history.find({}).total, 8u) << "both sides of each";
  EXPECT_GT(history.find(trials).total, 20u);
}

class Illegal final : public DeviceProduct {
 public:
  const std::vector<LaunchShape>& launches() const override { return shapes_; }
  void launch(void* stream) override { testing::launch_illegal(stream); }
  std::vector<double> y() override { return {}; }
  std::size_t device_bytes() const override { return 1; }

 private:
  std::vector<LaunchShape> shapes_;
};

const KernelRow& kernel_or_illegal(const std::string& id) {
  static const KernelRow illegal = [] {
    KernelRow r = kernel_row("csr_scalar");
    r.info.id = "illegal";
    r.on_device = [](const ProductInputs&) -> std::unique_ptr<DeviceProduct> { return std::make_unique<Illegal>(); };
    return r;
  }();
  return id == "illegal" ? illegal : kernel_row(id);
}

// In a process of its own. Ends with 0 when everything was said as it should be.
[[noreturn]] void lose_the_device() {
  Progress progress;
  const Matrix m = generate("laplace5?nx=20&ny=20", progress);
  const auto engine = make_engine({all_devices(assets), kernel_or_illegal, use_device});
  RunRequest r;
  r.kernel = "illegal";
  r.device = "cuda:0";
  const RunRecord lost = engine->run(r, m, progress);
  std::fprintf(stderr, "%s\n", lost.error.c_str());
  r.kernel = "csr_scalar";
  const RunRecord again = engine->run(r, m, progress);
  std::fprintf(stderr, "%s\n", again.error.c_str());
  r.device = "sim:h200";
  const RunRecord simulated = engine->run(r, m, progress);
  const bool said = lost.error.find("the device was lost") != std::string::npos &&
                    again.error.find("lost in an earlier run") != std::string::npos;
  std::_Exit(said && simulated.status == RunStatus::ok ? 0 : 1);
}

TEST_F(TimingGpu, ALostDeviceIsSaidAndTheProgramGoesOn) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(lose_the_device(), ::testing::ExitedWithCode(0), "cudaErrorIllegalAddress|cudaErrorLaunchFailure");
}

}  // namespace
}  // namespace warpspy
