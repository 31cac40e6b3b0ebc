// Our kernels against a library's: the best of each on a matrix, then both once more in turn. A plan (plan.hpp) whose
// products the executor runs, and a report over their records.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/experiment/executor.hpp"
#include "profiling/bench/result.hpp"
#include "profiling/tuner/cost_model.hpp"

namespace warpspy {

struct BenchOptions {
  std::string against = "cusparse";    // "": nobody, ours alone
  std::vector<std::string> kernels{};  // ours to try; empty: all
  std::vector<Precision> precisions = {Precision::f32, Precision::f64};
  std::vector<CacheState> states = {CacheState::warm};
  double budget_s = 1;  // of search, for each side, matrix, precision and operation; the last comparisons come on top
  std::string device = "cuda";
  std::uint64_t seed = 1;
  bool in_order = false;              // each product begins when the one before has ended: none of ours overlap
  double most_memory = usual_memory;  // times what CSR takes: of a format of ours, with what the kernel makes beside it
  bool trials = false;                // rows keep every trial of ours
  bool compact = true;         // formats that hold another one in fewer bytes are tried too (FormatInfo::compact_of)
  History* history = nullptr;  // where searches begin; nullptr: none
  // Runs that began since do not count there (utc_now_ms): where the benchmark itself goes on later. "": all do.
  std::string history_until = {};
};
// Throws Error for a kernel or library that is not known, and for a library's kernel among `kernels`.
void check_options(const BenchOptions& options);

// Everything but the rows: device, library, bandwidths measured now by the engine that has the device. On a modelled
// one nothing is measured, and a library's kernels cannot run. Throws Error where there is no such device, or no
// library on a real one, each with the remedy.
BenchReport begin_bench(const BenchOptions& options, const std::vector<DeviceInfo>& devices, Engine& engine,
                        Progress& progress);
// The rows of one matrix, opened from this file; `say` hears of each as it is done, `begins` of each product before it
// runs. What fails is a note of its row. Throws Error where the device is lost, and Cancelled.
void bench_matrix(const Matrix& matrix, const std::string& file, const BenchOptions& options, Executor& executor,
                  BenchReport& report, Progress& progress, const std::function<void(const BenchRow&)>& say,
                  const std::function<void(const Case&)>& begins = {});

}  // namespace warpspy
