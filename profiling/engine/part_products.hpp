// The products of parts in the emulator, and what all of them together give: shared by a product over several simulated
// GPUs and by a solve over them.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/partition/partition.hpp"
#include "profiling/engine/prepared_run.hpp"
#include "profiling/simulated/simulate.hpp"
#include "profiling/simulated/time_model.hpp"

namespace warpspy {

std::vector<double> gathered(std::span<const double> from, std::span<const index_t> places);
std::string part_name(std::size_t k, std::size_t parts);  // "part 2 of 4"; `k` counts from 0

// What one emulated product of a part gave.
struct PartPiece {
  std::vector<double> y;
  std::vector<char> done;  // for each row whether its y is complete: a sample of the blocks leaves some out
  TimeEstimate time;
  double format_bytes = 0;
  double array_bytes = 0;  // of all arrays, with those of the format
};

// Which kernel runs a product of a part, and how.
struct PartKernel {
  const KernelRow& kernel;
  RunRequest request;
  ParamSet params;  // complete
};

// The kernels of a run's parts.
struct PartKernels {
  PartKernel local, halo;  // the halo's product adds to the local one
  PartKernel plain_halo;   // the kernel of a run that names none, for halos that the format cannot hold

  explicit PartKernels(const PreparedRun& run);
  const PartKernel& of_halo(const Part& part) const;
  // Notes how many parts have their halo in that kernel.
  void tell_plain(int halos, RunRecord& r) const;
};

// Runs products of parts, and adds them up.
class PartProducts {
 public:
  // What a product is besides y = alpha A x + beta y, such as an iteration behind it.
  struct Around {
    std::function<std::unique_ptr<EmulatedProduct>(const PreparedRun&)> make = {};
    double products = 1;     // with these entries
    int times = 1;           // how often it runs; all runs are counted
    bool calibrated = true;  // whether times are those of products alone
  };

  explicit PartProducts(const PreparedRun& run);
  // The product with a part's own x. `y`: before it, if beta is not 0.
  PartPiece local(const Part& part, std::vector<double> x, std::vector<double> y, Preparation& preparation,
                  const Around& around, Progress& progress);
  // The product that adds what the halo gives to the boundary rows, whose y is given.
  PartPiece halo(const Part& part, std::vector<double> x, std::vector<double> y, Preparation& preparation,
                 const Around& around, Progress& progress);
  // Throws Error if a part's GPU cannot hold so much.
  void require_room(double bytes) const;
  // What the products of this process counted, as bytes for the other ranks; and what all ranks counted, in place of
  // that.
  std::string counts() const;
  void take_counts(const std::vector<std::string>& of_ranks);
  // Adds up counts; bytes are those of all GPUs.
  void tell(RunRecord& r);

 private:
  PartPiece run_piece(const PartKernel& how, const std::shared_ptr<const Csr>& entries, std::vector<double> x,
                      std::vector<double> y, Preparation& preparation, const Around& around, Progress& progress);
  void add(Simulation more);
  double budget_for(const Csr& entries) const;

  const PreparedRun& run_;
  PartKernels kernels_;
  int plain_halos_ = 0;
  Simulation all_;
  double conversion_us_ = 0, setup_us_ = 0, minimum_bytes_ = 0;
};

// The details of a run over parts that are known without its times, and, of simulated GPUs, a note on their link
// (nullptr: they are real).
void tell_partition(const Partition& p, const Link* link, Precision precision, double divided_us, RunRecord& r);

}  // namespace warpspy
