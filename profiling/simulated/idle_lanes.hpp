// Finds out why lanes are idle, from their accesses before and after.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/run/warp_trace.hpp"
#include "profiling/simulated/array_uses.hpp"

namespace warpspy {

// Only the first steps of a warp are stored. This tells which lanes take part in later steps: in any step, in steps
// that access memory, and in steps that read entries. Also the row of the first entry that each lane reads there; -1 if
// there is none.
struct LaterLanes {
  std::uint32_t any = 0, accesses = 0, reads = 0;
  std::array<index_t, 32> row{};
};

// Sets the states of lanes in all steps of `trace`, whose accesses know their entries. `uses`: the uses of its arrays.
// `threads`: how many threads the warp has.
void tell_idle_lanes(const std::vector<ArrayUse>& uses, int threads, const LaterLanes& later, WarpTrace& trace);

}  // namespace warpspy
