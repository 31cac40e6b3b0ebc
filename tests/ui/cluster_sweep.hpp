// The folder of a sweep whose products run as tasks of a cluster.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/sweep/nodes.hpp"
#include "tests/ui/support.hpp"

namespace warpspy::ui {

struct ClusterSweep {
  Sweep sweep;
  std::vector<std::string> ids;  // of its products
  TaskList tasks;                // one for each product; none has run
};

// Writes such a folder: two matrices and two kernels. `program`: what its tasks are run by.
inline ClusterSweep write_cluster_sweep(const std::string& path, const Catalog& catalog, const std::string& program) {
  SweepPlan plan;
  plan.matrices = {{"gen:laplace5?nx=12&ny=12", "a"}, {"gen:laplace5?nx=13&ny=13", "b"}};
  plan.kernels = {"csr_scalar", "csr_vector"};
  plan.options = {{"device", {"sim:toy"}}};
  ClusterSweep made{Sweep(plan, catalog), {}, {}};
  SweepFolder folder(path, SweepFolder::For::running);
  if (!folder.has_plan()) folder.write_plan(plan);
  Progress progress;
  made.ids = take_in(made.sweep, folder, progress).ids;
  made.tasks.program = program;
  add_tasks(made.tasks, made.ids, 1);
  write_tasks(folder, made.tasks);
  return made;
}

}  // namespace warpspy::ui
