// What the device room says without a device.
#include "kernels/device/device.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/types.hpp"
#include "kernels/device/architectures.hpp"

namespace warpspy {
namespace {

TEST(Device, TheProbeNeverThrowsAndAlwaysGivesAReason) {
  const DeviceProbe probe = probe_devices();
  EXPECT_EQ(probe.available, !probe.devices.empty());
  EXPECT_EQ(probe.available, probe.reason.empty());
  EXPECT_EQ(probe.reason.find('\n'), std::string::npos);
  EXPECT_EQ(probe.available, probe.remedy.empty());
#if !defined(WARPSPY_HAVE_CUDA)
  EXPECT_EQ(probe.reason, "built without CUDA");
#endif
}

struct CodeCase {
  const char* why;
  std::vector<GpuCode> code;
  int capability;
  bool runs;
};

TEST(GpuCode, RunsWhereNvidiaSaysThatItDoes) {
  const CodeCase cases[] = {
      {"the same", {{86, false}}, 86, true},
      {"a newer chip of the major version", {{80, false}}, 89, true},
      {"an older chip of the major version", {{86, false}}, 80, false},
      {"machine code of another major version", {{90, false}}, 100, false},
      {"machine code of a newer one", {{90, false}}, 86, false},
      {"PTX of an older one", {{75, true}}, 120, true},
      {"PTX of the same", {{75, true}}, 75, true},
      {"PTX of a newer one", {{120, true}}, 90, false},
      {"one of several", {{75, false}, {90, false}, {90, true}}, 110, true},
      {"none of several", {{75, false}, {90, false}, {120, true}}, 110, false},
      {"nothing", {}, 90, false},
  };
  for (const CodeCase& c : cases) EXPECT_EQ(runs_on(c.code, c.capability), c.runs) << c.why;
}

TEST(GpuCode, MachineCodeIsUsedBeforePtxAndTheNewestOfEach) {
  const std::vector<GpuCode> code = {{75, true}, {80, false}, {86, false}, {90, true}};
  EXPECT_EQ(used_on(code, 89), 86);
  EXPECT_EQ(used_on(code, 80), 80);
  EXPECT_EQ(used_on(code, 75), 75);
  EXPECT_EQ(used_on(code, 120), 90);
  EXPECT_EQ(used_on(code, 70), 0);
}

TEST(GpuCode, WhatIsMissingIsSaidWithTheCommandThatBringsIt) {
  const std::vector<GpuCode> code = {{80, false}, {90, false}, {90, true}};
  EXPECT_EQ(text_of(code), "machine code of 8.0, 9.0; PTX of 9.0");
  EXPECT_EQ(text_of({}), "none");
  const NoGpuCode missing = why_no_code(code, "GeForce GTX 1080", 61);
  EXPECT_EQ(
      missing.reason,
      "this program has no code for the GeForce GTX 1080 (compute capability 6.1; it has machine code of 8.0, 9.0; "
      "PTX of 9.0)");
  EXPECT_EQ(
      missing.remedy,
      "build it on this machine, or with: cmake --preset release -DWARPSPY_GPUS=6.1 && cmake --build build/release");
}

// The list that CMake chose is the list that the program tells.
TEST(GpuCode, IsThereExactlyInABuildWithCuda) {
#if defined(WARPSPY_HAVE_CUDA)
  ASSERT_FALSE(compiled_gpu_code().empty());
  for (const GpuCode& c : compiled_gpu_code()) EXPECT_TRUE(runs_on(compiled_gpu_code(), c.capability));
#else
  EXPECT_TRUE(compiled_gpu_code().empty());
#endif
}

TEST(Device, ADeviceThatIsNotThereIsAnError) { EXPECT_THROW(use_device(99), Error); }

}  // namespace
}  // namespace warpspy
