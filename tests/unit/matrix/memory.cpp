#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/base/types.hpp"
#include "core/matrix/memory_guard.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t GiB = std::size_t{1} << 30;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// WARPSPY_MEMORY for the time of a test.
struct Allowed {
  explicit Allowed(const char* text) { ::setenv("WARPSPY_MEMORY", text, 1); }
  ~Allowed() { ::unsetenv("WARPSPY_MEMORY"); }
};

// A /proc and a /sys/fs/cgroup of our own.
struct System {
  fs::path root = fs::path(::testing::TempDir()) / ("warpspy_memory_" + std::to_string(::getpid()));
  System() {
    write("proc/meminfo", "MemTotal:       33554432 kB\nMemFree:  1 kB\nMemAvailable:   16777216 kB\n");
    write("proc/self/status", "Name:\twarpspy\nVmSize:\t 9999 kB\nRssAnon:\t    2097152 kB\n");
  }
  ~System() { fs::remove_all(root); }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((root / name).parent_path());
    std::ofstream(root / name) << text;
  }
  void group(const std::string& folder, const std::string& limit, std::size_t used, std::size_t cache = 0) const {
    write("cgroup" + folder + "/memory.max", limit + "\n");
    write("cgroup" + folder + "/memory.current", std::to_string(used) + "\n");
    write("cgroup" + folder + "/memory.stat", "anon 5\nactive_file " + std::to_string(cache / 4) + "\ninactive_file " +
                                                  std::to_string(cache - cache / 4) + "\n");
  }
  MemoryState state() const { return memory_state((root / "proc").string(), (root / "cgroup").string()); }
};

TEST(Memory, SevenEighthsOfWhatTheSystemCallsAvailable) {
  const System system;
  const MemoryState s = system.state();
  EXPECT_EQ(s.total, 32 * GiB);
  EXPECT_EQ(s.available, 16 * GiB);
  EXPECT_EQ(s.resident, 2 * GiB);
  EXPECT_EQ(s.group_left, SIZE_MAX);
  EXPECT_EQ(available_memory(s), 14 * GiB);
}

TEST(Memory, TheTightestOfTheControlGroupsAroundUsHolds) {
  const System system;
  system.write("proc/self/cgroup", "0::/user.slice/box\n");
  system.group("/user.slice/box", "max", 5 * GiB);
  system.group("/user.slice", std::to_string(8 * GiB), 6 * GiB, 2 * GiB);  // of the 6, 2 are pages of files
  EXPECT_EQ(system.state().group_limit, 8 * GiB);
  EXPECT_EQ(system.state().group_left, 4 * GiB);
  EXPECT_EQ(available_memory(system.state()), 4 * GiB / 8 * 7);
  system.group("/user.slice/box", std::to_string(3 * GiB), 5 * GiB);
  EXPECT_EQ(system.state().group_left, 0u);
  EXPECT_EQ(available_memory(system.state()), 0u);
}

TEST(Memory, InAContainerTheGroupIsWhatIsMounted) {
  const System system;
  system.write("proc/self/cgroup", "0::/a/path/of/the/host\n");
  system.group("", std::to_string(2 * GiB), GiB);
  EXPECT_EQ(system.state().group_left, GiB);
}

TEST(Memory, ControlGroupsOfVersionOneAreReadToo) {
  const System system;
  system.write("proc/self/cgroup", "9:cpu,cpuacct:/x\n5:memory:/box\n");
  system.write("cgroup/memory/box/memory.limit_in_bytes", std::to_string(4 * GiB));
  system.write("cgroup/memory/box/memory.usage_in_bytes", std::to_string(GiB));
  system.write("cgroup/memory/memory.limit_in_bytes", "9223372036854771712");  // no limit
  system.write("cgroup/memory/memory.usage_in_bytes", std::to_string(GiB));
  EXPECT_EQ(system.state().group_left, 3 * GiB);
}

TEST(Memory, WhatTheUserAllowsIsBelievedButNoHardLimitIsPassed) {
  MemoryState s{.total = 32 * GiB, .available = 30 * GiB, .resident = 4 * GiB, .allowed = 120 * GiB};
  EXPECT_EQ(available_memory(s), 116 * GiB);
  EXPECT_TRUE(user_limits_memory(s));
  EXPECT_TRUE(has(memory_warning(s), "WARPSPY_MEMORY allows 129 GB, and this machine shows 36.5 GB"))
      << memory_warning(s);
  s.group_left = 64 * GiB;
  EXPECT_EQ(available_memory(s), 56 * GiB);
  s.address_space_left = 8 * GiB;
  EXPECT_EQ(available_memory(s), 7 * GiB);
  EXPECT_FALSE(user_limits_memory(s));
  EXPECT_EQ(memory_remedy(s), "");  // to allow more would not help
  s.allowed = 3 * GiB;              // less than there is: taken already
  EXPECT_EQ(available_memory(s), 0u);
  EXPECT_EQ(memory_warning(s), "");
}

// What a machine whose memory grows as it is used looks like: its control group allows more than it shows.
TEST(Memory, AMachineThatMayGrowIsToldHowToSaySo) {
  const MemoryState s{.total = 31 * GiB, .available = 30 * GiB, .group_limit = 128 * GiB, .group_left = 127 * GiB};
  EXPECT_EQ(available_memory(s), 30 * GiB / 8 * 7);  // not believed unasked: most such limits are above any need
  EXPECT_TRUE(has(memory_remedy(s), "WARPSPY_MEMORY=115GiB")) << memory_remedy(s);
  EXPECT_EQ(memory_remedy({.total = 31 * GiB, .available = 30 * GiB}), "");
}

TEST(Memory, TheGuardNamesWhatTheSizeAndWhatIsFree) {
  const Allowed allowed("2GiB");
  EXPECT_NO_THROW(require_memory(1e6, "a small thing"));
  try {
    require_memory(72e9, "the matrix", "choose smaller parameters");
    FAIL() << "72 GB were allowed";
  } catch (const Error& e) {
    EXPECT_TRUE(has(e.reason, "the matrix needs 72.0 GB of memory, WARPSPY_MEMORY leaves ")) << e.reason;
    EXPECT_EQ(e.remedy, "choose smaller parameters, or allow more with WARPSPY_MEMORY");
  }
  EXPECT_THROW(require_memory(1e300, "a product of sizes"), Error);
  EXPECT_THROW(require_memory(NAN, "nothing known"), Error);
}

TEST(Memory, ASettingThatIsNotUnderstoodIsSaid) {
  const Allowed allowed("a lot");
  try {
    available_memory();
    FAIL() << "it was understood";
  } catch (const Error& e) {
    EXPECT_TRUE(has(e.reason, "WARPSPY_MEMORY 'a lot' is not understood")) << e.reason;
  }
}

TEST(Memory, AClaimCountsAgainstOtherThreadsUntilItIsLetGo) {
  const Allowed allowed("2GiB");
  const auto elsewhere = [](auto f) { std::thread(f).join(); };
  {
    MemoryReservation claim(1.2e9, "the first matrix");
    claim.raise(1e9, "less");  // stays
    claim.raise(1.5e9, "more");
    EXPECT_GT(available_memory(), 1'500'000'000u);  // its own thread checks the parts of it
    elsewhere([] {
      EXPECT_LT(available_memory(), 700'000'000u);
      EXPECT_THROW(MemoryReservation(1e9, "the second matrix"), Error);
      const MemoryReservation small(2e8, "a small one");
    });
    EXPECT_THROW(claim.raise(3e9, "too much"), Error);
  }
  elsewhere([] { EXPECT_NO_THROW(MemoryReservation(1.5e9, "the second matrix")); });
}

}  // namespace
}  // namespace warpspy
