// A program that talks with this one over its standard input, output and errors.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace warpspy {

// Ctrl+C in a terminal is for neither kind of program.
enum class Terminal : std::uint8_t {
  none,    // a session of its own: what would ask for a password fails
  shared,  // in this program's session, with which Linux divides processors as one (core/jobs/priority.hpp)
};

// Killed when this object goes.
class Process {
 public:
  // `path` is looked for as a shell does; `words` are its name and arguments. Throws Error when it cannot be started.
  Process(const std::string& path, const std::vector<std::string>& words, Terminal terminal);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  int in() const { return in_; }  // a socket that does not block
  int out() const { return out_; }
  int errors() const { return errors_; }
  pid_t id() const { return pid_; }

  bool running();
  void kill();
  // How it ended: "was killed by signal 11 (Segmentation fault)", "ended with code 255". Waits `seconds` at most for
  // that, and kills it then.
  std::string ending(double seconds);

 private:
  bool reap(bool wait);

  pid_t pid_ = -1;
  int in_ = -1, out_ = -1, errors_ = -1;
  bool running_ = false;
  int status_ = 0;
};

}  // namespace warpspy
