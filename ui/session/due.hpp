// Something that is made again when what it is made of has changed.
#pragma once

#include <utility>

namespace warpspy::ui {

// At most one making is under way, and the next one begins with things as they are then: a drag is followed as fast as
// the machine can, and never queues up.
class Due {
 public:
  explicit Due(bool due = false) : due_(due) {}
  void mark() { due_ = true; }
  void drop() { due_ = false; }
  bool is_due() const { return due_; }
  // Whether to make it now, at once.
  bool take() { return !running_ && std::exchange(due_, false); }
  // Whether to start a job that makes it. It is under way until end().
  bool begin() { return take() && (running_ = true); }
  void end() { running_ = false; }

 private:
  bool due_, running_ = false;
};

}  // namespace warpspy::ui
