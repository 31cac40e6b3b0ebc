#include "ui/window/quit_signals.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <utility>

namespace warpspy::ui {

namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

// A signal handler has no user pointer, and may do little more than write.
std::atomic<int> pipe_end{-1};

void write_byte(char byte) {
  const int kept = errno;
  if (const int fd = pipe_end; fd >= 0 && ::write(fd, &byte, 1) < 0) {
    // Full: the listener has enough to read.
  }
  errno = kept;
}

void on_signal(int) { write_byte('s'); }

}  // namespace

QuitSignals::QuitSignals(std::function<void()> heard) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return;  // signals end the program as they would have
  read_ = ends[0];
  pipe_end = ends[1];
  listener_ = std::thread([fd = read_, heard = std::move(heard)] {
    for (char byte = 0;;) {
      const ssize_t n = ::read(fd, &byte, 1);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0 || byte == 'e') return;
      heard();
    }
  });
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
  for (const int s : kSignals) ::sigaction(s, &action, nullptr);
}

QuitSignals::~QuitSignals() {
  if (read_ < 0) return;
  for (const int s : kSignals) std::signal(s, SIG_DFL);
  write_byte('e');
  listener_.join();
  ::close(pipe_end.exchange(-1));
  ::close(read_);
}

}  // namespace warpspy::ui
