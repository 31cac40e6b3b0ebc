#include "core/sweep/slots.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <sstream>
#include <system_error>
#include <utility>

#include "core/base/types.hpp"
#include "core/catalog/host.hpp"
#include "core/sweep/tasks.hpp"

namespace warpspy {
namespace {

constexpr int kWatchMs = 50;
constexpr std::size_t kMostKept = 4096;    // bytes of what a child says
constexpr std::size_t kTasksOfSlot = 8;    // if all tasks take as long
constexpr std::size_t kLargestChunk = 16;  // a child takes seconds to start, so a task has several cells

std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

// One pipe of a child.
struct Ear {
  int file = -1;  // -1: nothing more comes
  std::string text = {};

  void read_some() {
    char some[4096];
    const ssize_t n = ::read(file, some, sizeof some);
    if (n < 0 && errno == EINTR) return;
    if (n <= 0) {
      file = -1;
      return;
    }
    text.append(some, static_cast<std::size_t>(n));
    if (text.size() > kMostKept) text.erase(0, text.size() - kMostKept);
  }
};

class Running {
 public:
  Running(std::size_t task, const ChildStart& start)
      : task_(task), child_(start), ears_{{child_.out()}, {child_.errors()}} {}

  std::size_t task() const { return task_; }
  bool over() const { return !child_.running(); }
  void stop() const { child_.kill(SIGTERM); }

  // Its pipes are read as long as it runs: a child that writes into a full pipe would wait.
  static void listen(const std::vector<std::unique_ptr<Running>>& all, int milliseconds) {
    std::vector<pollfd> files;
    std::vector<Ear*> ears;
    for (const auto& one : all) {
      if (!one) continue;
      for (Ear& ear : one->ears_)
        if (ear.file >= 0) files.push_back({ear.file, POLLIN, 0}), ears.push_back(&ear);
    }
    if (::poll(files.data(), files.size(), milliseconds) <= 0) return;
    for (std::size_t k = 0; k < files.size(); ++k)
      if (files[k].revents != 0) ears[k]->read_some();
  }

  SlotEnd end(std::size_t slot) {
    for (Ear& ear : ears_)
      for (pollfd file{ear.file, POLLIN, 0}; ear.file >= 0 && ::poll(&file, 1, 0) > 0;) ear.read_some();
    const std::string out = last_line(ears_[0].text);
    return {slot, task_, child_.wait(), out.empty() ? last_line(ears_[1].text) : out};
  }

 private:
  std::size_t task_;
  ChildProcess child_;
  std::vector<Ear> ears_;
};

std::unique_ptr<Running> started(const SlotWork& work, std::size_t slot, std::size_t task) {
  ChildStart start = work.start(task);
  start.out = start.errors = ChildFile::pipe;
  const std::vector<std::string>& more = work.slots[slot].environment;
  start.environment.insert(start.environment.end(), more.begin(), more.end());
  try {
    return std::make_unique<Running>(task, start);
  } catch (const std::system_error& e) {
    throw Error("task " + std::to_string(task) + " cannot be started: " + e.code().message(), start.program,
                "the same command goes on");
  }
}

// The devices that CUDA_VISIBLE_DEVICES names, one for each cuda:N.
std::vector<std::string> words_of(const char* visible) {
  std::vector<std::string> words;
  std::istringstream list(visible ? visible : "");
  for (std::string word; std::getline(list, word, ',');) words.push_back(word);
  return words;
}

}  // namespace

std::vector<TaskSlot> gpu_slots(const std::vector<DeviceInfo>& devices, const char* visible, bool mix) {
  const std::vector<std::string> words = words_of(visible);
  std::vector<TaskSlot> slots;
  const DeviceInfo* first = nullptr;
  std::string why_none = "no CUDA device";
  for (const DeviceInfo& d : devices) {
    if (d.simulated || !d.id.starts_with("cuda:") || !host_of(d.id).empty()) continue;
    if (!d.available) {
      why_none = d.reason.substr(0, d.reason.find("; "));  // not what is done instead
      continue;
    }
    if (first && first->name != d.name && !mix)
      throw Error("the GPUs are unlike: " + first->id + " is " + first->name + ", " + d.id + " is " + d.name, {},
                  "name those of one kind in CUDA_VISIBLE_DEVICES, or put all into one table with --mix");
    if (!first) first = &d;
    const std::string number = d.id.substr(5);
    const std::size_t k = std::stoul(number);
    slots.push_back({d.id, {"CUDA_VISIBLE_DEVICES=" + (k < words.size() ? words[k] : number)}});
  }
  if (slots.empty())
    throw Error("no GPU of this machine can be used: " + why_none, {},
                "run on a simulated one: --device sim:h200, without --all-gpus");
  return slots;
}

std::size_t slot_chunk(std::size_t cells, std::size_t slots) {
  const std::size_t even = cells / (kTasksOfSlot * slots);
  return std::max(std::clamp<std::size_t>(even, 1, kLargestChunk), (cells + kMostTasks - 1) / kMostTasks);
}

void run_on_slots(const SlotWork& work, const Progress& progress) {
  std::vector<std::unique_ptr<Running>> running(work.slots.size());
  std::vector<bool> takes_more(work.slots.size(), true);
  bool stopping = false;
  for (std::size_t next = 0;;) {
    if (progress.cancelled() && !std::exchange(stopping, true))
      for (const auto& one : running)
        if (one) one->stop();
    bool any = false;
    for (std::size_t s = 0; s < running.size(); ++s) {
      if (running[s] && running[s]->over()) {
        const SlotEnd end = running[s]->end(s);
        running[s].reset();
        takes_more[s] = work.ended(end);
      }
      if (!running[s] && takes_more[s] && !progress.cancelled() && next < work.tasks.size())
        running[s] = started(work, s, work.tasks[next++]);
      any = any || running[s];
    }
    if (!any) return;
    Running::listen(running, kWatchMs);
  }
}

}  // namespace warpspy
