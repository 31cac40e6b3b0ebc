// Why a run on a GPU of before 2010 has no counters of L2. Figures recognise it, to draw no such cache.
#pragma once

namespace warpspy {

inline constexpr const char* no_l2_reason = "this GPU has no L2 cache for global memory";

}  // namespace warpspy
