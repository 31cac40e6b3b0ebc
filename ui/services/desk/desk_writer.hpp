// Writes the desk that is kept between two starts, from jobs and at the end of the program.
#pragma once

#include <mutex>
#include <string>

#include "core/session/desk.hpp"

namespace warpspy::ui {

// Jobs and the end of the program may write at the same time: the newest desk stays.
class DeskWriter {
 public:
  // Writes the desk, unless it has not changed. If it throws Error, the old file stays.
  void write(const std::string& path, Desk desk);
  // Writes the desk for the last time: later calls write nothing.
  void write_last(const std::string& path, Desk desk);

 private:
  void write_locked(const std::string& path, Desk desk);
  std::mutex mutex_;
  std::string path_, text_;  // the last written desk, without its time
  bool closed_ = false;
};

}  // namespace warpspy::ui
