#include "core/io/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/base/types.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define WARPSPY_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WARPSPY_ADDRESS_SANITIZER 1
#endif
#endif

namespace warpspy {
namespace {

constexpr int kWatchMs = 20;
#ifdef WARPSPY_ADDRESS_SANITIZER
constexpr bool kBoundAddresses = false;  // it reserves terabytes of addresses for itself
#else
constexpr bool kBoundAddresses = true;
#endif

constexpr auto kInstall = "install Warpspy again";

[[noreturn]] void fail(const std::string& program, const std::string& label, int error) {
  throw Error("the program that reads it (" + program + ") cannot be started: " + std::strerror(error), label,
              kInstall);
}

// posix_spawn: this program has threads, and a fork without exec may find their locks held.
pid_t spawn(const std::string& program, const std::string& argument, const std::string& label, int in, int out) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  char* const arguments[] = {const_cast<char*>(program.c_str()), const_cast<char*>(argument.c_str()), nullptr};
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, program.c_str(), &files, &attributes, arguments, ::environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) fail(program, label, error);
  return pid;
}

void close_all(std::initializer_list<int> files) {
  for (const int file : files) ::close(file);
}

// What is between `most` and the hard limit is for the signal that says which limit it was.
void limit(pid_t pid, __rlimit_resource what, std::uint64_t most, std::uint64_t more = 0) {
  rlimit now = {};
  if (::prlimit(pid, what, nullptr, &now) != 0) return;  // it has ended already
  const rlimit to = {std::min<rlim_t>(most, now.rlim_max), std::min<rlim_t>(most + more, now.rlim_max)};
  ::prlimit(pid, what, &to, nullptr);
}

// The number behind `key` in a file of /proc, or 0.
std::uint64_t number_of(pid_t pid, const char* file, const std::string& key) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/" + file);
  std::uint64_t value = 0;
  for (std::string word; in >> word;)
    if (word == key && in >> value) return value;
  return 0;
}

}  // namespace

Child::Child(const std::string& program, const std::string& argument, const std::string& label,
             const ChildBounds& bounds, Look look)
    : bounds_(bounds), look_(std::move(look)) {
  // It waits for the end of its standard input before it begins: by then its limits are set.
  int out[2], gate[2];
  if (::pipe2(out, O_CLOEXEC) != 0) fail(program, label, errno);
  if (::pipe2(gate, O_CLOEXEC) != 0) {
    const int error = errno;
    close_all({out[0], out[1]});
    fail(program, label, error);
  }
  try {
    pid_ = spawn(program, argument, label, gate[0], out[1]);
  } catch (...) {
    close_all({out[0], out[1], gate[0], gate[1]});
    throw;
  }
  close_all({out[1], gate[0]});
  out_ = out[0];
  running_ = true;
  ::fcntl(out_, F_SETPIPE_SZ, 1 << 20);
  constexpr std::uint64_t kMuch = std::uint64_t{1} << 60;
  if (kBoundAddresses && bounds_.memory < kMuch) limit(pid_, RLIMIT_AS, 2 * bounds_.memory + (std::uint64_t{1} << 30));
  limit(pid_, RLIMIT_CPU, static_cast<std::uint64_t>(std::ceil(bounds_.seconds)), 2);
  limit(pid_, RLIMIT_FSIZE, bounds_.written);
  limit(pid_, RLIMIT_CORE, 0);
  ::close(gate[1]);
}

Child::~Child() {
  kill();
  reap(true);
  ::close(out_);
}

std::size_t Child::read(char* to, std::size_t n) {
  std::size_t got = 0;
  while (got < n && !silent_) {
    watch();
    pollfd ready = {out_, POLLIN, 0};
    if (::poll(&ready, 1, kWatchMs) <= 0) continue;
    const ssize_t some = ::read(out_, to + got, n - got);
    if (some < 0 && errno == EINTR) continue;
    silent_ = some <= 0;
    if (some > 0) got += static_cast<std::size_t>(some);
  }
  return got;
}

// Kills it when a bound is passed; what it has written until then can still be read.
void Child::watch() {
  const auto now = Clock::now();
  if (now - looked_ < std::chrono::milliseconds(kWatchMs)) return;
  looked_ = now;
  look_(number_of(pid_, "io", "rchar:"));
  if (!stopped_.empty()) return;
  const double seconds = std::chrono::duration<double>(now - started_).count();
  if (seconds > bounds_.seconds) {
    stopped_ = "took longer than " + std::to_string(std::lround(bounds_.seconds)) + " s and was stopped";
  } else if (const std::uint64_t kilobytes = number_of(pid_, "status", "VmRSS:"); kilobytes > bounds_.memory / 1024) {
    stopped_ = "took more than " + byte_text(static_cast<double>(bounds_.memory)) + " of memory and was stopped";
  }
  if (!stopped_.empty()) kill();
}

void Child::kill() {
  if (running_) ::kill(pid_, SIGKILL);
}

bool Child::reap(bool wait) {
  while (running_) {
    const pid_t ended = ::waitpid(pid_, &status_, wait ? 0 : WNOHANG);
    if (ended < 0 && errno == EINTR) continue;
    if (ended == 0) return false;
    running_ = false;  // also when somebody else has reaped it
  }
  return true;
}

std::string Child::ending() {
  // It has closed its output; if it does not go by itself, nothing is lost.
  for (int k = 0; k < 50 && !reap(false); ++k) std::this_thread::sleep_for(std::chrono::milliseconds(kWatchMs));
  const bool hung = running_;
  kill();
  reap(true);
  if (!stopped_.empty()) return stopped_;
  if (hung || !WIFSIGNALED(status_)) return "ended without an answer";
  const int signal = WTERMSIG(status_);
  if (signal == SIGXCPU)
    return "took longer than " + std::to_string(std::lround(bounds_.seconds)) + " s and was stopped";
  if (signal == SIGXFSZ)
    return "wrote more than " + byte_text(static_cast<double>(bounds_.written)) + " and was stopped";
  return "crashed (signal " + std::to_string(signal) + ")";
}

std::string reader_program(const std::string& name, const std::string& label) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path own = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  const char* chosen = std::getenv("WARPSPY_READERS");
  const std::vector<fs::path> places =
      chosen ? std::vector<fs::path>{chosen}
             : std::vector<fs::path>{own, own / "../libexec/warpspy", WARPSPY_READERS_IN_BUILD};
  std::string looked;
  for (const fs::path& place : places) {
    const std::string program = (place / name).lexically_normal().string();
    if (::access(program.c_str(), X_OK) == 0) return program;
    looked += (looked.empty() ? "" : ", ") + program;
  }
  throw Error("the program that reads files of this kind is not there (looked for " + looked + ")", label,
              chosen ? "set WARPSPY_READERS to the folder that has it" : kInstall);
}

}  // namespace warpspy
