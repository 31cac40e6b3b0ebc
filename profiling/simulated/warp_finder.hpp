// Which warp of a product computes a row, or reads an entry: found by running blocks until one does.
#pragma once

#include <string>

#include "core/jobs/progress.hpp"
#include "core/run/warp_trace.hpp"
#include "profiling/simulated/entry_reads.hpp"

namespace warpspy {

struct FoundWarp {
  WarpPlace place;
  std::string why;  // "reads entry (3, 7), lane 4"
};

// `wanted` is a row or an entry. The blocks that are likeliest run first, without effect on y. Of several warps that
// share a row, the first one found. Throws Error for a row or an entry that is not there, for a row without entries
// whose warp nothing tells, and where none of the blocks that `steps` lane steps are enough for reads it; Cancelled.
FoundWarp find_warp(const TracedProduct& traced, const WarpWanted& wanted, double steps, const Progress& progress);

}  // namespace warpspy
