// The parts of a run on real GPUs: their formats and products there, and how they give each other numbers.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/partition/partition.hpp"
#include "kernels/parts/device_parts.hpp"
#include "profiling/engine/part_products.hpp"
#include "profiling/engine/parts_runner.hpp"
#include "profiling/timing/parts_timing.hpp"

namespace warpspy {

// Tells device and name of a run's GPUs, and notes what is special: one that several parts share, unlike ones.
void tell_gpus(const std::vector<const DeviceInfo*>& gpus, RunRecord& r);

class PartsOnGpus {
 public:
  // Makes the formats of all parts, on their GPUs where that is known. `nccl` keeps the communicators for the next run.
  // Throws Error if the GPUs are no peers and there is no NCCL, and as Preparation::format().
  PartsOnGpus(const PreparedRun& run, const Partition& partition, std::vector<PartsRunner::Prepared>& prepared,
              ConversionOf conversion, std::shared_ptr<Communicators>& nccl, Progress& progress);
  ~PartsOnGpus();
  PartsOnGpus(const PartsOnGpus&) = delete;
  PartsOnGpus& operator=(const PartsOnGpus&) = delete;

  // Products y = alpha A x + beta y of all parts. `counted`: laying them out is part of what the record tells as
  // upload.
  std::unique_ptr<DeviceParts> products(bool counted);
  // Iterations from these inputs of the whole system. `whole` must live as long.
  std::unique_ptr<DeviceParts> iterations(const IterationInputs& whole, bool counted);
  // Chooses how the parts give each other numbers, and who enqueues their launches: of two ways the one that takes less
  // time. The parts have other numbers then. Where NCCL fails and is not needed, they are made `again` without it.
  using MakeParts = std::function<std::unique_ptr<DeviceParts>()>;
  void choose_ways(std::unique_ptr<DeviceParts>& parts, const MakeParts& again, const Progress& progress);
  PartsLaunch launch() const { return launch_; }
  // The product of all parts, in the order of the matrix' rows; `state`: instead, this vector of their iterations.
  std::vector<double> together(DeviceParts& parts, const std::string& state = {}) const;

  // The parts of the record, with these times of those that have rows.
  std::vector<PartResult> results(const std::vector<PartTimes>& times) const;
  double minimum_bytes() const { return minimum_bytes_; }
  // What preparing the parts took, their ways, and what is not measured.
  void tell(RunRecord& r) const;
  // Lets `work` run, and tells of a lost GPU which one it is.
  template <class Work>
  auto naming_lost(Work&& work) const {
    try {
      return work();
    } catch (PartLost& e) {
      e.device = run_.gpus[with_rows_[e.part]]->id;
      throw;
    }
  }

 private:
  struct Piece {
    std::size_t part = 0;  // its place among all
    ProductInputs local, halo;
    const PartKernel* halo_kernel = nullptr;
    std::vector<double> x, y, no_halo;  // of a product: what its inputs refer to
  };
  ProductInputs prepared(const PartKernel& how, const std::shared_ptr<const Csr>& entries, Preparation& preparation,
                         const DeviceInfo& gpu, Progress& progress);
  void join(std::shared_ptr<Communicators>& nccl);
  void tell_ways(RunRecord& r) const;
  std::unique_ptr<DeviceParts> made(const std::vector<const IterationInputs*>& inputs, bool counted);

  const PreparedRun& run_;
  const Partition& partition_;
  std::vector<PartsRunner::Prepared>& prepared_;
  ConversionOf conversion_;
  PartKernels kernels_;
  std::vector<std::size_t> with_rows_;   // the parts that have rows
  std::vector<Piece> pieces_;            // of these
  std::shared_ptr<Communicators> nccl_;  // nullptr: there is none
  std::string no_nccl_;                  // why it is not used, if that is known
  std::string no_peers_;                 // why GPUs do not read each other's memory, or ""
  PartsWay way_ = PartsWay::peers;
  PartsLaunch launch_ = PartsLaunch::threads;
  LaunchTimes launching_;
  bool chosen_ = false;
  double peers_us_ = 0, nccl_us_ = 0;  // of messages; 0: not measured
  double conversion_us_ = 0, upload_us_ = 0, setup_us_ = 0, device_bytes_ = 0, minimum_bytes_ = 0;
  int plain_halos_ = 0;
  std::vector<LinearSystem> systems_;
  std::vector<std::unique_ptr<IterationInputs>> inputs_;
};

}  // namespace warpspy
