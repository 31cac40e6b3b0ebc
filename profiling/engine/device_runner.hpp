// Executes a run on a CUDA device. It measures the time, checks the result, and reads counters and the traffic of
// source lines.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "profiling/engine/engine.hpp"
#include "profiling/engine/prepared_run.hpp"
#include "profiling/engine/solve_runner.hpp"

namespace warpspy {

class DeviceRunner {
 public:
  // Called when the device is lost while counters are read: its id, and why.
  using Lose = std::function<void(const std::string& device, const std::string& why)>;
  DeviceRunner(const EngineParts& parts, Lose lose) : parts_(parts), lose_(std::move(lose)) {}

  // Fills the record. The time comes first, then the check, then counters. To read counters a product is replayed in
  // several passes, and these never count as times. Throws Error, DeviceLost and Cancelled.
  void run(const PreparedRun& run, RunRecord& r, Progress& progress, const OnTimed& on_timed);
  // Fills the record of a solve: it runs all iterations, then reads the counters of one.
  void solve(const PreparedRun& run, RunRecord& r, SolveVectors* given, Progress& progress);
  // Frees the product that was kept on the device for the next run.
  void let_go() { kept_.reset(); }

 private:
  // The product stays on the device for the next run while live runs follow a slider, or while the request stays the
  // same. Copying it there takes longer than running it.
  const Rotation& rotation_for(const PreparedRun& run, const std::string& device, bool live, const MakeProduct& make,
                               const Progress& progress);
  CounterOutcome counters_of(const PreparedRun& run, DeviceProduct& product, const Progress& progress);
  // Patched kernels are slow, and counters cannot be read at the same time. So live runs, which follow a slider, get no
  // source lines.
  LineOutcome lines_of(const PreparedRun& run, DeviceProduct& product, bool live, const Progress& progress);
  void set_counters(RunRecord& r, CounterOutcome o);
  void set_lines(RunRecord& r, LineOutcome o);

  struct Kept {
    RunRequest request;
    std::shared_ptr<const Csr> matrix;
    Rotation rotation;
    std::optional<ErrorCheck> check = {};  // check of its result, after it has passed
  };
  const EngineParts& parts_;
  Lose lose_;
  std::optional<Kept> kept_;
};

}  // namespace warpspy
