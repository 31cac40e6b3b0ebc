// Why lanes are idle, as far as what they ask for before and after tells.
#pragma once

#include <cstdint>
#include <vector>

#include "core/run/warp_trace.hpp"
#include "profiling/simulated/array_uses.hpp"

namespace warpspy {

// Sets the lanes' states of all steps of `trace`, whose accesses know their entries. `uses`: of its arrays. `threads`:
// of the warp. `later`: lanes that take part in steps behind those that are told; of these nothing is said that depends
// on what comes.
void tell_idle_lanes(const std::vector<ArrayUse>& uses, int threads, std::uint32_t later, WarpTrace& trace);

}  // namespace warpspy
