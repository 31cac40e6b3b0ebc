// A file that somebody names is read in one way (core/base/regular_file): streams wait for pipes, and read devices
// until the memory ends.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>

#include "sources.hpp"
#include "tests/paths.hpp"

namespace {

using namespace warpspy::arch;

// These read what the kernel says (/proc, /sys), write, or hand the name to a library that opens it: each says so.
constexpr const char* kOthers[] = {
    "core/base/target.cpp",   "core/base/regular_file.cpp",   "core/io/child.cpp",
    "core/jobs/priority.cpp", "core/matrix/memory_state.cpp", "profiling/cupti/conditions.cpp"};
constexpr const char* kWays[] = {"std::ifstream", "std::fopen", "::fopen", "std::basic_ifstream", "std::fstream"};

TEST(WholeFiles, AreReadInOneWay) {
  const std::filesystem::path root = WARPSPY_SOURCE_DIR;
  for (const char* room : {"core", "kernels", "profiling", "ui", "app"}) {
    for (const auto& file : sources_below(root / room)) {
      const std::string name = std::filesystem::relative(file, root).string();
      if (std::find(std::begin(kOthers), std::end(kOthers), name) != std::end(kOthers)) continue;
      const std::string code = code_of(text_of(file));
      for (const char* way : kWays)
        EXPECT_EQ(code.find(way), std::string::npos) << name << " reads with " << way << ": use core/base/regular_file";
    }
  }
}

}  // namespace
