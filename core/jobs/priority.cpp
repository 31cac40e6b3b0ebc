#include "core/jobs/priority.hpp"

#ifdef __linux__
#include <sched.h>
#include <sys/resource.h>

#include <fstream>
#endif

namespace warpspy {

#ifdef __linux__
namespace {

// Whether the scheduler divides time by session. On a desktop the window has a session of its own.
bool shares_by_session() {
  std::ifstream file("/proc/sys/kernel/sched_autogroup_enabled");
  int enabled = 0;
  return file >> enabled && enabled == 1;
}

}  // namespace
#endif

void let_others_go_first() {
#ifdef __linux__
  constexpr int step = 10;
  (void)setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + step);
#endif
}

// Linux (since 6.6) lets a running thread of any niceness finish its slice of 3 ms or more before a thread that wakes
// up. A frame waits for the display server about twelve times. A thread of the idle class is nearly always interrupted
// at once.
void take_idle_processors() {
#ifdef __linux__
  const sched_param none{};
  if (shares_by_session() && sched_setscheduler(0, SCHED_IDLE, &none) == 0) return;
#endif
  let_others_go_first();
}

}  // namespace warpspy
