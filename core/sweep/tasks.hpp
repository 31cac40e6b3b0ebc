// A sweep on a cluster. Its cells are divided among the tasks of a job array. Each start of a task writes one file of
// its own, so that no two programs write to one file, and no database lies on a network file system.
//
//   tasks/tasks.json          which cells each task has
//   tasks/7-TIME-HEX.jsonl    one start (an attempt) of task 7: a line that says what it is, a line for each product,
//                             and a line that says how it ended
//
// A line is written at once and has the hash of its content (folder.hpp), so that a line that was cut off is noticed.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/sweep/folder.hpp"

namespace warpspy {

struct TaskList {
  std::string program;                          // the version that submitted them: Maker::program
  std::vector<std::vector<std::string>> cells;  // of each task: the ids of its cells
  std::vector<std::string> jobs = {};           // the numbers of the job arrays, for the queue
  bool operator==(const TaskList&) const = default;
};
std::string to_json(const TaskList& list);
TaskList task_list_from_json(const std::string& text, const std::string& where);  // throws Error

// The list of the folder; nothing if the sweep was never submitted. Throws Error.
std::optional<TaskList> tasks_of(const SweepFolder& folder);
void write_tasks(const SweepFolder& folder, const TaskList& list);  // throws Error

// More tasks than this are not made: SLURM's default is at most 1001 in an array.
inline constexpr std::size_t kMostTasks = 1000;
// How many cells a task gets if nobody says: 16, or more if there would be more than kMostTasks tasks.
std::size_t usual_chunk(std::size_t cells);
// Adds tasks for the ids that no task has yet, `chunk` in each. Tasks that are there stay as they are. Throws Error if
// there would be more than kMostTasks.
void add_tasks(TaskList& list, const std::vector<std::string>& ids, std::size_t chunk);

// "0-3,7" of 0, 1, 2, 3, 7, as SLURM writes the tasks of an array. The numbers are sorted.
std::string ranges_text(const std::vector<std::size_t>& numbers);

// The tasks that the queue of a cluster has.
struct TaskQueue {
  std::set<std::size_t> waiting = {}, running = {};
  bool has(std::size_t task) const { return waiting.contains(task) || running.contains(task); }
  bool operator==(const TaskQueue&) const = default;
};

// Writes the file of one attempt.
class AttemptWriter {
 public:
  // `task` must be in the list. Throws Error.
  AttemptWriter(const SweepFolder& folder, const TaskList& list, std::size_t task, const std::string& program);
  ~AttemptWriter();
  AttemptWriter(const AttemptWriter&) = delete;
  AttemptWriter& operator=(const AttemptWriter&) = delete;
  const std::string& name() const { return name_; }  // "tasks/7-....jsonl"

  // Each writes one line, and returns when it is on the disk. Throws Error.
  void add(const StoredCell& cell);
  void end(const std::string& how);  // "" if it came to its end, otherwise why not

 private:
  void line(const std::string& text);
  std::string name_, path_;
  int file_ = -1;
};

struct Attempt {
  std::string name;  // "tasks/7-....jsonl"
  std::size_t task = 0;
  std::string program = {};  // that wrote it
  std::vector<StoredCell> cells = {};
  bool ended = false;                     // false: it was killed, ran out of time, or still runs
  std::string end = {};                   // why it ended early; "" if it did not
  std::vector<std::string> remarks = {};  // lines that do not count, and why
};
// Reads the attempts of one task, or of all, in the order in which they began. Throws Error for a file of another sweep
// or of a newer Warpspy.
std::vector<Attempt> attempts_of(const SweepFolder& folder, const TaskList& list,
                                 std::optional<std::size_t> task = std::nullopt);

}  // namespace warpspy
