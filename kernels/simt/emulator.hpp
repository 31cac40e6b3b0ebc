// Runs blocks of a kernel on the host, lane by lane.
//
// A lane runs until it ends or waits for other lanes. Lanes that never wait run one after another on the same stack (a
// Boost.Context fiber), which costs no switch. Only when a lane starts to wait, the next lane gets another stack from a
// pool. The last lane to arrive merges the records of its warp and switches to the first lane. So a collective (an
// operation in which lanes wait for each other) costs one switch per lane. Everything is deterministic: lanes run in
// lane order, warps in warp order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/simt/additions.hpp"
#include "kernels/simt/shadow.hpp"
#include "kernels/simt/simt.hpp"
#include "kernels/simt/sites.hpp"

namespace warpspy::simt {

// Data that all blocks of a launch share. It must outlive them.
struct Launch {
  std::string kernel;
  std::vector<ArrayInfo> arrays;
  SiteRegistry sites;
  TouchedElements touched;
};

struct Block {
  std::int64_t number = 0;
  int size = warp_size;  // threads of the block
  int shared_bytes = 0;  // dynamic shared memory in bytes
  int launch = 0;        // its number in the product; accesses of different launches are ordered
  WarpRange warps = {};  // the warps that run, if only a part of the block does
  bool awaits = false;   // the code itself calls PreviousLaunch::await(); before that call a lane may access only
                         // arrays that no launch writes
};

// Runs one thread block; `lane(code, thread)` is what one thread does. Accesses are appended to *trace, if given.
// Atomic additions are put into *later, if given, instead of being done.
//
// Throws Error with kernel and source line on:
// - an access outside an array (with array, index and size),
// - a collective that some lanes never reach, or a shuffle from a lane that has left the kernel,
// - a load of shared memory that nobody stored,
// - an access to x, y or scratch before the previous launch was awaited,
// - a race of two threads for shared memory or for an element that the kernel may write, with both lines (shadow.hpp).
// Of two blocks that race, the one that ends later finds the race.
//
// If only some warps run, the others run up to the first block barrier, if there is one. Returns false if the warps
// reach a second barrier, since after it they would need the others.
bool run_block(Launch& launch, Block block, void (*lane)(const void*, Thread), const void* code, BlockTrace* trace,
               Additions* later);

template <class Kernel>
bool run_block(Launch& launch, Block block, const Kernel& kernel, BlockTrace* trace, Additions* later = nullptr) {
  block.awaits = awaits_previous<Kernel>;
  return run_block(
      launch, block, [](const void* code, Thread t) { (*static_cast<const Kernel*>(code))(t); }, &kernel, trace, later);
}

}  // namespace warpspy::simt
