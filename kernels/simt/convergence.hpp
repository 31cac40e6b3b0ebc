// A convergence point is a place where the lanes of a warp wait for each other: a shuffle, a vote or a barrier. A trace
// only counts convergence points and accesses to shared memory. A log, if one is kept while a block runs, lists each of
// them.
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
  std::uint16_t steps = 1;     // instructions of the warp that this point stands for; 0: a block barrier, which does
                               // not count
  Site site = {};              // its source line
  std::uint32_t lanes = 0;     // lanes that took part
  std::uint32_t accesses = 0;  // memory instructions that the warp executed before it
};

// One access of a warp to shared memory.
struct SharedAccess {
  Op op = Op::load;
  std::uint16_t array = 0;  // index into SharedLog::arrays
  Site site = {};
  std::uint32_t active = 0;              // lane mask
  std::uint32_t first = 0;               // index into SharedLog::elements; popcount(active) of them, in lane order
  std::uint32_t accesses = 0;            // memory instructions that the warp executed before it
  std::uint32_t convergence_points = 0;  // convergence points that the warp passed before it
};

// The accesses of a block's warps to shared memory.
struct SharedLog {
  struct Array {
    std::string name;
    std::size_t element_bytes = 4;
    std::int64_t offset = -1;  // of an array in dynamic shared memory; -1: a static array, whose offset the compiler
                               // chooses
  };
  std::vector<Array> arrays;
  std::vector<std::vector<SharedAccess>> warps;
  std::vector<std::int64_t> elements;
};

// While this object lives, blocks that this host thread emulates write their convergence points here. A thread has at
// most one.
class ConvergenceLog {
 public:
  ConvergenceLog();
  ~ConvergenceLog();
  ConvergenceLog(const ConvergenceLog&) = delete;
  ConvergenceLog& operator=(const ConvergenceLog&) = delete;
  // This host thread's log; nullptr if there is none.
  static ConvergenceLog* current();

  std::vector<std::vector<ConvergencePoint>> warps;  // for each warp of the last block that ran, in order
  SharedLog shared;                                  // of the last block that ran
};

}  // namespace warpspy::simt
