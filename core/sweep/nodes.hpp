// A sweep whose tasks run elsewhere: on the nodes of a cluster, or in other processes of this machine. The command line
// and the window look at it, and bring in what is new.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/sweep/collect.hpp"

namespace warpspy {

// Cells whose GPU is not on this machine wait for a node that has one; they are not skipped.
void await_nodes(Sweep& sweep, const Catalog& catalog);

// The state of a sweep on nodes.
struct OnNodes {
  Sweep sweep;
  StoredSweep stored = {};  // the results that are in the folder
  TaskList list = {};
  std::vector<Attempt> attempts = {};
  Arrivals arrivals = {};  // what the tasks have written
};
// Reads the folder and the tasks' files; `sweep` and `list` must be set. `program`: the version of this program
// (Maker::program). Throws Cancelled, and Error for results of another version and of unlike devices, unless `mix`.
void look(OnNodes& n, SweepFolder& folder, const std::string& program, bool mix, Progress& progress);
// The cells that have arrived get their states, and nothing is brought in.
void count_arrivals(OnNodes& n);

// For the window: the first waiting cell of each running task runs. A cell of a task that lacks products says why it
// waits.
void tell_cells(OnNodes& n, const std::vector<TaskStand>& stands);

// Names, sizes and times of the JSON files of a folder. It changes when files are written, and reads none.
std::string mark_of_files(const std::string& folder);

}  // namespace warpspy
