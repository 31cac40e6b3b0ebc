// Merges the accesses of lanes into instructions of warps. Between two collectives of its warp a lane runs alone. So
// afterwards the merge must find which accesses the hardware would have issued as one instruction.
//
// The rule: while lanes have records left, issue the earliest position among their heads, for all lanes that stand
// there. A position is an instruction (source line, then order of first appearance on the line) together with how often
// the lane went round each loop that contains it; positions are compared from the outermost common loop inwards, and
// the lower instruction goes first within one round. So lanes in a loop wait for those that are a round behind, and
// lanes that left it wait behind it for the others: where a GPU's compiler would reconverge them. Loops are those that
// the records show: a lane that steps back to an earlier instruction closes a loop between the two; loops that begin at
// the same instruction are one.
//
// Limits, since records show accesses and not branches. Accesses must stand in the kernel's own file in the order in
// which they are executed. Two nested loops that begin at the same access count as one; a loop whose first access is
// conditional may count as two; an access that lanes make only in their last round counts as standing behind the loop.
// The accesses and their lanes' order stay right then, but lanes may be issued apart or together where hardware would
// not. A GPU with independent thread scheduling may itself reconverge later than this.
#pragma once

#include <span>

#include "kernels/simt/simt.hpp"
#include "kernels/simt/sites.hpp"

namespace warpspy::simt {

using LaneRecords = std::span<const detail::LaneRecord>;

// Appends the warp instructions of one stretch between two collectives to `warp`. One span per lane, at most 32. `from`
// is the collective at which all lanes began the stretch, nullptr for the start of the kernel: a lane that went back
// from there is a round ahead of one that has not.
void merge_lanes(std::span<const LaneRecords> lanes, const Where* from, SiteCache& sites, WarpTrace& warp);

}  // namespace warpspy::simt
