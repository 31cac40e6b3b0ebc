// warpspy metrics: the table of counters, on a chip that need not be here.
#include "tests/cli/program.hpp"

namespace {

using warpspy::testing::warpspy;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(MetricsCommand, TellsTheTableAndNvprofsNames) {
  const auto text = warpspy("metrics");
  EXPECT_EQ(text.code, 0) << text.err;
  for (const char* part :
       {"dram_bytes", "quick", "roofline", "full", "nvprof: ", "tex_cache_hit_rate", "modelled only"})
    EXPECT_TRUE(has(text.out, part)) << part;
  const auto json = warpspy("metrics --json");
  EXPECT_EQ(json.code, 0) << json.err;
  for (const char* part : {"\"nvprof\": \"l2_texture_read_hit_rate\"", "\"id\": \"l2_hit_rate\"", "\"cupti\": "})
    EXPECT_TRUE(has(json.out, part)) << part;
}

TEST(MetricsCommand, TellsThePassesOnAChip) {
  const auto gh100 = warpspy("metrics --chip GH100");
  if (gh100.code != 0) {
    // Without CUPTI: what is missing, and what to do.
    EXPECT_TRUE(has(gh100.err, "install")) << gh100.err;
    GTEST_SKIP() << gh100.err;
  }
  EXPECT_TRUE(has(gh100.out, "[1 pass]")) << gh100.out;
  EXPECT_TRUE(has(gh100.out, "[2 passes]")) << gh100.out;
  const auto unknown = warpspy("metrics --chip NOPE");
  EXPECT_EQ(unknown.code, 1);
  EXPECT_TRUE(has(unknown.err, "GH100")) << unknown.err;
  // A chip without DRAM counters of its own: said by name, and the others are there.
  const auto lacking = warpspy("metrics --chip GA10B");
  EXPECT_EQ(lacking.code, 0) << lacking.err;
  EXPECT_TRUE(has(lacking.out, "chip GA10B has no counter dram__bytes_read.sum")) << lacking.out;
}

TEST(MetricsCommand, AnUnknownSetIsRefused) {
  const auto r = warpspy("run 'gen:laplace5?nx=5&ny=5' --device sim:h200 --counters everything");
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(has(r.err, "known: none, quick, roofline, full")) << r.err;
}

}  // namespace
