// Runs blocks of a kernel on the host, lane by lane.
//
// A lane runs until it ends or has to meet others. One that meets nobody costs no switch of context: lanes are started
// one after another on the same stack (a Boost.Context fiber), and a stack is only set aside, for a recycled one, when
// the lane on it starts to wait. The last lane to arrive merges the records of its warp and hands on to the first: one
// switch per lane and collective. Everything is deterministic: lanes run in lane order, warps in warp order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/simt/additions.hpp"
#include "kernels/simt/shadow.hpp"
#include "kernels/simt/simt.hpp"
#include "kernels/simt/sites.hpp"

namespace warpspy::simt {

// What all blocks of a product have in common. Must outlive them.
struct Launch {
  std::string kernel;
  std::vector<ArrayInfo> arrays;
  SiteRegistry sites;
  TouchedElements touched;
};

struct Block {
  std::int64_t number = 0;
  int size = warp_size;  // threads
  int shared_bytes = 0;  // that the launch asked for
  int launch = 0;        // of the product: what blocks of different launches do is ordered
  WarpRange warps = {};  // of a sample inside the block
  bool awaits = false;   // its code awaits the launch before; until then a lane may touch what no launch writes
};

// Runs one block; `lane(code, thread)` is what one thread does. Appends to *trace when given, and puts atomic additions
// into *later when given. Throws Error, naming kernel and source line, on an access outside an array (with array, index
// and size), on a collective that some lanes never reach, on a shuffle from a lane that has left the kernel, on a load
// of shared memory that nobody stored, on x, y or scratch touched before the launch before was awaited, and on two
// threads that race for shared memory or for an element that the kernel may write, with both lines (shadow.hpp; a race
// with another block is found by the one that ends later). Of some warps the others run up to the first block
// barrier, if there is one, and no further. False when they came to a second one: behind it the warps would need
// what the others have not done.
bool run_block(Launch& launch, Block block, void (*lane)(const void*, Thread), const void* code, BlockTrace* trace,
               Additions* later);

template <class Kernel>
bool run_block(Launch& launch, Block block, const Kernel& kernel, BlockTrace* trace, Additions* later = nullptr) {
  block.awaits = awaits_previous<Kernel>;
  return run_block(
      launch, block, [](const void* code, Thread t) { (*static_cast<const Kernel*>(code))(t); }, &kernel, trace, later);
}

}  // namespace warpspy::simt
