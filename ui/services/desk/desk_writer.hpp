// Writes the kept desk, from jobs and at the end of the program.
#pragma once

#include <mutex>
#include <string>

#include "core/session/desk.hpp"

namespace warpspy::ui {

// Jobs and the end of the program may write at the same time: the newest desk stays.
class DeskWriter {
 public:
  // An unchanged desk is not written again. If it throws Error, the old file stays.
  void write(const std::string& path, Desk desk);
  // The same; desks that come later are not written.
  void write_last(const std::string& path, Desk desk);

 private:
  void write_locked(const std::string& path, Desk desk);
  std::mutex mutex_;
  std::string path_, text_;  // the last written desk, without its time
  bool closed_ = false;
};

}  // namespace warpspy::ui
