// Which trials of the benchmark's search are timed again, and which of them is the fastest then. Nothing here measures.
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

// Times a trial again, in us; nothing where it failed.
using Again = std::function<Script<std::optional<double>>(const Trial&)>;

// `trials`: the fastest first. What took several times as long as that one is not timed again, if any was.

// The fastest of the first few, not too many of a kernel with the same loads.
Script<std::optional<Trial>> fastest_warm(const std::vector<Trial>& trials, std::size_t most, const Again& again);

// Trials are warm. Cold, kernels that were alike may be far apart (xenon2's stand-in, f32, H200: HYB in all its ways
// 6.8 us warm and 12.4 cold, slices 9.9 cold), and so may loads: the fastest of the first of each of so many kernels,
// and of up to three trials of that kernel with other loads. None that keeps a share in L2.
Script<std::optional<Trial>> fastest_cold(const std::vector<Trial>& trials, std::size_t most_kernels,
                                          const Again& again);

}  // namespace warpspy
