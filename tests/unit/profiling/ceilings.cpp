// Measured roofs without a GPU: what is kept of them, when it is believed, and what the roofline makes of it.
#include "profiling/ceilings/ceilings.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "core/gpu/gpu_match.hpp"
#include "core/model/roofline.hpp"
#include "profiling/engine/devices.hpp"
#include "profiling/engine/engine.hpp"
#include "tests/paths.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;

const DeviceKey key{"NVIDIA H200", "GPU-12345678-1234-1234-1234-123456789012", "13.0"};

MeasuredRoofs some() {
  MeasuredRoofs m{key.name, key.uuid, key.driver, "2026-11-20T12:00:00Z", 1980, 3201, {}, {}};
  m.figures = {{"dram_read", 4400, 0.001, "reads of 1074 MB"},
               {"dram_copy", 4301, 0.002, "a copy"},
               {"l2_read", 9500, 0.01, "reads of 16 MB"},
               {"fma_f64", 33000, 0.001, "multiply-adds"}};
  m.curve = {{2e6, 9000}, {16e6, 9500}, {60e6, 4500}};
  return m;
}

class Store : public ::testing::Test {
 protected:
  void SetUp() override { fs::remove_all(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  void write(const std::string& text) {
    fs::create_directories(folder_);
    std::ofstream(roofs_path(folder_, key)) << text;
  }
  std::string folder_ = (fs::temp_directory_path() / ("warpspy_roofs_" + std::to_string(getpid()))).string();
};

TEST_F(Store, RoundTrip) {
  EXPECT_FALSE(load_roofs(folder_, key).roofs);
  EXPECT_NE(load_roofs(folder_, key).why_not.find("not been measured"), std::string::npos);
  save_roofs(folder_, key, some());
  const StoredRoofs back = load_roofs(folder_, key);
  ASSERT_TRUE(back.roofs) << back.why_not;
  EXPECT_EQ(*back.roofs, some());
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1) << "nothing is left aside";
}

TEST_F(Store, OfAnotherDeviceOrDriverIsNotBelieved) {
  save_roofs(folder_, key, some());
  DeviceKey other = key;
  other.driver = "13.1";
  EXPECT_NE(load_roofs(folder_, other).why_not.find("another driver (CUDA 13.0)"), std::string::npos);
  // The file was copied from another machine.
  other = key;
  other.uuid = "GPU-99999999";
  fs::copy_file(roofs_path(folder_, key), roofs_path(folder_, other));
  EXPECT_NE(load_roofs(folder_, other).why_not.find("another device"), std::string::npos);
}

TEST_F(Store, DamagedFilesAreSaidAndNeverBelieved) {
  std::string good;
  {
    save_roofs(folder_, key, some());
    std::ostringstream text;
    text << std::ifstream(roofs_path(folder_, key)).rdbuf();
    good = text.str();
  }
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    EXPECT_NE(text.find(from), std::string::npos) << from;
    return text.replace(text.find(from), from.size(), to);
  };
  for (const std::string& text :
       {std::string(), good.substr(0, good.size() / 2), std::string("[]"), with("\"version\": 1", "\"version\": 2"),
        with("4400.0", "-1"), with("4400.0", "\"fast\""), with("dram_read", "dram_raed"),
        with("dram_copy", "dram_read"), with("16000000.0", "1.0"), with("\"driver\"", "\"drivel\"")}) {
    write(text);
    const StoredRoofs back = load_roofs(folder_, key);
    EXPECT_FALSE(back.roofs) << text;
    EXPECT_NE(back.why_not.find(roofs_path(folder_, key)), std::string::npos) << back.why_not;
  }
}

TEST_F(Store, AFolderThatCannotBeWrittenIsAnError) {
  std::ofstream(folder_) << "a file where the folder should be";
  EXPECT_THROW(save_roofs(folder_, key, some()), Error);
  EXPECT_EQ(roofs_path("", key), "");
  save_roofs("", key, some());  // nothing is kept, nothing fails
}

TEST(MeasuredRoofsTest, TheRooflinePrefersThem) {
  GpuSpec gpu;
  gpu.sm_count = 132, gpu.clock_mhz = 1980;
  gpu.dram_gbs = 4800, gpu.l2_gbs = 9000, gpu.l1_bytes_per_clock_per_sm = 128;
  gpu.peak_f32_gflops = 67000, gpu.peak_f64_gflops = 34000;
  const MeasuredRoofs m = some();
  const std::vector<Roof> roofs = roofs_of(gpu, Precision::f64, &m);
  ASSERT_EQ(roofs.size(), 3u + 4u);
  EXPECT_EQ(roofs[0].level, Level::l2);
  EXPECT_EQ(roofs[1].label, "DRAM 4400 GB/s");
  EXPECT_EQ(roofs[1].provenance, Provenance::measured);
  EXPECT_NE(roofs[1].source.find("measured 2026-11-20, CUDA 13.0 driver, SM 1980 MHz"), std::string::npos);
  EXPECT_NE(roofs[1].source.find("reads of 1074 MB"), std::string::npos);
  EXPECT_EQ(roofs[2].value, 33000);
  for (std::size_t i = 3; i < roofs.size(); ++i) EXPECT_NE(roofs[i].provenance, Provenance::measured);
  EXPECT_EQ(roofs[3].label, "L1 33454 GB/s") << "not measured: the only one of its level";
  EXPECT_EQ(roofs[5].label, "data sheet DRAM 4800 GB/s");
  // In f32 no peak was measured: the data sheet's alone.
  EXPECT_EQ(roofs_of(gpu, Precision::f32, &m).size(), 2u + 4u);
  EXPECT_EQ(roofs_of(gpu, Precision::f32, nullptr).size(), 4u);

  RunRecord run;
  run.status = RunStatus::ok;
  run.time = {10, "us", Provenance::measured};
  run.gflops = {100, "GFLOP/s", Provenance::derived};
  run.counters = {{"dram_bytes", 4.4e7 / 2, "B", Provenance::measured, "", ""}};
  const auto points = roofline_points(run, roofs);
  ASSERT_EQ(points.size(), 1u);
  EXPECT_NEAR(points[0].gflops / points[0].roof_gflops, 0.5, 1e-9) << "of 4400 GB/s, not of 4800";
}

TEST(Ceilings, TheCurveIsDenseAroundL2AndFitsTheMemory) {
  const auto sizes = curve_sizes(50 << 20, std::size_t{16} << 30);
  EXPECT_GE(sizes.size(), 15u);
  for (std::size_t i = 1; i < sizes.size(); ++i) EXPECT_GT(sizes[i], sizes[i - 1]);
  EXPECT_LE(sizes.front(), 2u << 20);
  EXPECT_GE(sizes.back(), std::size_t{400} << 20);
  for (const std::size_t s : curve_sizes(50 << 20, 64 << 20)) EXPECT_LE(s, 32u << 20);
  EXPECT_TRUE(curve_sizes(0, 1 << 30).empty());
}

TEST(Ceilings, L2AsARoofIsTheBestBelowItsKnee) {
  const std::vector<WorkingSetPoint> curve = {{2e6, 8000}, {16e6, 9500}, {29e6, 9400}, {31e6, 9900}, {90e6, 4300}};
  EXPECT_EQ(below_the_knee(curve, 60e6)->gbs, 9500) << "31 MB is beyond half of it";
  EXPECT_EQ(below_the_knee(curve, 1e6), nullptr);
}

TEST(Ceilings, WithoutSuchADeviceTheReasonIsSaid) {
  const auto engine = make_engine(WARPSPY_SOURCE_DIR "/assets");
  Progress progress;
  try {
    engine->measure_roofs("sim:h200", progress);
    ADD_FAILURE() << "a simulated GPU has nothing to measure";
  } catch (const Error& e) {
    EXPECT_NE(e.reason.find("measured on a CUDA device"), std::string::npos) << e.reason;
    EXPECT_FALSE(e.remedy.empty());
  }
  EXPECT_THROW(engine->measure_roofs("cuda:63", progress), Error);
  EXPECT_FALSE(engine->saved_roofs("cuda:63"));
  EXPECT_FALSE(engine->saved_roofs("sim:h200"));
  EXPECT_FALSE(engine->saved_roofs("cuda:"));
  EXPECT_THROW(device_key(63), Error);
}

TEST(GpuMatch, ARealDeviceFindsItsDescription) {
  const auto gpus = read_gpu_specs(WARPSPY_SOURCE_DIR "/assets/gpus");
  struct Case {
    const char* name;
    int capability;
    const char* id;  // nullptr: none
  };
  for (const Case& c : {Case{"NVIDIA H200", 90, "h200"}, Case{"NVIDIA H100 80GB HBM3", 90, "h100"},
                        Case{"NVIDIA A100-SXM4-80GB", 80, "a100"}, Case{"Tesla V100-SXM2-16GB", 70, "v100"},
                        Case{"NVIDIA GeForce RTX 4090", 89, "rtx4090"},
                        Case{"NVIDIA GeForce GTX 980 Ti", 52, "gtx980ti"}, Case{"Tesla K20Xm", 35, "k20x"},
                        Case{"NVIDIA H200", 80, nullptr}, Case{"NVIDIA Nothing", 89, nullptr}, Case{"", 90, nullptr}}) {
    const GpuSpec* found = spec_of_device(c.name, c.capability, gpus);
    EXPECT_EQ(found ? found->id : "", c.id ? c.id : "") << c.name;
  }
}

}  // namespace
}  // namespace warpspy
