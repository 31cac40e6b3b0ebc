// Writes how long each frame takes and which jobs run meanwhile, as lines of CSV, to find slow frames.
#pragma once

#include <chrono>
#include <fstream>
#include <optional>
#include <span>
#include <string>

#include "core/jobs/jobs.hpp"

namespace warpspy::ui {

class FrameLog {
 public:
  // Throws Error when the file cannot be written.
  explicit FrameLog(const std::string& path);

  // In this order for each frame. A line holds, in ms: when it began, by the machine's monotonic clock, so that it can
  // be laid beside what `perf record -e sched:sched_switch -k CLOCK_MONOTONIC` wrote; what the state and the views
  // took, what OpenGL took of them, what it took until the picture was on the screen, all of it, and the processor's
  // time of this thread. A frame that showed nothing new was not painted: those two are empty.
  void begin();
  void built();    // the frame is built
  void painted();  // OpenGL has its commands; not called if nothing is new
  void shown(std::span<const JobPtr> jobs);

 private:
  using Clock = std::chrono::steady_clock;

  std::ofstream out_;
  Clock::time_point begun_, built_;
  std::optional<Clock::time_point> painted_;
  double cpu_ms_ = 0;  // processor time of this thread at the frame's start
};

}  // namespace warpspy::ui
