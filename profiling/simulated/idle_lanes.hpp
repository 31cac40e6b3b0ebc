// Why lanes are idle, as far as what they ask for before and after tells.
#pragma once

#include <cstdint>
#include <vector>

#include "core/run/warp_trace.hpp"
#include "profiling/simulated/array_uses.hpp"

namespace warpspy {

// Lanes that take part in steps behind those that are told, and of these such as read entries there: whether a row goes
// on with what comes is not known of them. The others have read their last entry.
struct LaterLanes {
  std::uint32_t any = 0, reads = 0;
};

// Sets the lanes' states of all steps of `trace`, whose accesses know their entries. `uses`: of its arrays. `threads`:
// of the warp.
void tell_idle_lanes(const std::vector<ArrayUse>& uses, int threads, const LaterLanes& later, WarpTrace& trace);

}  // namespace warpspy
