// A sweep on all GPUs of this machine: its tasks (tasks.hpp) run in child processes, one at a time in each slot.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/jobs/child_process.hpp"
#include "core/jobs/progress.hpp"

namespace warpspy {

// A place for one child at a time: a GPU.
struct TaskSlot {
  std::string name;                      // "cuda:1"
  std::vector<std::string> environment;  // that shows a child this GPU alone: {"CUDA_VISIBLE_DEVICES=1"}
};

// A slot for each CUDA device of this machine that can be used. `visible` is CUDA_VISIBLE_DEVICES, as CUDA has read it
// (CUDA C++ Programming Guide, "CUDA Environment Variables"); nullptr if it is not set. Throws Error if there is no
// such device, and if they are of unlike kinds, unless `mix`.
std::vector<TaskSlot> gpu_slots(const std::vector<DeviceInfo>& devices, const char* visible, bool mix);

// How many cells a task gets, so that slots end at about the same time.
std::size_t slot_chunk(std::size_t cells, std::size_t slots);

struct SlotEnd {
  std::size_t slot = 0, task = 0;
  ChildEnding how = {};
  std::string said = {};  // the last line of its output, or of its errors if it printed nothing else
};

struct SlotWork {
  std::vector<TaskSlot> slots = {};
  std::vector<std::size_t> tasks = {};
  std::function<ChildStart(std::size_t task)> start = {};  // of a child that runs this task
  std::function<bool(const SlotEnd&)> ended = {};          // returns whether the slot takes another task
};

// Hands out the tasks in their order, until all have ended or no slot takes any more. After `progress` is cancelled the
// children get SIGTERM, and this waits for their ends. Throws Error if a child cannot be started; the others are ended
// then.
void run_on_slots(const SlotWork& work, const Progress& progress);

}  // namespace warpspy
