// Why lanes are idle, as far as what they ask for before and after tells.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/run/warp_trace.hpp"
#include "profiling/simulated/array_uses.hpp"

namespace warpspy {

// Lanes that take part in steps behind those that are told, in such as touch memory, and in such as read entries; and
// the row of the first entry that each of these reads there, -1 where it is of none.
struct LaterLanes {
  std::uint32_t any = 0, accesses = 0, reads = 0;
  std::array<index_t, 32> row{};
};

// Sets the lanes' states of all steps of `trace`, whose accesses know their entries. `uses`: of its arrays. `threads`:
// of the warp.
void tell_idle_lanes(const std::vector<ArrayUse>& uses, int threads, const LaterLanes& later, WarpTrace& trace);

}  // namespace warpspy
