// Runs a product over several simulated GPUs: each has a part of the matrix (core/partition), and a link joins them.
#pragma once

#include <memory>
#include <vector>

#include "core/partition/partition.hpp"
#include "profiling/engine/prepared_run.hpp"

namespace warpspy {

class PartsRunner {
 public:
  struct Prepared {
    Preparation local, halo;  // of a part
  };
  // Fills the record: y of all parts together is checked against run.reference, and the time is that of the slowest
  // part. `run` needs no format: each part has two of its own, for its local entries and for its halo. Throws Error for
  // a kernel that computes no A x, for a part that its GPU cannot hold, and as row_parts() and run_simulated(); and
  // Cancelled.
  void run(const PreparedRun& run, RunRecord& r, Progress& progress);
  // Frees the parts, which are kept for the next run.
  void let_go();

 private:
  void divide(const PreparedRun& run, Progress& progress);

  std::weak_ptr<const Csr> matrix_;  // of which partition_ is
  std::uint64_t parts_ = 0;
  Split split_ = Split::rows;
  Partition partition_;
  double divided_us_ = 0;
  std::vector<Prepared> prepared_;
};

}  // namespace warpspy
