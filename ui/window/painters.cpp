#include "ui/window/painters.hpp"

#ifdef __linux__
#include <sched.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>
#endif

namespace warpspy::ui {

#ifdef __linux__
namespace {

namespace fs = std::filesystem;

std::vector<int> processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> all;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return all;
  for (int k = 0; k < CPU_SETSIZE; ++k)
    if (CPU_ISSET(k, &set)) all.push_back(k);
  return all;
}

}  // namespace
#endif

void spread_painters() {
#ifdef __linux__
  constexpr std::size_t few = 4;
  const std::vector<int> on = processors();
  if (on.size() < 2 || on.size() > few) return;
  std::size_t painters = 0;
  std::error_code ended;
  for (const auto& task : fs::directory_iterator("/proc/self/task", ended)) {
    std::string name;
    std::getline(std::ifstream(task.path() / "comm"), name);
    if (!name.starts_with("llvmpipe-")) continue;
    const std::string number = task.path().filename();
    pid_t thread = 0;
    std::from_chars(number.data(), number.data() + number.size(), thread);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(on[painters++ % on.size()], &one);
    (void)sched_setaffinity(thread, sizeof one, &one);
  }
#endif
}

}  // namespace warpspy::ui
