// Runs blocks of a kernel on the host, lane by lane.
//
// A lane runs until it ends or has to meet others. One that meets nobody costs no switch of context: lanes are started
// one after another on the same stack (a Boost.Context fiber), and a stack is only set aside, for a recycled one, when
// the lane on it starts to wait. The last lane to arrive merges the records of its warp and hands on to the first: one
// switch per lane and meeting. Everything is deterministic: lanes run in lane order, warps in warp order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/simt/simt.hpp"
#include "kernels/simt/sites.hpp"

namespace warpspy::simt {

// What all blocks of a launch have in common. Must outlive them.
struct Launch {
  std::string kernel;
  int block_size = warp_size;
  std::vector<ArrayInfo> arrays;
  SiteRegistry sites;
};

// Runs one block; `lane(code, thread)` is what one thread does. Appends to *trace when given. Throws Error, naming
// kernel and source line, on an access outside an array (with array, index and size), on a meeting that some lanes
// never reach, and on a shuffle from a lane that has left the kernel.
void run_block(Launch& launch, std::int64_t block, void (*lane)(const void*, Thread), const void* code,
               BlockTrace* trace);

template <class Kernel>
void run_block(Launch& launch, std::int64_t block, const Kernel& kernel, BlockTrace* trace) {
  run_block(
      launch, block, [](const void* code, Thread t) { (*static_cast<const Kernel*>(code))(t); }, &kernel, trace);
}

}  // namespace warpspy::simt
