// SLURM, the queue of a cluster (https://slurm.schedmd.com): a job array as a script, submitting it, and asking which
// of its tasks have yet to end. Only its programs sbatch and squeue are used.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/sweep/tasks.hpp"

namespace warpspy {

struct JobArray {
  std::string name;                            // of the job
  std::string program, folder;                 // absolute paths, which every node of the cluster must have
  std::vector<std::size_t> tasks;              // sorted
  std::vector<std::string> more;               // options that each task gets
  std::string account, partition, gres, time;  // as sbatch has them; "": what the cluster does
};
// The script that sbatch takes. Each task runs `PROGRAM sweep FOLDER --task N`; what it prints goes to
// FOLDER/tasks/N.log. Throws Error for a text that a script's options cannot have.
std::string script_of(const JobArray& array);

bool has_sbatch();  // whether sbatch is found as a shell does
// Submits the script, and returns the number of the job. Throws Error with the queue's own words if it refuses.
std::string submit(const std::string& script);
// The tasks of these jobs that wait or run. Nothing if there is no job, or the queue does not say.
std::optional<TaskQueue> queued(const std::vector<std::string>& jobs);

}  // namespace warpspy
