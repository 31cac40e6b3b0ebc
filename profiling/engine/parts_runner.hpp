// Runs a product or a solve over several GPUs: each has a part of the matrix (core/partition). Simulated GPUs are
// joined by a modelled link, and real ones read each other's memory or have NCCL.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/partition/iteration_time.hpp"
#include "core/partition/partition.hpp"
#include "core/solve/system.hpp"
#include "kernels/parts/communicators.hpp"
#include "profiling/engine/engine.hpp"
#include "profiling/engine/prepared_run.hpp"
#include "profiling/engine/solve_record.hpp"

namespace warpspy {

class PartProducts;
class Ranks;

class PartsRunner {
 public:
  struct Prepared {
    Preparation local, halo;  // of a part
  };
  // If the engine has ranks, each has a part. All call the functions below with the same run, and get the same record.
  explicit PartsRunner(const EngineParts& parts) : parts_of_engine_(parts), ranks_(parts.ranks) {}
  // Fills the record: y of all parts together is checked against run.reference, and the time is that of the slowest
  // part. `run` needs no format: each part has two of its own, for its local entries and for its halo. `run` must be
  // one that refused_over_parts() (core/run/over_parts.hpp) does not refuse. Throws Error for a part that its GPU
  // cannot hold, and as row_parts(), run_simulated() and DeviceParts; and Cancelled.
  void run(const PreparedRun& run, RunRecord& r, Progress& progress);
  // Fills the record of a solve. On simulated GPUs each part's share of one iteration runs in the emulator, and this
  // machine's processors compute the numbers of all iterations, of the whole matrix. `given`: as run_simulated_solve().
  // Throws as run() and as that function.
  void solve(const PreparedRun& run, RunRecord& r, SolveVectors* given, Progress& progress);
  // Frees the parts, which are kept for the next run.
  void let_go();

 private:
  struct Iteration {
    std::vector<IterationStep> steps;  // with the times of all parts
    IterationTime time;
    double launch_us = 0;  // of the slowest part: of its launches what is launching alone
    int launches = 0;
    std::string how = {};
  };
  // Throws Error if ranks have different matrices or requests.
  void agree(const PreparedRun& run);
  void note_ranks(RunRecord& r) const;
  void run_on_gpus(const PreparedRun& run, RunRecord& r, Progress& progress);
  void solve_on_gpus(const PreparedRun& run, RunRecord& r, SolveVectors* given, Progress& progress);
  void divide(const PreparedRun& run, Progress& progress);
  // Of ranks, each does its own part. Names the part in errors.
  void for_parts(Progress& progress, const std::function<void(std::size_t k, const Part& part)>& work);
  // One iteration of all parts; `products` counts it.
  Iteration modelled_iteration(const PreparedRun& run, const LinearSystem& system, const SolveOptions& options,
                               PartProducts& products, Progress& progress);

  // The numbers of the iterations, by all ranks together: each has its rows. `x` gets the rows of all.
  SolveResult solve_by_ranks(const PreparedRun& run, const LinearSystem& system, const SolveOptions& options,
                             Progress& progress, std::vector<double>& x);

  const EngineParts& parts_of_engine_;
  Ranks* ranks_;
  std::shared_ptr<Communicators> nccl_;  // of the real GPUs of the last run that had any
  std::weak_ptr<const Csr> matrix_;      // of which partition_ is
  std::uint64_t parts_ = 0;
  Split split_ = Split::rows;
  Partition partition_;
  double divided_us_ = 0;
  std::vector<Prepared> prepared_;
};

}  // namespace warpspy
