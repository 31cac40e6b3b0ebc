// Engines of several machines as one: a stand-in for ssh, which greets, and a listener that hears of devices.
#include "profiling/remote/engines.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <thread>

#include "profiling/engine/engine.hpp"
#include "tests/paths.hpp"
#include "tests/unit/remote/support.hpp"

namespace warpspy {
namespace {

// "ssh OPTIONS warpspy honest", with a stand-in for ssh, and for warpspy by a link of that name.
std::string over_ssh(const std::string& options) {
  static const std::string program = [] {
    const auto folder = std::filesystem::path(::testing::TempDir()) / ("warpspy_engines_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    const auto link = folder / "warpspy";
    std::error_code there_already;
    std::filesystem::create_symlink(WARPSPY_TEST_ENGINE, link, there_already);
    return link.string();
  }();
  return "'" WARPSPY_SOURCE_DIR "/tests/stand-ins/ssh' " + options + " '" + program + "' honest";
}

class Listening {
 public:
  explicit Listening(RemoteOptions options = quick()) : engines(std::move(options)) {
    engines.set_own(make_engine(assets()));
    engines.on_devices([this](const std::string& host, const std::vector<DeviceInfo>& devices) {
      std::lock_guard lock(mutex_);
      told_[host] = devices;
      ++news_[host];
    });
  }
  std::optional<std::vector<DeviceInfo>> of(const std::string& host) {
    std::lock_guard lock(mutex_);
    const auto at = told_.find(host);
    return at == told_.end() ? std::nullopt : std::optional(at->second);
  }
  // Not by the clock: what was told a hundred times otherwise will not hold any more.
  template <class Holds>
  std::vector<DeviceInfo> await(const std::string& host, Holds&& holds) {
    for (;; std::this_thread::sleep_for(std::chrono::milliseconds(1))) {
      const auto devices = of(host);
      if (devices && holds(*devices)) return *devices;
      std::lock_guard lock(mutex_);
      if (news_[host] > 100) throw Error(devices->empty() ? "no devices" : devices->front().reason, host);
    }
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::vector<DeviceInfo>> told_;
  std::map<std::string, int> news_;

 public:
  Engines engines;  // goes first
};

bool any(const std::vector<DeviceInfo>& devices) { return !devices.empty(); }
bool available(const std::vector<DeviceInfo>& devices) { return any(devices) && devices.front().available; }

TEST(Engines, BehindSshDevicesAppearAndRun) {
  Listening l;
  l.engines.use_others({over_ssh("-p 22 me@gpubox")});
  const auto devices = l.await("gpubox", available);
  const Matrix m = made("laplace5?nx=40&ny=40");
  Progress progress;
  RunRequest request = modelled();
  const RunRecord here = l.engines.run(request, m, progress, {});
  // A modelled one: what a GPU of this machine takes differs from run to run.
  for (const DeviceInfo& d : devices)
    if (d.simulated) request.device = d.id;
  EXPECT_TRUE(request.device.ends_with("@gpubox"));
  RunRequest same = request;
  same.device = request.device.substr(0, request.device.find('@'));
  const RunRecord there = l.engines.run(request, m, progress, {}), own = l.engines.run(same, m, progress, {});
  ASSERT_EQ(there.status, RunStatus::ok) << there.error;
  EXPECT_EQ(there.request.device, request.device);
  EXPECT_EQ(there.device, request.device);
  EXPECT_EQ(there.device_name, own.device_name + " on gpubox");
  EXPECT_EQ(there.time.value, own.time.value);
  EXPECT_EQ(here.device, "sim:h200");
  // It says of itself that it is another version.
  ASSERT_FALSE(there.notes.empty());
  EXPECT_NE(there.notes.back().find("gpubox runs Warpspy"), std::string::npos) << there.notes.back();

  l.engines.use_others({});
  l.await("gpubox", [](const auto& d) { return d.empty(); });
  const RunRecord gone = l.engines.run(request, m, progress, {});
  EXPECT_EQ(gone.status, RunStatus::failed);
  EXPECT_NE(gone.error.find("not in use"), std::string::npos) << gone.error;
}

TEST(Engines, AnSshThatWantsAPasswordIsSaid) {
  ::setenv("WARPSPY_SSH_ASKS", "1", 1);
  Listening l;
  l.engines.use_others({over_ssh("gpubox")});
  const auto devices = l.await("gpubox", any);
  ::unsetenv("WARPSPY_SSH_ASKS");
  ASSERT_FALSE(devices.front().available);
  EXPECT_NE(devices.front().reason.find("Permission denied (publickey,password)"), std::string::npos)
      << devices.front().reason;
  EXPECT_NE(devices.front().reason.find("it must ask nothing"), std::string::npos) << devices.front().reason;
  EXPECT_EQ(devices.front().id, "cuda:0@gpubox");
}

TEST(Engines, TwoOfOneNameAndWhatIsNoCommandAreLeftOut) {
  Listening l;
  const std::string good = over_ssh("gpubox");
  l.engines.use_others({"'open quote", "", good, over_ssh("you@gpubox")});
  EXPECT_TRUE(l.await("gpubox", any).front().id.ends_with("@gpubox"));
  EXPECT_FALSE(l.of(""));
}

}  // namespace
}  // namespace warpspy
