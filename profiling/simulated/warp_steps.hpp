// Makes the list of a warp's steps from the data that was kept of its thread block.
#pragma once

#include "core/jobs/progress.hpp"
#include "core/run/warp_trace.hpp"
#include "profiling/simulated/driver.hpp"
#include "profiling/simulated/entry_reads.hpp"

namespace warpspy {

// Fills in steps, sums and ledger of the warp `to.place`, which must be one of the block. Walks over the whole format
// to find the entries of the slots that the warp reads. Steps after the first `most` are counted but not stored, and no
// reason is given for their idle lanes. Throws Cancelled.
void tell_steps(const BlockRun& block, const LineWatch& lines, const TracedProduct& traced, const GpuSpec& gpu,
                std::size_t most, WarpTrace& to, const Progress& progress);

}  // namespace warpspy
