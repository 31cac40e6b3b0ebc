// Runs one launch within its part of the budget: all of its blocks, or a sample of them.
#pragma once

#include <vector>

#include "profiling/simulated/driver.hpp"
#include "profiling/simulated/pilot_sample.hpp"
#include "profiling/simulated/scaling.hpp"
#include "profiling/simulated/warmup.hpp"

namespace warpspy {

// The pilot sample ends when it has taken this share of the budget.
constexpr double pilot_share = 0.05;

// The data that the launches of a product have in common.
struct ProductRun {
  Driver& driver;
  const SimulateOptions& options;
  WarmupReplay& warmup;
  Progress& progress;
};

// Runs a launch. If not all blocks can run, each section runs by itself, so that a sample has blocks of every section.
std::vector<LaunchRun> run_launch(const ProductRun& product, const Launched& launched, PilotSample& pilot,
                                  double budget);

}  // namespace warpspy
