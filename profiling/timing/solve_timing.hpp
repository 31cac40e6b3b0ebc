// Runs a solve on a CUDA device and measures it. The iterations run in CUDA graphs of some iterations each. The host
// checks the residuals of one graph while the next one runs, so that the device never waits for the host.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/jobs/progress.hpp"
#include "kernels/solve/iteration.hpp"

namespace warpspy {

struct SolveTiming {
  // r' r at the start and after each iteration that was done.
  std::vector<double> rr;
  bool broke_down = false;
  double solve_us = 0;  // until the last of these iterations has ended; without transfers
  // 0: the solve had too few iterations; then time_iteration() measures it.
  double iteration_us = 0;  // the median of the graphs, by iterations; with replacements their mean
  int samples = 0;          // graphs
  bool replaced = false;    // whether the residual was computed anew among them
  std::vector<double> x;    // the last iterate, from time_solve()
};

// Enqueues iterations on a stream of the current device.
class UnitRunner {
 public:
  virtual ~UnitRunner() = default;
  virtual void* stream() const = 0;  // cudaStream_t
  virtual void unit() = 0;           // IterationPlan::unit iterations
  virtual void replacement() = 0;    // if the plan has one; so is begin()
  virtual void begin() = 0;
  virtual void await(void* event) const = 0;  // a cudaEvent_t
  virtual void await_all() const = 0;
};

// Runs solves of one system on the device, one after the other. The iteration must live as long. All throw Error when
// the build has no CUDA or CUDA reports a failure.
class DeviceSolver {
 public:
  // For solves of at most this many iterations. Without a `runner` they are captured in CUDA graphs. All is launched
  // once, since that loads the code; then the vectors get their first values again. `loaded`: an iteration of the same
  // launches ran before, so this is left out.
  DeviceSolver(const DeviceIteration& iteration, std::uint64_t most_iterations, Precision precision,
               bool loaded = false, std::unique_ptr<UnitRunner> runner = nullptr);
  ~DeviceSolver();
  DeviceSolver(const DeviceSolver&) = delete;
  DeviceSolver& operator=(const DeviceSolver&) = delete;

  void* stream() const;  // a cudaStream_t, on which all of it is enqueued
  void begin();          // starts again from the numbers in "b", if the iteration can
  // Continues from the present vectors. Throws Cancelled.
  SolveTiming solve(std::uint64_t most_iterations, const Progress& progress);

 private:
  class Own;
  std::unique_ptr<Own> own_;
};

// Runs the solve. `loaded`: as above. Throws Error when the build has no CUDA or CUDA reports a failure, and Cancelled.
SolveTiming time_solve(const DeviceIteration& iteration, const SolveOptions& options, Precision precision,
                       const Progress& progress, bool loaded = false);

// Measures the time of one iteration in microseconds. `endless` is an iteration that no tolerance ends. Throws as
// time_solve() does.
double time_iteration(const DeviceIteration& endless, const Progress& progress);

// Measures each launch of an iteration alone, in microseconds. `iteration` must have a unit of one iteration. Throws as
// time_solve() does.
std::vector<double> time_launches(const DeviceIteration& iteration, const Progress& progress);

}  // namespace warpspy
