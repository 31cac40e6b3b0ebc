// Writes the desk that is kept, from jobs and at the end.
#pragma once

#include <mutex>
#include <string>

#include "core/session/desk.hpp"

namespace warpspy::ui {

// Jobs and the end of the program may come to it at once: the last one to be told is what stays.
class DeskWriter {
 public:
  // Nothing is written where it would say the same again. Throws Error; the old file stays.
  void write(const std::string& path, Desk desk);
  // The same, and whatever comes later is not written.
  void write_last(const std::string& path, Desk desk);

 private:
  void write_locked(const std::string& path, Desk desk);
  std::mutex mutex_;
  std::string path_, text_;  // of what was written last, without its time
  bool closed_ = false;
};

}  // namespace warpspy::ui
