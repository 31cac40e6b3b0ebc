// Compares our kernels with a library's: finds the best of each on a matrix, then times the two in turn. It is a plan
// (plan.hpp) whose products the executor runs, and a report over their records.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/experiment/executor.hpp"
#include "profiling/bench/result.hpp"
#include "profiling/tuner/cost_model.hpp"

namespace warpspy {

struct BenchOptions {
  std::string against = "cusparse";    // "": no library, only our kernels
  std::vector<std::string> kernels{};  // our kernels to try; empty: all
  std::vector<Precision> precisions = {Precision::f32, Precision::f64};
  std::vector<CacheState> states = {CacheState::warm};
  double budget_s = 1;  // seconds of search for our kernels and for the library's, for each matrix, precision and
                        // operation; final timings are extra
  std::string device = "cuda";
  std::uint64_t seed = 1;
  bool in_order = false;              // each product begins when the previous one has ended: our products do not
                                      // overlap
  double most_memory = usual_memory;  // the most memory of a format with its kernel's own arrays, as a multiple of
                                      // CSR's
  bool trials = false;                // rows keep every trial of ours
  bool compact = true;                // compact formats are tried too (FormatInfo::compact_of)
  History* history = nullptr;         // searches begin with its runs; nullptr: without any
  // Runs of the history that began later do not count (utc_now_ms): they may be this benchmark's own, when it
  // continues. "": all count.
  std::string history_until = {};
};
// Throws Error for an unknown kernel or library, and for a library's kernel in `kernels`.
void check_options(const BenchOptions& options);

// Makes the report without rows: device, library, and bandwidths, which the device's engine measures now. On a modelled
// device nothing is measured, and a library's kernels cannot run. Throws Error, with the remedy, if the device does not
// exist, or a real one has no library.
BenchReport begin_bench(const BenchOptions& options, const std::vector<DeviceInfo>& devices, Engine& engine,
                        Progress& progress);
// Measures the report's rows for one matrix, which was opened from this file. `say` is called after each row, `begins`
// before each product. A failure becomes a note of its row. Throws Error if the device is lost, and Cancelled.
void bench_matrix(const Matrix& matrix, const std::string& file, const BenchOptions& options, Executor& executor,
                  BenchReport& report, Progress& progress, const std::function<void(const BenchRow&)>& say,
                  const std::function<void(const Case&)>& begins = {});

}  // namespace warpspy
