// The GPUs that the parts of a run are on, from what a user writes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "profiling/engine/devices.hpp"
#include "profiling/engine/parts_on_gpus.hpp"

namespace warpspy {
namespace {

DeviceInfo gpu(const std::string& id, bool simulated = false, const std::string& name = "H200") {
  DeviceInfo d;
  d.id = id, d.name = name, d.simulated = simulated, d.available = true;
  return d;
}
const std::vector<DeviceInfo> devices = {gpu("cuda:0"), gpu("cuda:1"), gpu("cuda:2", false, "A100"), gpu("cuda:0@box"),
                                         gpu("sim:h200", true)};

std::string ids(const std::string& asked, std::uint64_t parts) {
  std::string all;
  for (const DeviceInfo* d : choose_together(asked, parts, devices).gpus) all += (all.empty() ? "" : " ") + d->id;
  return all;
}
std::string refusal(const std::string& asked, std::uint64_t parts) {
  try {
    choose_together(asked, parts, devices);
    return "";
  } catch (const Error& e) {
    return e.what();
  }
}
void expect(const std::string& said, const char* what) { EXPECT_NE(said.find(what), std::string::npos) << said; }

TEST(DevicesTogether, AreThoseThatAreNamed) {
  EXPECT_EQ(ids("cuda:1+cuda:0", 2), "cuda:1 cuda:0");
  EXPECT_EQ(ids("cuda:0+cuda:0+cuda:0", 3), "cuda:0 cuda:0 cuda:0");
  EXPECT_EQ(ids("cuda", 3), "cuda:0 cuda:1 cuda:2");
  EXPECT_EQ(ids("cuda:1", 2), "cuda:1 cuda:2");
  EXPECT_EQ(ids("auto", 2), "cuda:0 cuda:1");
  EXPECT_EQ(ids("cuda:1", 1), "cuda:1");
  EXPECT_EQ(ids("sim:h200", 8), "sim:h200");
}

TEST(DevicesTogether, MustBeAsManyAsParts) {
  expect(refusal("cuda:0+cuda:1", 4), "names 2 GPUs, and the matrix has 4 parts; use --parts 2");
  expect(refusal("cuda:0+cuda:1", 1), "and the matrix has 1 part; use --parts 2");
  expect(refusal("cuda", 4), "4 parts need as many GPUs, and from cuda:0 on there are 3");
  expect(refusal("cuda:2", 2), "there is 1; use fewer parts or simulated GPUs");
  expect(refusal("cuda:0@box", 2), "there is 1");
  expect(refusal("cuda:0+cuda:9", 2), "unknown device cuda:9");
  expect(refusal("cuda:0+", 2), "unknown device");
  expect(refusal("sim:h200+sim:h200", 2), "write --device sim:h200 --parts 2");
  EXPECT_THROW(choose_device("cuda:0+cuda:1", devices), Error);
}

TEST(DevicesTogether, AreToldInTheRecord) {
  RunRecord own, shared, unlike;
  tell_gpus({&devices[0], &devices[1]}, own);
  EXPECT_EQ(own.device, "cuda:0");
  EXPECT_EQ(own.device_name, "H200") << "as a run on one GPU, so that a speed-up can be told";
  EXPECT_EQ(own.notes, std::vector<std::string>{"the parts run on cuda:0+cuda:1"});
  tell_gpus({&devices[0], &devices[0]}, shared);
  EXPECT_NE(shared.device_name, "H200");
  expect(shared.notes.at(0), "parts share a GPU (cuda:0+cuda:0)");
  tell_gpus({&devices[1], &devices[2]}, unlike);
  expect(unlike.notes.at(1), "not alike: cuda:1 is H200, cuda:2 is A100");
}

}  // namespace
}  // namespace warpspy
