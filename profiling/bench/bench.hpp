// Our kernels against a library's: the best of each on a matrix, then both once more in turn.
#pragma once

#include <functional>

#include "core/matrix/csr.hpp"
#include "core/run/history.hpp"
#include "profiling/bench/result.hpp"
#include "profiling/tuner/promise.hpp"

namespace warpspy {

struct BenchOptions {
  std::string against = "cusparse";
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
  History* history = nullptr;  // where results go, and where searches begin; nullptr: none
};
// Throws Error for a kernel or library that is not known, and for a library's kernel among `kernels`.
void check_options(const BenchOptions& options);

// Everything but the rows: device, library, copy bandwidth measured now. Throws Error without a CUDA device, or without
// the library, each with the remedy.
BenchReport begin_bench(const BenchOptions& options, const std::string& assets, const Progress& progress);
// The rows of one matrix, opened from this file; `say` hears of each as it is done. What fails is a note of its row.
void bench_matrix(const Matrix& matrix, const std::string& file, const BenchOptions& options, BenchReport& report,
                  Progress& progress, const std::function<void(const BenchRow&)>& say);

}  // namespace warpspy
