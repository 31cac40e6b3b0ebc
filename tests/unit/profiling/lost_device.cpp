// Devices that fail: what no test machine has, played by rows and devices that were made up.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/generate/generate.hpp"
#include "kernels/device/device.hpp"
#include "profiling/engine/devices.hpp"
#include "profiling/engine/engine.hpp"
#include "profiling/engine/search_plan.hpp"
#include "tests/paths.hpp"

namespace warpspy {
namespace {

const std::string assets = WARPSPY_SOURCE_DIR "/assets";

const KernelRow& playing(const std::string& id) {
  static const auto row = [](const char* name, std::unique_ptr<DeviceProduct> (*on_device)(const ProductInputs&)) {
    KernelRow r = kernel_row("csr_scalar");
    r.info.id = name;
    r.on_device = on_device;
    return r;
  };
  static const KernelRow dies = row("dies", [](const ProductInputs&) -> std::unique_ptr<DeviceProduct> {
    throw DeviceLost("running kernel dies: an illegal memory access was encountered (cudaErrorIllegalAddress)", {},
                     "run the same kernel in the emulator");
  });
  static const KernelRow too_large = row("too_large", [](const ProductInputs&) -> std::unique_ptr<DeviceProduct> {
    throw Error("kernel too_large can have 512 threads per block on this device (128 registers each), not 1024", {},
                "use a smaller block size");
  });
  static const KernelRow no_code = row("no_code", nullptr);
  // Refuses two products, then loses the device.
  static const KernelRow dies_third = row("dies_third", [](const ProductInputs&) -> std::unique_ptr<DeviceProduct> {
    static int products = 0;
    if (++products % 3 != 0) throw Error("kernel dies_third has no room", {}, "use a smaller block size");
    throw DeviceLost("running kernel dies_third: uncorrectable ECC error (cudaErrorECCUncorrectable)", {},
                     "run it on another device");
  });
  for (const KernelRow* r : {&dies, &too_large, &no_code, &dies_third})
    if (r->info.id == id) return *r;
  return kernel_row(id);
}

std::vector<DeviceInfo> two_cuda_devices_and_the_simulated() {
  std::vector<DeviceInfo> devices;
  for (const char* id : {"cuda:0", "cuda:1"}) {
    DeviceInfo d;
    d.id = d.name = id;
    d.spec.memory_bytes = 1e9;
    devices.push_back(d);
  }
  for (DeviceInfo& d : all_devices(assets))
    if (d.simulated) devices.push_back(std::move(d));
  return devices;
}

class LostDevice : public ::testing::Test {
 protected:
  RunRecord run(const std::string& kernel, const std::string& device) {
    RunRequest r;
    r.kernel = kernel;
    r.device = device;
    r.budget_s = 1e6;
    Progress progress;
    return engine_->run(r, matrix_, progress);
  }
  Progress progress_;
  Matrix matrix_ = generate("laplace5?nx=10&ny=10", progress_);
  std::unique_ptr<Engine> engine_ = make_engine({two_cuda_devices_and_the_simulated(), playing, [](int) {}});
};

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_F(LostDevice, TheRecordSaysSoAndTheNextRunGoesElsewhere) {
  std::vector<std::pair<std::string, std::string>> told;
  engine_->on_device_lost([&](const std::string& id, const std::string& why) { told.emplace_back(id, why); });
  const RunRecord lost = run("dies", "auto");
  ASSERT_EQ(told.size(), 1u) << "whoever lists devices hears of it";
  EXPECT_EQ(told[0].first, "cuda:0");
  EXPECT_TRUE(contains(told[0].second, "start Warpspy again")) << told[0].second;
  EXPECT_EQ(lost.status, RunStatus::failed);
  EXPECT_EQ(lost.device, "cuda:0");
  EXPECT_TRUE(contains(lost.error, "the device was lost")) << lost.error;
  EXPECT_TRUE(contains(lost.error, "cudaErrorIllegalAddress")) << lost.error;
  EXPECT_TRUE(contains(lost.error, "run the same kernel in the emulator")) << lost.error;
  EXPECT_TRUE(contains(lost.error, "started again")) << lost.error;
  EXPECT_FALSE(contains(lost.error, "\n"));

  const RunRecord again = run("dies", "cuda:0");
  EXPECT_TRUE(contains(again.error, "lost in an earlier run")) << again.error;
  EXPECT_TRUE(contains(again.error, "start Warpspy again")) << again.error;

  const RunRecord second = run("dies", "auto");
  EXPECT_EQ(second.device, "cuda:1");
  ASSERT_FALSE(second.notes.empty());
  EXPECT_TRUE(contains(second.notes[0], "cuda:1 is used")) << second.notes[0];

  const RunRecord simulated = run("csr_scalar", "auto");
  EXPECT_EQ(simulated.status, RunStatus::ok) << simulated.error;
  EXPECT_EQ(simulated.device, "sim:h200");
  EXPECT_TRUE(contains(simulated.notes.at(0), "lost in an earlier run")) << simulated.notes[0];
}

TEST_F(LostDevice, InMidTuningEndsTheSearchAndTheNextGoesElsewhere) {
  Catalog known;  // of devices, as whoever lists them has it
  known.devices = two_cuda_devices_and_the_simulated();
  engine_->on_device_lost([&](const std::string& id, const std::string& why) {
    for (DeviceInfo& d : known.devices)
      if (d.id == id) d.available = false, d.reason = why;
  });
  const auto tune = [&](std::vector<TuneStep>& told) {
    TuneRequest r;
    r.run.kernel = "dies_third";
    r.run.device = "auto";
    r.most_products = 40;
    Progress progress;
    Executor executor(*engine_, known);
    return run_search(r, search_maker(playing), executor, known.devices, matrix_, progress,
                      [&](const TuneStep& s, const RunRecord&) { told.push_back(s); });
  };
  const char* devices[] = {"cuda:0", "cuda:1"};
  for (const char* device : devices) {
    std::vector<TuneStep> told;
    const TuneRecord r = tune(told);
    EXPECT_EQ(r.device, device);
    EXPECT_EQ(r.status, RunStatus::failed);
    EXPECT_TRUE(contains(r.error, "the device was lost")) << r.error;
    EXPECT_TRUE(contains(r.error, "cudaErrorECCUncorrectable")) << r.error;
    EXPECT_TRUE(contains(r.error, "started again")) << r.error;
    // The products before it stay in the record, each with its own reason, and none is tried after it.
    EXPECT_EQ(r.steps, told);
    std::set<ParamSet> tried;  // strategies may ask for the same again
    for (const TuneStep& s : r.steps) tried.insert(s.params);
    EXPECT_EQ(tried.size(), 3u);
    ASSERT_GE(r.steps.size(), 3u);
    EXPECT_EQ(r.steps.back().failure, r.error);
    for (std::size_t k = 0; k + 1 < r.steps.size(); ++k)
      EXPECT_TRUE(contains(r.steps[k].failure, "no room")) << r.steps[k].failure;
    EXPECT_EQ(tune_record_from_json(to_json(r)).error, r.error);
    const bool says_why_not_the_first = std::any_of(r.notes.begin(), r.notes.end(), [](const std::string& note) {
      return contains(note, "lost in an earlier run");
    });
    EXPECT_EQ(says_why_not_the_first, device == devices[1]);
  }
  const RunRecord next = run("csr_scalar", "auto");
  EXPECT_EQ(next.status, RunStatus::ok) << next.error;
  EXPECT_EQ(next.device, "sim:h200");
}

TEST_F(LostDevice, OtherFailuresLoseNothing) {
  const RunRecord block = run("too_large", "auto");
  EXPECT_EQ(block.status, RunStatus::failed);
  EXPECT_TRUE(contains(block.error, "512 threads per block")) << block.error;
  EXPECT_TRUE(contains(block.error, "smaller block size")) << block.error;
  EXPECT_TRUE(contains(run("no_code", "cuda:0").error, "no CUDA code")) << "and the device is still there";
}

TEST_F(LostDevice, AMatrixTooLargeForTheDeviceNamesBothSizes) {
  Progress progress;
  auto devices = two_cuda_devices_and_the_simulated();
  devices.front().spec.memory_bytes = 2000;
  const auto engine = make_engine({devices, playing, [](int) {}});
  RunRequest r;
  r.kernel = "csr_scalar";
  const RunRecord record = engine->run(r, matrix_, progress);
  EXPECT_EQ(record.status, RunStatus::failed);
  EXPECT_TRUE(contains(record.error, "needs 4.1 kB and the device's limit is 1.2 kB (memory of cuda:0"))
      << record.error;
}

TEST_F(LostDevice, ABlockTooLargeForASimulatedGpu) {
  RunRequest r;
  r.kernel = "csr_scalar";
  r.device = "sim:gtx280";
  r.params = {{"block_size", 1024}};
  Progress progress;
  const RunRecord record = engine_->run(r, matrix_, progress);
  EXPECT_EQ(record.status, RunStatus::failed);
  EXPECT_TRUE(contains(record.error, "512 threads per block")) << record.error;
}

TEST_F(LostDevice, ALibrarysKernelCannotBeEmulated) {
  const RunRecord record = run("cusparse_csr_alg1", "sim:h200");
  EXPECT_EQ(record.status, RunStatus::failed);
  EXPECT_TRUE(contains(record.error, "cannot be emulated")) << record.error;
}

TEST_F(LostDevice, SimulatedCachesBeginAsAsked) {
  const RunRecord warm = run("csr_scalar", "sim:h200");
  EXPECT_EQ(warm.request.cache_state, CacheState::warm);
  EXPECT_EQ(warm.counter("dram_bytes")->value, 0) << "a hundred rows stay in L2";
  EXPECT_TRUE(contains(warm.time_how, "one product after another")) << warm.time_how;
  RunRequest request = warm.request;
  request.cache_state = CacheState::cold;
  Progress progress;
  const RunRecord cold = engine_->run(request, matrix_, progress);
  EXPECT_EQ(cold.request.cache_state, CacheState::cold);
  const double y = static_cast<double>(cold.rows) * bytes_of(request.precision);
  EXPECT_GE(*cold.counter("dram_bytes")->value, cold.minimum_bytes.value - y) << "y is in L2 when the product ends";
  EXPECT_TRUE(contains(cold.time_how, "empty at the start")) << cold.time_how;
}

}  // namespace
}  // namespace warpspy
