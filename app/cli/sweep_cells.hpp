// Runs the cells of a sweep, and shows its progress on standard error.
#pragma once

#include <cstddef>
#include <functional>

#include "app/wiring.hpp"
#include "core/experiment/executor.hpp"
#include "core/sweep/stored.hpp"

namespace warpspy::cli {

// Runs until all waiting cells have run or the sweep is cancelled. `keep` is called with the number of each cell that
// has run, and its result. Throws Error if it cannot continue.
void run_cells(Sweep& sweep, StoredSweep& stored, const Services& services, const ExecutorOptions& options,
               Progress& whole, const std::function<void(std::size_t cell, const CaseResult&)>& keep = {});

}  // namespace warpspy::cli
