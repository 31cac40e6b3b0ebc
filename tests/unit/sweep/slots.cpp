// Tasks that run in child processes, one at a time in each slot. Shell scripts play the program.
#include "core/sweep/slots.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <set>
#include <string>

#include "core/base/types.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;

DeviceInfo device(const std::string& id, const std::string& name, const std::string& why_not = "") {
  DeviceInfo d;
  d.id = id, d.name = name, d.simulated = id.starts_with("sim:");
  d.available = why_not.empty(), d.reason = why_not;
  return d;
}

std::string variables(const std::vector<TaskSlot>& slots) {
  std::string text;
  for (const TaskSlot& s : slots) text += s.name + " " + s.environment.at(0) + "\n";
  return text;
}

std::string refusal(const std::vector<DeviceInfo>& devices, bool mix) {
  try {
    gpu_slots(devices, nullptr, mix);
  } catch (const Error& e) {
    return e.reason;
  }
  return "nothing";
}

TEST(GpuSlots, AreTheGpusOfThisMachine) {
  const std::vector<DeviceInfo> devices = {
      device("cuda:0", "A"),      device("cuda:1", "B", "no code for this GPU; build it again"),
      device("cuda:2", "A"),      device("cuda:0@far", "C"),
      device("sim:h200", "H200"),
  };
  EXPECT_EQ(variables(gpu_slots(devices, nullptr, false)),
            "cuda:0 CUDA_VISIBLE_DEVICES=0\ncuda:2 CUDA_VISIBLE_DEVICES=2\n");
  // This program sees a part of the machine's: its cuda:0 has another number outside.
  EXPECT_EQ(variables(gpu_slots(devices, "3,1,GPU-5f", false)),
            "cuda:0 CUDA_VISIBLE_DEVICES=3\ncuda:2 CUDA_VISIBLE_DEVICES=GPU-5f\n");
}

TEST(GpuSlots, WithoutOneOrOfUnlikeOnesThereIsAReason) {
  const DeviceInfo none = device("cuda:0", "CUDA device", "no NVIDIA driver; kernels run on a simulated GPU instead");
  EXPECT_EQ(refusal({none, device("sim:h200", "H200")}, false), "no GPU of this machine can be used: no NVIDIA driver");
  const std::vector<DeviceInfo> unlike = {device("cuda:0", "A"), device("cuda:1", "B")};
  EXPECT_EQ(refusal(unlike, false), "the GPUs are unlike: cuda:0 is A, cuda:1 is B");
  EXPECT_EQ(refusal(unlike, true), "nothing");
}

TEST(SlotChunks, AreSmallButNotTooMany) {
  EXPECT_EQ(slot_chunk(5, 4), 1U);
  EXPECT_EQ(slot_chunk(128, 4), 4U);
  EXPECT_EQ(slot_chunk(5000, 2), 16U);
  EXPECT_EQ(slot_chunk(100'000, 8), 100U);  // no more than 1000 tasks
}

class Slots : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(dir_);
    fs::create_directories(dir_);
  }
  void TearDown() override { fs::remove_all(dir_); }

  // Work whose children run this script, in which $TASK is the task's number and $SLOT the slot's name.
  SlotWork work(std::size_t slots, std::size_t tasks, const std::string& script) {
    SlotWork w;
    for (std::size_t s = 0; s < slots; ++s)
      w.slots.push_back({std::to_string(s), {"SLOT=" + std::to_string(s), "DIR=" + dir_.string()}});
    w.tasks.resize(tasks);
    std::iota(w.tasks.begin(), w.tasks.end(), 0);
    w.start = [script](std::size_t task) {
      ChildStart start{"sh", {"sh", "-c", script}};
      start.environment = {"TASK=" + std::to_string(task)};
      return start;
    };
    w.ended = [this](const SlotEnd& end) {
      EXPECT_TRUE(ends_.emplace(end.task, end).second) << "task " << end.task << " ended twice";
      return true;
    };
    return w;
  }

  const fs::path dir_ = fs::path(testing::TempDir()) / ("warpspy_slots_" + std::to_string(::getpid()));
  std::map<std::size_t, SlotEnd> ends_;
  Progress progress_;
};

TEST_F(Slots, RunEveryTaskOnceAndOneAtATime) {
  // The folder of a slot can be made only while no other task has it. The first task of all waits for another one that
  // runs beside it.
  run_on_slots(work(3, 20, R"(mkdir "$DIR/slot$SLOT" || exit 9
    echo >"$DIR/task$TASK"
    [ $TASK != 0 ] || until [ -e "$DIR/task1" ]; do sleep 0.01; done
    echo "before"; echo "task $TASK on $SLOT"
    rmdir "$DIR/slot$SLOT")"),
               progress_);
  ASSERT_EQ(ends_.size(), 20U);
  std::set<std::size_t> slots;
  for (const auto& [task, end] : ends_) {
    EXPECT_EQ(end.how.code, 0) << task;
    EXPECT_EQ(end.said, "task " + std::to_string(task) + " on " + std::to_string(end.slot));
    slots.insert(end.slot);
  }
  EXPECT_GT(slots.size(), 1U);
}

TEST_F(Slots, WhatIsKilledOrFailsIsSaidAndTheRestGoesOn) {
  run_on_slots(
      work(2, 6, R"(case $TASK in 1) kill -9 $$ ;; 2) echo "no such file" >&2; exit 4 ;; 3) kill -11 $$ ;; esac)"),
      progress_);
  ASSERT_EQ(ends_.size(), 6U);
  EXPECT_EQ(ends_[1].how.signal, 9);
  EXPECT_EQ(ends_[2].how.code, 4);
  EXPECT_EQ(ends_[2].said, "no such file");
  EXPECT_EQ(ends_[3].how.signal, 11);
  EXPECT_EQ(ends_[5].how.code, 0);
}

TEST_F(Slots, AChildThatPrintsMuchIsNotHeldUp) {
  run_on_slots(work(2, 2, "seq 400000 >&2; seq 400000; echo last"), progress_);
  ASSERT_EQ(ends_.size(), 2U);
  for (const auto& [task, end] : ends_) EXPECT_EQ(end.said, "last");
}

TEST_F(Slots, WhenStoppedTheChildrenEndAndNoOtherBegins) {
  SlotWork w = work(2, 8, R"(trap 'echo stopped; exit 5' TERM
    echo >"$DIR/task$TASK"
    [ $TASK != 0 ] || until [ -e "$DIR/task1" ]; do sleep 0.01; done
    [ $TASK != 0 ] || exit 0
    while :; do sleep 0.01; done)");
  const auto note = w.ended;
  w.ended = [&](const SlotEnd& end) {
    progress_.cancel();  // while task 1 runs
    return note(end);
  };
  run_on_slots(w, progress_);
  EXPECT_EQ(ends_[0].how.code, 0);
  EXPECT_EQ(ends_[1].how.code, 5);
  EXPECT_EQ(ends_[1].said, "stopped");
  EXPECT_EQ(ends_.size(), 2U);
}

TEST_F(Slots, ASlotMayTakeNoMore) {
  SlotWork w = work(2, 12, "[ $SLOT = 1 ]");
  const auto note = w.ended;
  w.ended = [&](const SlotEnd& end) { return note(end) && end.how.code == 0; };
  run_on_slots(w, progress_);
  ASSERT_EQ(ends_.size(), 12U);
  for (const auto& [task, end] : ends_) EXPECT_EQ(end.slot, task == 0 ? 0U : 1U) << task;
  // When no slot takes any, the rest stays.
  ends_.clear();
  w.ended = [&](const SlotEnd& end) { return note(end) && false; };
  run_on_slots(w, progress_);
  EXPECT_EQ(ends_.size(), 2U);
}

TEST_F(Slots, AProgramThatIsNotThereIsSaid) {
  SlotWork w = work(2, 3, "");
  w.start = [](std::size_t) { return ChildStart{"/nowhere/program", {"program"}}; };
  try {
    run_on_slots(w, progress_);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.reason, "task 0 cannot be started: No such file or directory");
    EXPECT_EQ(e.where, "/nowhere/program");
  }
}

}  // namespace
}  // namespace warpspy
