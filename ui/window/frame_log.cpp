#include "ui/window/frame_log.hpp"

#include <time.h>

#include <cstdio>

#include "core/base/csv.hpp"
#include "core/base/types.hpp"

namespace warpspy::ui {

namespace {

// CPU time: other programs on the same cores lengthen a frame, but not this.
double thread_cpu_ms() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

double ms(std::chrono::steady_clock::duration d) { return std::chrono::duration<double, std::milli>(d).count(); }

std::string text_of(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", value);
  return text;
}

}  // namespace

FrameLog::FrameLog(const std::string& path) : out_(path, std::ios::trunc) {
  std::string line;
  csv::add_line(line, {"at_ms", "build_ms", "paint_ms", "show_ms", "frame_ms", "cpu_ms", "jobs"}, "\n");
  if (!(out_ << line << std::flush)) throw Error("the times of frames cannot be written", path, "name another file");
}

void FrameLog::begin() {
  begun_ = Clock::now();
  painted_.reset();
  cpu_ms_ = thread_cpu_ms();
}
void FrameLog::built() { built_ = Clock::now(); }
void FrameLog::painted() { painted_ = Clock::now(); }

void FrameLog::shown(std::span<const JobPtr> jobs) {
  const auto now = Clock::now();
  const double cpu = thread_cpu_ms() - cpu_ms_;
  std::string titles, line;
  for (const auto& j : jobs) titles += (titles.empty() ? "" : "; ") + j->title;
  csv::add_line(line,
                {text_of(ms(begun_.time_since_epoch())), text_of(ms(built_ - begun_)),
                 painted_ ? text_of(ms(*painted_ - built_)) : "", painted_ ? text_of(ms(now - *painted_)) : "",
                 text_of(ms(now - begun_)), text_of(cpu), titles},
                "\n");
  out_ << line << std::flush;  // whole lines for who reads along
}

}  // namespace warpspy::ui
