// A program that Warpspy starts. Of Warpspy's open files the new program gets only those named here. It leads a process
// group of its own, so Ctrl+C in a terminal does not reach it. The destructor ends it and the programs that it started.
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
  pipe,     // a pipe to this program
  socket,   // the same for its input; writing never blocks, and need not raise SIGPIPE
};

struct ChildStart {
  std::string program;             // a path, or a name that is looked for as a shell does
  std::vector<std::string> words;  // the program's name and arguments
  ChildFile in = ChildFile::nothing, out = ChildFile::pipe, errors = ChildFile::nothing;
  // Starts in a session of its own, without a terminal, so that asking for a password fails. Otherwise it starts in
  // Warpspy's session; Linux divides processors among sessions (priority.hpp).
  bool own_session = false;
  std::vector<std::string> environment = {};  // NAME=VALUE, besides Warpspy's own variables or in their place
};

struct ChildEnding {
  int code = 0, signal = 0;  // exit code and signal; one of them is 0
};

// kill() may be called from any thread: while this object lives, no other process has this one's number.
class ChildProcess {
 public:
  // Throws std::system_error when it cannot be started.
  explicit ChildProcess(const ChildStart& start);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t id() const { return pid_; }
  // This program's ends of the pipes; -1 if there is none.
  int in() const { return in_; }
  int out() const { return out_; }
  int errors() const { return errors_; }
  void close_in();

  void kill(int signal = SIGKILL) const;
  bool running() const { return !look(false); }
  // Waits for the end and says how the program ended; nothing if it still runs after `seconds`.
  std::optional<ChildEnding> wait(double seconds) const;
  ChildEnding wait() const { return *look(true); }
  // The rest of the program's output. A program that writes more than `most` bytes is killed.
  std::string read_all(std::size_t most) const;

 private:
  std::optional<ChildEnding> look(bool wait) const;

  pid_t pid_ = -1;
  int in_ = -1, out_ = -1, errors_ = -1;
};

}  // namespace warpspy
