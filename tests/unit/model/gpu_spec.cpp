#include "core/gpu/gpu_spec.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "core/gpu/gpu_match.hpp"
#include "tests/paths.hpp"

namespace warpspy {
namespace {

const std::string folder = WARPSPY_SOURCE_DIR "/assets/gpus";

TEST(GpuSpecs, EveryFileIsWholeAndSourced) {
  const auto gpus = read_gpu_specs(folder);
  std::set<std::string> ids;
  for (const GpuSpec& g : gpus) {
    ids.insert(g.id);
    EXPECT_GE(g.sources.size(), 29u) << g.id;
    EXPECT_EQ(spec_of_device(g.name, g.compute_capability, gpus), &g) << g.id << ": a driver's name does not find it";
    for (const auto& [figure, source] : g.sources) EXPECT_GT(source.size(), 8u) << g.id << " " << figure;
    // No GPU delivers much over two words per clock and SM from L2, nor less from L1 than from L2.
    const double l1_gbs = g.l1_bytes_per_clock_per_sm * g.sm_count * g.clock_mhz * 1e-3;
    EXPECT_GE(l1_gbs, g.l2_gbs) << g.id;
    EXPECT_GT(g.peak_f32_gflops, g.peak_f64_gflops) << g.id;
    if (g.l2_gbs > 0) {
      EXPECT_GT(g.l2_gbs, g.dram_gbs) << g.id;
      EXPECT_GT(g.dram_latency_ns, g.l2_latency_ns) << g.id;
      EXPECT_GT(g.l2_latency_ns, g.l1_latency_ns) << g.id;
    }
  }
  for (const char* id :
       {"geforce9800gx2", "gtx280", "gtx295", "c2070", "k20x", "gtx980ti", "v100", "a100", "rtx4090", "h100", "h200"})
    EXPECT_EQ(ids.count(id), 1u) << id;
  for (std::size_t i = 1; i < gpus.size(); ++i) EXPECT_LE(gpus[i - 1].year, gpus[i].year);
}

class GpuSpecFile : public testing::Test {
 protected:
  void SetUp() override {
    std::stringstream text;
    text << std::ifstream(folder + "/h200.json").rdbuf();
    text_ = text.str();
    path_ = testing::TempDir() + "/warpspy_gpu_" + std::to_string(getpid()) + ".json";
  }
  void TearDown() override { std::filesystem::remove(path_); }

  // Reads the file after one replacement; returns the error it gives.
  std::string error_after(const std::string& from, const std::string& to) {
    std::string text = text_;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    if (at == std::string::npos) return "";
    text.replace(at, from.size(), to);
    std::ofstream(path_) << text;
    try {
      read_gpu_spec(path_);
    } catch (const Error& e) {
      EXPECT_EQ(e.where, path_);
      return e.what();
    }
    return "accepted";
  }
  std::string text_, path_;
};

TEST_F(GpuSpecFile, IsReadToTheLastFigure) {
  std::ofstream(path_) << text_;
  const GpuSpec g = read_gpu_spec(path_);
  EXPECT_EQ(g.name, "NVIDIA H200 SXM");
  EXPECT_EQ(g.sm_count, 132);
  EXPECT_EQ(g.dram_gbs, 4800);
  EXPECT_EQ(g.l2_partitions, 2);
  EXPECT_TRUE(g.l1_caches_global);
  EXPECT_EQ(g.dram_granule_bytes, 64);
}

TEST_F(GpuSpecFile, IsRefusedWithTheFigureNamed) {
  const auto expect = [](const std::string& error, const char* part) {
    EXPECT_NE(error.find(part), std::string::npos) << error;
  };
  expect(error_after("\"sm_count\"", "\"sm_counts\""), "sm_count is missing");
  expect(error_after("\"value\": 132", "\"value\": \"132\""), "sm_count is not a number");
  expect(error_after("\"value\": 132", "\"value\": 132.5"), "sm_count is not whole");
  expect(error_after("\"value\": 132", "\"value\": -1"), "sm_count = -1 makes no sense");
  expect(error_after("\"value\": 4800, \"source\": \"", "\"value\": 4800, \"sauce\": \""),
         "dram_gbs needs value and source");
  expect(error_after("\"value\": 4301", "\"value\": 5000"), "dram_stream_gbs is above dram_gbs");
  expect(error_after("\"year\"", "\"colour\": {\"value\": 1, \"source\": \"x\"}, \"year\""), "colour is unknown");
  expect(error_after("\"value\": 62914560", "\"value\": 0"), "l2_bytes, l2_gbs");
  expect(error_after("\"id\"", "\"di\""), "\"id\" is missing");
  expect(error_after("{", "["), "not JSON");
  const std::string deep = "{\"more\": " + std::string(400'000, '[') + std::string(400'000, ']') + ",";
  expect(error_after("{", deep.c_str()), "not JSON");
}

TEST(GpuSpecs, MissingFileAndFolderAreNamed) {
  EXPECT_THROW(read_gpu_spec(folder + "/none.json"), Error);
  EXPECT_THROW(read_gpu_specs(folder + "/none"), Error);
}

}  // namespace
}  // namespace warpspy
