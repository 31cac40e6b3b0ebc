// The reason in place of L2 counters in a run on a GPU from before 2010. Figures recognise this reason, and then draw
// no L2.
#pragma once

namespace warpspy {

inline constexpr const char* no_l2_reason = "this GPU has no L2 cache for global memory";

}  // namespace warpspy
