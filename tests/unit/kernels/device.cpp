// What the device room says without a device.
#include "kernels/device/device.hpp"

#include <gtest/gtest.h>

#include "core/matrix/types.hpp"

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

TEST(Device, ADeviceThatIsNotThereIsAnError) { EXPECT_THROW(use_device(99), Error); }

}  // namespace
}  // namespace warpspy
