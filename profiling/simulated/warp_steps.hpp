// From what was kept of a block to the steps of one of its warps.
#pragma once

#include "core/jobs/progress.hpp"
#include "core/run/warp_trace.hpp"
#include "profiling/simulated/driver.hpp"
#include "profiling/simulated/entry_reads.hpp"

namespace warpspy {

// Fills in steps, sums and ledger of the warp `to.place`, which must be one of the block. Walks over the whole format
// to find the entries of the slots that the warp reads. More than `most` steps are counted and not told; of their idle
// lanes no reason is known. Throws Cancelled.
void tell_steps(const BlockRun& block, const LineWatch& lines, const TracedProduct& traced, const GpuSpec& gpu,
                std::size_t most, WarpTrace& to, const Progress& progress);

}  // namespace warpspy
