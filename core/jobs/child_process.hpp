// A program that this one starts. None of this program's files is open in it but those named here, it leads a process
// group of its own (Ctrl+C in a terminal is not for it), and it ends with this object, as does what it has started.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpspy {

enum class ChildFile : std::uint8_t {
  nothing,  // /dev/null
  pipe,     // its other end is here
  socket,   // the same for its input; writing to it never blocks, and can be told not to raise SIGPIPE
};

struct ChildStart {
  std::string program;             // a path, or a name that is looked for as a shell does
  std::vector<std::string> words;  // its name and arguments
  ChildFile in = ChildFile::nothing, out = ChildFile::pipe, errors = ChildFile::nothing;
  // In a session of its own, without a terminal: what would ask for a password fails. Else in this program's, with
  // which Linux divides processors as one (priority.hpp).
  bool own_session = false;
};

struct ChildEnding {
  int code = 0, signal = 0;  // one of them is 0
};

// kill() may be called from any thread: its number is nobody else's while this object lives.
class ChildProcess {
 public:
  // Throws std::system_error when it cannot be started.
  explicit ChildProcess(const ChildStart& start);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t id() const { return pid_; }
  // The ends that are here; -1: there is none.
  int in() const { return in_; }
  int out() const { return out_; }
  int errors() const { return errors_; }
  void close_in();

  void kill(int signal = SIGKILL) const;
  bool running() const { return !look(false); }
  // How it ended, which is waited for; nothing when it still runs after `seconds`.
  std::optional<ChildEnding> wait(double seconds) const;
  ChildEnding wait() const { return *look(true); }
  // All that it still writes to its output. What writes more than `most` bytes is killed.
  std::string read_all(std::size_t most) const;

 private:
  std::optional<ChildEnding> look(bool wait) const;

  pid_t pid_ = -1;
  int in_ = -1, out_ = -1, errors_ = -1;
};

}  // namespace warpspy
