// Brings the results of a cluster's tasks into their sweep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/run/history.hpp"
#include "core/sweep/stored.hpp"
#include "core/sweep/tasks.hpp"

namespace warpspy {

// Throws Error if an attempt is of another version of the program.
void refuse_other_versions(const std::vector<Attempt>& attempts, const std::string& program, const std::string& folder);

// The results of attempts, one for each cell. Of several the first good one counts; if none is good, the first.
struct Arrivals {
  std::map<std::string, StoredCell> cells;  // by id
  std::size_t again = 0;                    // further results of these cells, which do not count
};
Arrivals arrivals_of(const std::vector<Attempt>& attempts);

// Throws Error if results of one device name, here and in the arrivals, have unlike makers: GPU, driver, build.
void refuse_unlike(const StoredSweep& stored, const Arrivals& arrivals, const std::string& folder);

// Writes the results that the folder lacks, and good ones in the place of failed ones, into the folder and into the
// history (nullptr: none). A result that is in the history already, since an earlier collection was interrupted, is not
// added again. Updates the sweep, and returns how many came in. Throws Error and Cancelled; what is in then stays.
std::size_t bring_in(const Arrivals& arrivals, Sweep& sweep, StoredSweep& stored, SweepFolder& folder, History* history,
                     Progress& progress);

// The tasks that have cells which still wait, sorted.
std::vector<std::size_t> unfinished(const TaskList& list, const Sweep& sweep, const StoredSweep& stored);

// waiting: it has not begun. lacking: it does not run, and products are missing. done: each of its products has a
// result, good or failed.
enum class TaskState : std::uint8_t { waiting, running, lacking, done };
struct TaskStand {
  std::size_t task = 0;
  TaskState state = TaskState::waiting;
  std::size_t products = 0, done = 0, failed = 0;  // of those that the sweep asks for
  std::string why = {};                            // why products are missing; "" if none is
  bool operator==(const TaskStand&) const = default;
};
// How each task stands. `queue`: nothing if no queue says. Then a task without an end counts as running, since it may
// be.
std::vector<TaskStand> stands_of(const TaskList& list, const Sweep& sweep, const StoredSweep& stored,
                                 const std::vector<Attempt>& attempts, const std::optional<TaskQueue>& queue);
// Why tasks are not done, a sentence for each reason: "tasks 3,9-12: never began".
std::vector<std::string> why_unfinished(const std::vector<TaskStand>& stands);
// The command that runs the task again alone, on this machine; "" if nothing of it need run. Failed products run again.
std::string command_for(const TaskStand& stand, const std::string& folder);

}  // namespace warpspy
