// Reads the state of the memory from Linux: /proc and control groups of both versions.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "core/base/numbers.hpp"
#include "core/base/types.hpp"
#include "core/matrix/memory_guard.hpp"

namespace warpspy {
namespace {

constexpr std::size_t kUnlimited = SIZE_MAX;

// "max" means no limit. Version 1 writes the largest page-aligned number instead.
std::size_t number_in(const std::string& path) {
  std::ifstream in(path);
  std::size_t n = 0;
  return in >> n && n < (std::size_t{1} << 62) ? n : kUnlimited;
}

// The number after a word at the beginning of a line: "MemAvailable:  123 kB", "inactive_file 123".
std::size_t value_of(const std::string& path, const std::string& word, std::size_t otherwise) {
  std::ifstream in(path);
  std::string name;
  for (std::size_t value = 0; in >> name;) {
    if (name == word && in >> value) return value;
    in.ignore(1 << 16, '\n');
  }
  return otherwise;
}

std::size_t kib_of(const std::string& path, const std::string& word, std::size_t otherwise) {
  const std::size_t kib = value_of(path, word, kUnlimited);
  return kib == kUnlimited ? otherwise : kib * 1024;
}

// Pages of files count as used, but the system frees them when memory is short, even if they are read often. After a
// long build they may be nearly all of a group's memory.
struct GroupFiles {
  const char *limit, *used;
  std::array<const char*, 2> reclaimable;
};
constexpr GroupFiles kVersion2 = {"/memory.max", "/memory.current", {"inactive_file", "active_file"}};
constexpr GroupFiles kVersion1 = {
    "/memory.limit_in_bytes", "/memory.usage_in_bytes", {"total_inactive_file", "total_active_file"}};

// The smallest limit of the groups from `group` up to the root: a limit applies to all groups below it.
void add_groups(MemoryState& s, const std::string& root, std::string group, const GroupFiles& files) {
  while (true) {
    const std::string folder = root + (group == "/" ? "" : group);
    const std::size_t limit = number_in(folder + files.limit), used = number_in(folder + files.used);
    if (limit != kUnlimited && used != kUnlimited) {
      std::size_t cache = 0;
      for (const char* kind : files.reclaimable) cache += value_of(folder + "/memory.stat", kind, 0);
      cache = std::min(used, cache);
      s.group_limit = std::min(s.group_limit, limit);
      s.group_left = std::min(s.group_left, limit > used - cache ? limit - (used - cache) : 0);
    }
    if (group.empty() || group == "/") return;
    group.resize(group.rfind('/'));
  }
}

void add_control_groups(MemoryState& s, const std::string& proc, const std::string& root) {
  std::ifstream in(proc + "/self/cgroup");
  for (std::string line; std::getline(in, line);) {  // "0::/user.slice", "5:memory:/box"
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string group = line.substr(second + 1);
    if (controllers == ",,") add_groups(s, root, group, kVersion2);
    if (controllers.find(",memory,") != std::string::npos) add_groups(s, root + "/memory", group, kVersion1);
  }
  // In a container the path may be that of the host. Then the mounted root is the container's own group.
  add_groups(s, root, "/", kVersion2);
  add_groups(s, root + "/memory", "/", kVersion1);
}

}  // namespace

MemoryState memory_state(const std::string& proc, const std::string& control_groups) {
  MemoryState s;
  s.total = kib_of(proc + "/meminfo", "MemTotal:", kUnlimited);
  s.available = kib_of(proc + "/meminfo", "MemAvailable:", kUnlimited);
  s.resident = kib_of(proc + "/self/status", "RssAnon:", 0);
  add_control_groups(s, proc, control_groups);
  rlimit space{};
  if (::getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) {
    const std::size_t taken = kib_of(proc + "/self/status", "VmSize:", 0);
    s.address_space_left = space.rlim_cur > taken ? space.rlim_cur - taken : 0;
  }
  if (const char* allowed = std::getenv("WARPSPY_MEMORY"); allowed && *allowed)
    s.allowed = bytes_from_text(allowed, "WARPSPY_MEMORY");
  return s;
}

MemoryState memory_state() { return memory_state("/proc", "/sys/fs/cgroup"); }

namespace {

std::size_t most_of(std::size_t bytes) { return bytes == kUnlimited ? bytes : bytes / 8 * 7; }
// Above this the system kills the process, whatever the user has set.
std::size_t hard_limit(const MemoryState& s) { return most_of(std::min(s.group_left, s.address_space_left)); }
std::size_t allowed_limit(const MemoryState& s) { return *s.allowed > s.resident ? *s.allowed - s.resident : 0; }

}  // namespace

std::size_t available_memory(const MemoryState& s) {
  return std::min(hard_limit(s), s.allowed ? allowed_limit(s) : most_of(s.available));
}

bool user_limits_memory(const MemoryState& s) { return s.allowed && allowed_limit(s) <= hard_limit(s); }

std::string memory_remedy(const MemoryState& s) {
  if (user_limits_memory(s)) return "or allow more with WARPSPY_MEMORY";
  if (s.allowed) return {};
  // A group's limit above the total memory: either it was never set, or the machine grows when it is used.
  if (s.group_limit != kUnlimited && s.total != kUnlimited && s.group_limit > s.total)
    return "or, if this machine's memory grows as it is used (it shows " + byte_text(static_cast<double>(s.total)) +
           ", and its control group allows " + byte_text(static_cast<double>(s.group_limit)) +
           "), say how much there is: WARPSPY_MEMORY=" + std::to_string(s.group_limit / 10 * 9 >> 30) + "GiB";
  return {};
}

std::string memory_warning(const MemoryState& s) {
  if (!s.allowed || s.available == kUnlimited || *s.allowed <= s.available + s.resident) return {};
  return "WARPSPY_MEMORY allows " + byte_text(static_cast<double>(*s.allowed)) + ", and this machine shows " +
         byte_text(static_cast<double>(s.available + s.resident)) +
         ": if its memory does not grow as it is used, the system may end the program.";
}

}  // namespace warpspy
