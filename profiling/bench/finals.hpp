// Decides which trials of the benchmark's search are timed again, and which of them is the fastest. No code here
// measures.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/experiment/script.hpp"
#include "profiling/bench/candidates.hpp"

namespace warpspy {

struct Trial {
  const KernelRow* kernel = nullptr;
  BenchCandidate candidate;
  double us = 0;
};

// Times a trial again, in us; nothing if it failed.
using Again = std::function<Script<std::optional<double>>(const Trial&)>;

// In the next functions `trials` has the fastest first. A trial that took several times as long as the fastest is not
// timed again, unless there is no other.

// Times the first few trials again and returns the fastest. Of trials with the same kernel and cache policies only some
// are timed.
Script<std::optional<Trial>> fastest_warm(const std::vector<Trial>& trials, std::size_t most, const Again& again);

// Returns the fastest trial with cold caches. Trials of the search are warm. Kernels that take the same time warm may
// differ much cold (xenon2's stand-in, f32, H200: HYB in all its ways 6.8 us warm and 12.4 cold, slices 9.9 cold), and
// so may cache policies. So it times the first trial of each of several kernels, then up to three trials of the fastest
// kernel with other policies. Trials that keep a share in L2 are left out.
Script<std::optional<Trial>> fastest_cold(const std::vector<Trial>& trials, std::size_t most_kernels,
                                          const Again& again);

}  // namespace warpspy
