// Tells what the emulator recorded: every memory instruction of every warp, with its lanes, array and source line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpspy::simt {

#if defined(__CUDACC__)
#define SIMT_ANYWHERE __host__ __device__
#else
#define SIMT_ANYWHERE
#endif

constexpr int warp_size = 32;
constexpr int most_parts = 2 * warp_size;  // last_of_all adds up at most so many parts of a sum

// exchange: an atomic whose result the thread waits for. swap: an addition by compare-and-swap. Each thread loads the
// old value and tries until nobody has changed it in between. It is one operation here; the model of the GPU divides
// it.
enum class Op : std::uint8_t { load, store, atomic, exchange, swap };
constexpr bool is_atomic(Op op) { return op >= Op::atomic; }
// Tells how a load uses the caches. On a GPU: ld.global, .nc (read-only / texture), .cs, .cg. constant: the load does
// not take place (the constant-A and constant-X runs of EVC-HYB, section 3.3). kept_*: L2 evicts that share of an array
// last. Then some of an array larger than L2 is still there for the next product; with plain loads it would evict
// itself. The numbers are stored in files, so new policies come last.
enum class CachePolicy : std::uint8_t {
  plain,
  read_only,
  streaming,
  no_l1,
  constant,
  evict_last_eighth,
  evict_last_quarter,
  evict_last_half,
  evict_last_sixteenth,
  evict_last_3_16,
  evict_last_3_8,
  evict_last_5_8
};
// Whether a load does not take place. constant_of (simt.hpp) is its result then.
SIMT_ANYWHERE constexpr bool is_constant(CachePolicy p) { return p == CachePolicy::constant; }
SIMT_ANYWHERE constexpr bool is_evict_last(CachePolicy p) { return p >= CachePolicy::evict_last_eighth; }
// The share of an array that L2 keeps with this policy. An H200 can keep any number of sixteenths.
SIMT_ANYWHERE constexpr float evict_last_share(CachePolicy p) {
  switch (p) {
    case CachePolicy::evict_last_sixteenth:
      return 1 / 16.F;
    case CachePolicy::evict_last_eighth:
      return 1 / 8.F;
    case CachePolicy::evict_last_3_16:
      return 3 / 16.F;
    case CachePolicy::evict_last_quarter:
      return 1 / 4.F;
    case CachePolicy::evict_last_3_8:
      return 3 / 8.F;
    case CachePolicy::evict_last_half:
      return 1 / 2.F;
    default:
      return 5 / 8.F;
  }
}

// Tells where in the kernel's source an access stands.
struct Site {
  const char* file = "";  // name without folders, in static storage
  int line = 0;
  auto operator<=>(const Site&) const = default;
};

// The role of an array in the product. A kernel gives it when it lays the array out. The model of the memory system and
// the check of overlapping launches read it.
//   matrix            a part of the matrix, or made from it; no launch writes it
//   matrix_index      like matrix, but a warp needs it before it can load more of the matrix: where a row, a slice or
//                     a tile begins, how long it is, whether there is more of it
//   pointer_index     like matrix, but a warp needs it before it can load a matrix_index: which row, tile or group the
//                     warp computes
//   x_index           like matrix, but a warp needs it before it can load x (or a copy of x): above all column
//                     numbers. Offsets of diagonals are none: they are few, and neighbouring lanes read neighbouring
//                     x whatever the offsets are. An index of y only is none either.
//   hoisted_x_index   an x_index in a loop that nvcc unrolled without branches: all indices of a round are loaded
//                     before the first x, even if the source loads some of them later
//   guarding_x_index  x_index and matrix_index: column numbers that also say whether there is an entry, and a branch
//                     on them skips padding
//   x, y              the vectors, which the previous launch may still read or write
//   scratch           data that one launch leaves for the next, or one block for another
enum class Role : std::uint8_t {
  matrix,
  pointer_index,
  matrix_index,
  x_index,
  hoisted_x_index,
  guarding_x_index,
  x,
  y,
  scratch
};
// Whether no launch writes an array of this role.
constexpr bool never_written(Role r) { return r < Role::x; }

// An array of a kernel: its name, its role and its range of the modelled address space (256-byte aligned, like
// cudaMalloc).
struct ArrayInfo {
  std::string name;
  std::uint64_t base = 0, bytes = 0;
  Role role = Role::matrix;
};

// One memory instruction executed by one warp.
struct Access {
  std::uint16_t site = 0;   // index into Launch::sites
  std::uint16_t array = 0;  // index into Launch::arrays
  Op op = Op::load;
  CachePolicy policy = CachePolicy::plain;
  std::uint8_t bytes = 4;    // bytes per lane
  std::uint32_t active = 0;  // lane mask
  std::uint32_t first = 0;   // index into WarpTrace::addresses; popcount(active) addresses follow, in lane order
};

struct WarpTrace {
  std::vector<Access> accesses;          // in the order in which the warp issues them
  std::vector<std::uint64_t> addresses;  // byte addresses
  // For the lane utilisation of memory instructions and warp-wide operations: the sum of their active lanes, and their
  // number.
  std::uint64_t lane_steps = 0, warp_steps = 0;
  std::uint64_t shared_steps = 0;  // accesses to shared memory by the lane that has most
  // For each lane, the elements of shared memory that it adds to, in order; empty: no lane adds to any. All elements
  // have addition_bytes.
  std::vector<std::vector<std::int32_t>> shared_additions;
  std::size_t addition_bytes = 0;
  std::vector<std::uint32_t> barriers;  // for each block barrier, how many accesses the warp made before it
};

// Neighbouring warps of a block; `count` 0: all of them.
struct WarpRange {
  int first = 0, count = 0;
};

struct BlockTrace {
  std::int64_t block = 0;
  std::vector<WarpTrace> warps;
  std::uint64_t shared_accesses = 0;  // of all lanes; each access is checked, but only their number is recorded
};

}  // namespace warpspy::simt
