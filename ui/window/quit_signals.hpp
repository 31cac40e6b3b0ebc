// Handles Ctrl+C in the terminal, a logout and `kill`. The program then ends normally, so that the desk is kept and no
// crash is reported.
#pragma once

#include <functional>
#include <thread>

namespace warpspy::ui {

// While it lives, SIGINT, SIGTERM and SIGHUP call `heard` from a thread of its own. A second signal ends the program at
// once. One at a time.
class QuitSignals {
 public:
  explicit QuitSignals(std::function<void()> heard);
  ~QuitSignals();
  QuitSignals(const QuitSignals&) = delete;
  QuitSignals& operator=(const QuitSignals&) = delete;

 private:
  int read_ = -1;
  std::thread listener_;
};

}  // namespace warpspy::ui
