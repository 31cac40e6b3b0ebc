// The emulator and the memory system have one driver: whoever needs blocks of a product to run says which, and
// observes.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "sources.hpp"
#include "tests/paths.hpp"

namespace warpspy::arch {
namespace {

namespace fs = std::filesystem;

TEST(EmulatorDriver, NobodyElseInProfilingRunsBlocks) {
  const fs::path root = WARPSPY_SOURCE_DIR;
  // A product's own emulate_block, or a MemorySystem that is handed on, is no call.
  const std::regex runs_blocks(
      R"((\.|->)\s*emulate_(block|warps)\b|\bMeetingLog\b|\.private_caches\(|\.l2_and_dram\()");
  std::set<std::string> who;
  for (const fs::path& file : sources_below(root / "profiling"))
    if (std::regex_search(code_of(text_of(file)), runs_blocks)) who.insert(fs::relative(file, root).string());
  EXPECT_EQ(who, (std::set<std::string>{"profiling/simulated/driver.cpp"}));
}

}  // namespace
}  // namespace warpspy::arch
