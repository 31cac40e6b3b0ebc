// Finds the warp of a product that computes a row, or reads an entry, by running blocks until one does.
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

// `wanted` is a row or an entry. The likeliest blocks run first, without effect on y. If several warps share a row, it
// is the first one found. Throws Error if the row or the entry does not exist, if a row without entries cannot be
// assigned to a warp, and if no block within `steps` lane steps reads it. Throws Cancelled.
FoundWarp find_warp(const TracedProduct& traced, const WarpWanted& wanted, double steps, const Progress& progress);

}  // namespace warpspy
