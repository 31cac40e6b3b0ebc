#include "core/io/child.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/base/types.hpp"

namespace warpspy {
namespace {

constexpr int kWatchMs = 20;
#if WARPSPY_SANITIZED
constexpr bool kBoundAddresses = false;  // the sanitizer reserves terabytes of addresses
#else
constexpr bool kBoundAddresses = true;
#endif

constexpr auto kInstall = "install Warpspy again";

// The child begins when its standard input ends: by then its limits are set.
ChildProcess started(const std::string& program, const std::string& argument, const std::string& label) {
  try {
    return ChildProcess({.program = program, .words = {program, argument}, .in = ChildFile::pipe});
  } catch (const std::system_error& e) {
    throw Error("the program that reads it (" + program + ") cannot be started: " + e.code().message(), label,
                kInstall);
  }
}

// Above `most` the child gets a signal that tells which limit it was; the hard limit is a little higher.
void limit(pid_t pid, __rlimit_resource what, std::uint64_t most, std::uint64_t more = 0) {
  rlimit now = {};
  if (::prlimit(pid, what, nullptr, &now) != 0) return;  // the child has ended already
  const rlimit to = {std::min<rlim_t>(most, now.rlim_max), std::min<rlim_t>(most + more, now.rlim_max)};
  ::prlimit(pid, what, &to, nullptr);
}

// The number after `key` in a file of /proc, or 0.
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
    : bounds_(bounds), look_(std::move(look)), process_(started(program, argument, label)) {
  constexpr std::uint64_t kMuch = std::uint64_t{1} << 60;
  if (kBoundAddresses && bounds_.memory < kMuch)
    limit(process_.id(), RLIMIT_AS, 2 * bounds_.memory + (std::uint64_t{1} << 30));
  limit(process_.id(), RLIMIT_CPU, static_cast<std::uint64_t>(std::ceil(bounds_.seconds)), 2);
  limit(process_.id(), RLIMIT_FSIZE, bounds_.written);
  limit(process_.id(), RLIMIT_CORE, 0);
  process_.close_in();
}

std::size_t Child::read(char* to, std::size_t n) {
  std::size_t got = 0;
  while (got < n && !silent_) {
    watch();
    pollfd ready = {process_.out(), POLLIN, 0};
    if (::poll(&ready, 1, kWatchMs) <= 0) continue;
    const ssize_t some = ::read(process_.out(), to + got, n - got);
    if (some < 0 && errno == EINTR) continue;
    silent_ = some <= 0;
    if (some > 0) got += static_cast<std::size_t>(some);
  }
  return got;
}

// Kills the child when it exceeds a limit. What it has written until then can still be read.
void Child::watch() {
  const auto now = Clock::now();
  if (now - looked_ < std::chrono::milliseconds(kWatchMs)) return;
  looked_ = now;
  look_(number_of(process_.id(), "io", "rchar:"));
  if (!stopped_.empty()) return;
  const double seconds = std::chrono::duration<double>(now - started_).count();
  if (seconds > bounds_.seconds) {
    stopped_ = "took longer than " + std::to_string(std::lround(bounds_.seconds)) + " s and was stopped";
  } else if (const std::uint64_t kilobytes = number_of(process_.id(), "status", "VmRSS:");
             kilobytes > bounds_.memory / 1024) {
    stopped_ = "took more than " + byte_text(static_cast<double>(bounds_.memory)) + " of memory and was stopped";
  }
  if (!stopped_.empty()) process_.kill();
}

std::string Child::ending() {
  // It has closed its output. If it does not end by itself, it can be killed without loss.
  const bool hung = !process_.wait(1);
  process_.kill();
  const int signal = process_.wait().signal;
  if (!stopped_.empty()) return stopped_;
  if (hung || signal == 0) return "ended without an answer";
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
