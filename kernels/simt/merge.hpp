// Merges the accesses of lanes into instructions of warps. Between two collectives of its warp a lane runs alone. So
// afterwards the merge must find which accesses the hardware would have issued as one instruction.
//
// The rule: while lanes have records left, take the earliest position among their next records, and issue it for all
// lanes that are there. A position is an instruction (source line, then order of first appearance on the line),
// together with the round of each loop that contains it. Positions are compared from the outermost common loop inwards.
// Within one round the lower instruction goes first. So lanes in a loop wait for lanes that are a round behind, and
// lanes that have left the loop wait after it for the others. There a GPU's compiler would let them reconverge. A loop
// is found in the records: a lane that goes back to an earlier instruction closes a loop between the two. Loops that
// begin at the same instruction are one loop.
//
// Limits, since records show accesses and not branches:
// - Accesses must stand in the kernel's own file, in the order in which they are executed.
// - Two nested loops that begin at the same access count as one.
// - A loop whose first access is conditional may count as two.
// - An access that lanes make only in their last round counts as one after the loop.
// In these cases the accesses and the order of each lane are still right. But lanes may be issued together where
// hardware would issue them apart, or the reverse. A GPU with independent thread scheduling may also reconverge later
// than this.
#pragma once

#include <span>

#include "kernels/simt/simt.hpp"
#include "kernels/simt/sites.hpp"

namespace warpspy::simt {

using LaneRecords = std::span<const detail::LaneRecord>;

// Appends the warp's instructions between two collectives to `warp`. There is one span per lane, at most 32. `from` is
// the collective at which all lanes began, or nullptr at the start of the kernel. It closes a loop too: a lane that
// goes back to before it is a round ahead of the other lanes.
void merge_lanes(std::span<const LaneRecords> lanes, const Where* from, SiteCache& sites, WarpTrace& warp);

}  // namespace warpspy::simt
