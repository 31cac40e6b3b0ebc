// A sweep as a job array of SLURM: `warpspy sweep --slurm`, `--task` and `--collect`. Or on all GPUs of this machine:
// `--all-gpus`.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/wiring.hpp"
#include "core/sweep/stored.hpp"

namespace CLI {
class App;
}

namespace warpspy::cli {

struct ClusterOptions {
  bool slurm = false, dry_run = false, collect = false, all_gpus = false;
  std::optional<std::size_t> task;
  std::string account, partition, gres, time;
  std::size_t chunk = 0;  // products of a task; 0: usual_chunk()

  // Declares the options. Those of `sweep` that they exclude must be declared already.
  void add(CLI::App& app);
  bool follows() const { return collect || task; }  // works on a sweep that was submitted before
  bool any() const { return slurm || follows() || all_gpus; }
};

// What the options work on.
struct ClusterWork {
  SweepPlan plan;
  std::string folder;
  bool mix = false, retry = false, json = false;
  // Writes table and figures into the folder, and returns their names.
  std::function<std::vector<std::string>(const Sweep&, const StoredSweep&, const Folder&)> write;
};

// Does what the options say, and returns the exit code. Throws Error and Cancelled.
int on_cluster(const ClusterOptions& o, const ClusterWork& work, const Services& services);

}  // namespace warpspy::cli
