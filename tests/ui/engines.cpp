// Devices of other machines: they come, go and come again while the window is open; and the settings that name their
// engines.
#include <unistd.h>

#include <filesystem>

#include "tests/ui/support.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

DeviceInfo gpu(const std::string& host, bool available = true, const std::string& reason = {}) {
  DeviceInfo d;
  d.id = "cuda:0@" + host, d.name = "Big GPU on " + host;
  d.available = available, d.reason = reason;
  d.spec = test_catalog().devices.front().spec;
  return d;
}

bool says(const Harness& h, Message::Kind kind, const std::string& words) {
  return std::any_of(h.state().messages.begin(), h.state().messages.end(),
                     [&](const Message& m) { return m.kind == kind && m.text.find(words) != std::string::npos; });
}

struct Far : Harness {
  explicit Far(const SessionOptions& options = quiet()) : Harness(1280, 800, 1, options) {}
  void tell(const std::string& host, const std::vector<DeviceInfo>& devices) {
    engine.tells_devices(host, devices);
    settle();
  }
};

TEST(Engines, DevicesOfAnotherMachineComeAndRun) {
  Far h;
  h.open("gen:laplace5?nx=9");
  h.tell("gpubox", {gpu("gpubox")});
  EXPECT_TRUE(says(h, Message::Kind::note, "Big GPU on gpubox is there."));
  h.session.apply(SetDevice{"cuda:0@gpubox"});
  h.frames(2);
  EXPECT_TRUE(h.shows("Big GPU on gpubox"));
  h.session.apply(StartRun{});
  h.settle();
  ASSERT_EQ(h.state().runs.all().size(), 1u);
  EXPECT_EQ(h.state().runs.all().front()->device, "cuda:0@gpubox");
}

TEST(Engines, ALostOneIsSaidAndOffersNothingUntilItIsBack) {
  Far h;
  h.open("gen:laplace5?nx=9");
  h.tell("gpubox", {gpu("gpubox")});
  h.session.apply(SetDevice{"cuda:0@gpubox"});
  h.tell("gpubox", {gpu("gpubox", false, "the connection was lost; the next try is in 2 s")});
  EXPECT_TRUE(says(h, Message::Kind::warning, "Big GPU on gpubox: the connection was lost"));
  EXPECT_FALSE(h.state().can_run());
  h.session.apply(StartRun{});
  h.settle();
  EXPECT_TRUE(h.state().runs.all().empty());
  const std::size_t messages = h.state().messages.size();
  h.tell("gpubox", {gpu("gpubox", false, "the connection was lost; the next try is in 5 s")});
  EXPECT_EQ(h.state().messages.size(), messages) << "it is said once";
  h.tell("gpubox", {gpu("gpubox")});
  EXPECT_TRUE(says(h, Message::Kind::note, "is there again."));
  EXPECT_TRUE(h.state().can_run());
  EXPECT_EQ(h.state().knobs.device, "cuda:0@gpubox");
}

TEST(Engines, AMachineWithManyIsSaidOnce) {
  Far h;
  const auto many = [](bool available) {
    std::vector<DeviceInfo> all = {gpu("gpubox", available, "it is gone")};
    for (int k = 0; k < 3; ++k) {
      DeviceInfo d = all.front();
      d.id = "sim:" + std::to_string(k) + "@gpubox", d.name = "Model " + std::to_string(k), d.simulated = true;
      all.push_back(d);
    }
    return all;
  };
  h.tell("gpubox", many(true));
  const std::size_t before = h.state().messages.size();
  h.tell("gpubox", many(false));
  EXPECT_EQ(h.state().messages.size(), before + 1);
  EXPECT_TRUE(says(h, Message::Kind::warning, "Big GPU on gpubox and 3 more: it is gone"));
  h.tell("gpubox", many(true));
  EXPECT_EQ(h.state().messages.size(), before + 2);
  EXPECT_TRUE(says(h, Message::Kind::note, "Big GPU on gpubox and 3 more are there again."));
}

TEST(Engines, OneThatIsNotUsedAnyMoreLeavesNothing) {
  Far h;
  h.tell("gpubox", {gpu("gpubox")});
  h.session.apply(SetDevice{"cuda:0@gpubox"});
  h.tell("gpubox", {});
  EXPECT_EQ(h.state().catalog->device("cuda:0@gpubox"), nullptr);
  EXPECT_EQ(h.state().knobs.device, "sim:toy");
}

TEST(Engines, TheDeskWaitsForItsDevice) {
  SessionOptions o = Harness::quiet();
  const std::string folder = testing::TempDir() + "/warpspy_engines_" + std::to_string(getpid());
  std::filesystem::remove_all(folder);
  o.desk = folder;
  o.autosave_s = 0;
  {
    Far h(o);
    h.tell("gpubox", {gpu("gpubox")});
    h.open("gen:laplace5?nx=9");
    h.session.apply(SetDevice{"cuda:0@gpubox"});
    h.settle();
  }
  Far h(o);
  h.settle();
  EXPECT_EQ(h.state().knobs.device, "sim:toy");
  EXPECT_EQ(h.state().awaited_device, "cuda:0@gpubox");
  h.tell("gpubox", {gpu("gpubox")});
  EXPECT_EQ(h.state().knobs.device, "cuda:0@gpubox");
  EXPECT_TRUE(h.state().awaited_device.empty());
  std::filesystem::remove_all(folder);
}

TEST(Engines, TheSettingsNameThem) {
  Far h;
  Settings set = h.state().settings;
  set.engines = {"ssh me@gpubox warpspy engine"};
  h.session.apply(SetSettings{set});
  EXPECT_EQ(h.engine.others, set.engines);
  h.session.apply(ShowDialog{"settings"});
  h.frames(3);
  click_at(h.find("Engines"), [&] { h.frames(1); });
  EXPECT_TRUE(h.shows("gpubox"));
  EXPECT_TRUE(h.shows("Waiting for its answer."));
  h.tell("gpubox", {gpu("gpubox", false, "Permission denied (publickey)")});
  EXPECT_TRUE(h.shows("Permission denied (publickey)"));
  h.tell("gpubox", {gpu("gpubox")});
  EXPECT_TRUE(h.shows("Big GPU on gpubox"));
}

}  // namespace
