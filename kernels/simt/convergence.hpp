// Where the lanes of a warp met: exchanges, votes, barriers; and what they did in shared memory. A trace counts them;
// who wants each of them keeps a log while a block runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/simt/trace.hpp"

namespace warpspy::simt {

enum class ConvergenceKind : std::uint8_t { exchange, vote, warp_barrier, block_barrier };

struct ConvergencePoint {
  ConvergenceKind kind = ConvergenceKind::exchange;
  std::uint16_t steps = 1;     // instructions of the warp that it stands for; 0: a block barrier, which is not counted
  Site site = {};              // where it stands
  std::uint32_t lanes = 0;     // who came
  std::uint32_t accesses = 0;  // of the warp's memory instructions, those before it
};

// One access of a warp to shared memory.
struct SharedAccess {
  Op op = Op::load;
  std::uint16_t array = 0;  // into SharedLog::arrays
  Site site = {};
  std::uint32_t active = 0;              // lane mask
  std::uint32_t first = 0;               // into SharedLog::elements; popcount(active) elements follow, in lane order
  std::uint32_t accesses = 0;            // of the warp's memory instructions, those before it
  std::uint32_t convergence_points = 0;  // of the warp's convergence points, those before it
};

// What the warps of a block do in shared memory.
struct SharedLog {
  struct Array {
    std::string name;
    std::size_t element_bytes = 4;
    std::int64_t offset = -1;  // of a dynamic one; -1: begins where it likes
  };
  std::vector<Array> arrays;
  std::vector<std::vector<SharedAccess>> warps;
  std::vector<std::int64_t> elements;
};

// While it lives, the blocks that this host thread emulates tell their convergence points here. One at a time per
// thread.
class ConvergenceLog {
 public:
  ConvergenceLog();
  ~ConvergenceLog();
  ConvergenceLog(const ConvergenceLog&) = delete;
  ConvergenceLog& operator=(const ConvergenceLog&) = delete;
  // Of this host thread; nullptr when nobody asks.
  static ConvergenceLog* current();

  std::vector<std::vector<ConvergencePoint>> warps;  // of the block that ran last, in order
  SharedLog shared;                                  // of the same
};

}  // namespace warpspy::simt
