#include "core/jobs/child_process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

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

bool open_ends(ChildFile file, bool input, Ends& e) {
  int ends[2];
  if (file == ChildFile::nothing) return true;
  if (file == ChildFile::socket) {
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
    e.own = ends[0], e.theirs = ends[1];
    return ::fcntl(e.own, F_SETFL, O_NONBLOCK) == 0;
  }
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  e.own = ends[input ? 1 : 0], e.theirs = ends[input ? 0 : 1];
  return true;
}

// This program's variables, with those of the child in the place of others of the same name.
std::vector<std::string> environment_of(const ChildStart& start) {
  std::vector<std::string> all = start.environment;
  const auto is_set = [&](std::string_view own) {
    const std::string_view name = own.substr(0, own.find('=') + 1);
    return std::any_of(start.environment.begin(), start.environment.end(),
                       [&](const std::string& set) { return set.starts_with(name); });
  };
  for (char** own = ::environ; own && *own; ++own)
    if (!is_set(*own)) all.emplace_back(*own);
  return all;
}

// Pointers to the words, as exec wants them.
std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> all;
  for (const std::string& w : words) all.push_back(const_cast<char*>(w.c_str()));
  all.push_back(nullptr);
  return all;
}

// Uses posix_spawn: the program has threads, and after a fork without exec their locks may stay held.
int spawn(pid_t& pid, const ChildStart& start, const int (&theirs)[3]) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  for (int file = STDIN_FILENO; file <= STDERR_FILENO; ++file) {
    if (theirs[file] >= 0)
      posix_spawn_file_actions_adddup2(&files, theirs[file], file);
    else
      posix_spawn_file_actions_addopen(&files, file, "/dev/null", file == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0);
  }
  posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  const int place = start.own_session ? POSIX_SPAWN_SETSID : POSIX_SPAWN_SETPGROUP;
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, static_cast<short>(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | place));
  const std::vector<std::string> variables = environment_of(start);
  const int error = ::posix_spawnp(&pid, start.program.c_str(), &files, &attributes, pointers(start.words).data(),
                                   pointers(variables).data());
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  return error;
}

}  // namespace

ChildProcess::ChildProcess(const ChildStart& start) {
  Ends in, out, errors;
  const bool open =
      open_ends(start.in, true, in) && open_ends(start.out, false, out) && open_ends(start.errors, false, errors);
  const int error = open ? spawn(pid_, start, {in.theirs, out.theirs, errors.theirs}) : errno;
  if (error != 0) throw std::system_error(error, std::generic_category());
  if (out.own >= 0) ::fcntl(out.own, F_SETPIPE_SZ, 1 << 20);
  in_ = in.take(), out_ = out.take(), errors_ = errors.take();
}

ChildProcess::~ChildProcess() {
  kill();
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  for (const int file : {in_, out_, errors_})
    if (file >= 0) ::close(file);
}

void ChildProcess::close_in() {
  if (in_ >= 0) ::close(std::exchange(in_, -1));
}

void ChildProcess::kill(int signal) const {
  if (::kill(-pid_, signal) != 0) ::kill(pid_, signal);
}

// The child stays a zombie until the destructor takes its exit status. So no other process gets its number.
std::optional<ChildEnding> ChildProcess::look(bool wait) const {
  siginfo_t how = {};
  int said = 0;
  do said = ::waitid(P_PID, static_cast<id_t>(pid_), &how, WEXITED | WNOWAIT | (wait ? 0 : WNOHANG));
  while (said != 0 && errno == EINTR);
  if (said != 0) return ChildEnding{};  // other code has already taken its exit status
  if (how.si_pid == 0) return {};
  return how.si_code == CLD_EXITED ? ChildEnding{.code = how.si_status} : ChildEnding{.signal = how.si_status};
}

std::optional<ChildEnding> ChildProcess::wait(double seconds) const {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  for (;;) {
    if (const auto ending = look(false)) return ending;
    if (Clock::now() >= end) return {};
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

std::string ChildProcess::read_all(std::size_t most) const {
  std::string text;
  char some[4096];
  for (ssize_t n = 0; (n = ::read(out_, some, sizeof some)) > 0 || (n < 0 && errno == EINTR);) {
    if (n > 0) text.append(some, static_cast<std::size_t>(n));
    if (text.size() <= most) continue;
    kill();
    text.resize(most);
    return text;
  }
  return text;
}

}  // namespace warpspy
