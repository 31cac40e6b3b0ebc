#include "profiling/remote/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "core/base/types.hpp"

namespace warpspy {
namespace {

// Both ends of something, closed with it.
struct Ends {
  int own = -1, theirs = -1;
  ~Ends() {
    if (own >= 0) ::close(own);
    if (theirs >= 0) ::close(theirs);
  }
  int take() { return std::exchange(own, -1); }
};

bool make_pipe(Ends& e) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  e.own = ends[0], e.theirs = ends[1];
  return true;
}
// A socket: writing to one that nobody reads any more can be an error instead of SIGPIPE.
bool make_socket(Ends& e) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
  e.own = ends[0], e.theirs = ends[1];
  return ::fcntl(e.own, F_SETFL, O_NONBLOCK) == 0;
}

// posix_spawn: this program has threads, and a fork without exec may find their locks held.
int spawn(pid_t& pid, const std::string& path, const std::vector<std::string>& words, Terminal terminal, int in,
          int out, int errors) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, errors, STDERR_FILENO);
  posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  const int place = terminal == Terminal::none ? POSIX_SPAWN_SETSID : POSIX_SPAWN_SETPGROUP;
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, static_cast<short>(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | place));
  std::vector<char*> arguments;
  for (const std::string& w : words) arguments.push_back(const_cast<char*>(w.c_str()));
  arguments.push_back(nullptr);
  const int error = ::posix_spawnp(&pid, path.c_str(), &files, &attributes, arguments.data(), ::environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  return error;
}

}  // namespace

Process::Process(const std::string& path, const std::vector<std::string>& words, Terminal terminal) {
  Ends in, out, errors;
  const bool open = make_socket(in) && make_pipe(out) && make_pipe(errors);
  const int error = open ? spawn(pid_, path, words, terminal, in.theirs, out.theirs, errors.theirs) : errno;
  if (error != 0)
    throw Error(words.front() + " cannot be started: " + std::strerror(error), {},
                "check the command and that the program is installed");
  ::fcntl(out.own, F_SETPIPE_SZ, 1 << 20);
  in_ = in.take(), out_ = out.take(), errors_ = errors.take();
  running_ = true;
}

Process::~Process() {
  kill();
  reap(true);
  for (const int file : {in_, out_, errors_}) ::close(file);
}

void Process::kill() {
  if (running_) ::kill(pid_, SIGKILL);
}

bool Process::reap(bool wait) {
  while (running_) {
    const pid_t ended = ::waitpid(pid_, &status_, wait ? 0 : WNOHANG);
    if (ended < 0 && errno == EINTR) continue;
    if (ended == 0) return false;
    running_ = false;  // also when somebody else has reaped it
  }
  return true;
}

bool Process::running() { return !reap(false); }

std::string Process::ending(double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (!reap(false) && Clock::now() < end) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const bool stayed = running_;
  kill();
  reap(true);
  if (stayed) return "closed its output and was stopped";
  if (!WIFSIGNALED(status_)) return "ended with code " + std::to_string(WEXITSTATUS(status_));
  const int signal = WTERMSIG(status_);
  const char* name = ::sigdescr_np(signal);
  return "was killed by signal " + std::to_string(signal) + (name ? " (" + std::string(name) + ")" : "");
}

}  // namespace warpspy
