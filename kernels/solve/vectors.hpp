// Tells what the vector kernels of all solvers share: loops over vectors, sums over all unknowns, preconditioners.
//
// A sum needs no launch of its own. Each thread block of one launch writes a partial sum to an array, and each block of
// the next launch adds up all partial sums in the same order. So every sum is deterministic, and no block waits for
// another.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/simt/as_const.hpp"
#include "kernels/spmv/spmv.hpp"

namespace warpspy::solve {

inline constexpr int threads = 256;  // of a block
inline constexpr int warps = threads / simt::warp_size;
inline constexpr index_t most_blocks = 1024;

// The grid for vectors of `size` elements. A thread has one element. For long vectors it has several, instead of more
// blocks, since each block must read the partial sums of all blocks.
inline LaunchSpec vector_grid(index_t size) {
  return {.grid = std::clamp<index_t>((size + threads - 1) / threads, 1, most_blocks), .block = threads};
}

inline namespace SIMT_TARGET {

// Loops over the elements of one thread, which are `block_size * grid` apart. All lanes of a warp take part in each
// round, also those past the end.
template <class Work>
SIMT_DEVICE void for_each_element(simt::Thread t, std::int64_t grid, std::int64_t size, const Work& work) {
  const int lane = t.thread % simt::warp_size;
  for (std::int64_t first = t.block * threads + t.thread - lane; first < size; first += grid * threads)
    work(first + lane, first + lane < size, lane);
}

// Loops over the elements of one thread, except its first one.
template <class Work>
SIMT_DEVICE void for_each_later_element(simt::Thread t, std::int64_t grid, std::int64_t size, const Work& work) {
  const int lane = t.thread % simt::warp_size;
  for (std::int64_t first = (grid + t.block) * threads + t.thread - lane; first < size; first += grid * threads)
    work(first + lane, first + lane < size, lane);
}

template <class T, int n>
struct Sums {
  T v[n] = {};
};

// Returns the n sums over the block's threads, to all of them. `space` has n elements for each warp, and is used for
// nothing else.
template <int n, class T>
SIMT_DEVICE Sums<T, n> block_sums(simt::Thread t, const simt::SharedArray<T>& space, Sums<T, n> sums,
                                  simt::Where where = simt::Where::current()) {
  SIMT_UNROLL
  for (int k = 0; k < n; ++k) sums.v[k] = simt::sum_xor(sums.v[k], where);
  if (t.thread % simt::warp_size == 0) {
    SIMT_UNROLL
    for (int k = 0; k < n; ++k) simt::st(space, k * warps + t.thread / simt::warp_size, sums.v[k], where);
  }
  simt::sync_block(where);
  SIMT_UNROLL
  for (int k = 0; k < n; ++k) {
    sums.v[k] = 0;
    SIMT_UNROLL
    for (int warp = 0; warp < warps; ++warp) sums.v[k] += simt::ld(space, k * warps + warp, where);
  }
  return sums;
}

// The partial sums of n sums, one for each block. Those of sum k stand from element k * stride + begin on.
template <class T>
struct Parts {
  simt::Array<T> all;
  std::int64_t grid, stride, begin = 0;
};

// Adds up the partial sums that all blocks of an earlier launch have written.
template <int n, class T>
SIMT_DEVICE Sums<T, n> sums_of_parts(simt::Thread t, const simt::SharedArray<T>& space, const Parts<T>& parts,
                                     simt::Where where = simt::Where::current()) {
  Sums<T, n> sums;
  for (std::int64_t i = t.thread; i < parts.grid; i += threads) {
    SIMT_UNROLL
    for (int k = 0; k < n; ++k) sums.v[k] += simt::ld(parts.all, k * parts.stride + parts.begin + i, where);
  }
  return block_sums<n>(t, space, sums, where);
}

// Writes the block's partial sums.
template <int n, class T>
SIMT_DEVICE void leave_parts(simt::Thread t, const simt::SharedArray<T>& space, const Parts<T>& parts,
                             const Sums<T, n>& own, simt::Where where = simt::Where::current()) {
  const Sums<T, n> sums = block_sums<n>(t, space, own, where);
  if (t.thread != 0) return;
  SIMT_UNROLL
  for (int k = 0; k < n; ++k) simt::st(parts.all, k * parts.stride + parts.begin + t.block, sums.v[k], where);
}

// Numbers such as r' r for each iteration, in one slot (element) per iteration. When a solve has ended, no launch
// writes a slot any more. The slot of the next iteration then is 0, which tells that iteration that the solve has
// ended. So the host need not wait to see that.
template <class T>
struct Slots {
  simt::Array<std::int32_t> first;  // one element: the slot where the first iteration of a unit begins
  simt::Array<T> rr;                // r' r
  simt::Array<T> rz;                // r' M^-1 r, or what the method has in its place
  simt::Array<T> alpha;             // the step; 0 if the method broke down
  T enough;                         // r' r at which the solve ends
  int place;                        // of this iteration in the unit

  SIMT_DEVICE std::int32_t own(simt::Where where = simt::Where::current()) const {
    return simt::ld(first, 0, where) + place;
  }
  SIMT_DEVICE bool ended(std::int32_t slot, simt::Where where = simt::Where::current()) const {
    return !(simt::ld(rr, slot, where) > enough);
  }
};

// Lets the next iterations begin `moves` slots later. No thread of the same launch may read a slot.
template <class T>
SIMT_DEVICE void move_on(simt::Thread t, const Slots<T>& slots, int moves, simt::Where where = simt::Where::current()) {
  if (moves > 0 && t.block == 0 && t.thread == 0)
    simt::st(slots.first, 0, simt::ld(slots.first, 0, where) + moves, where);
}
template <class T>
struct MoveOn {
  Slots<T> slots;
  int moves;
  SIMT_DEVICE void operator()(simt::Thread t) const { move_on(t, slots, moves); }
};

// Brings y into the order of the matrix's rows, for a kernel that computes it in another order.
template <class T>
struct ToRowOrder {
  simt::Array<const T> y;
  simt::Array<const std::int32_t> order;  // element i of y is row order[i]
  simt::Array<T> rows;
  std::int64_t grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for_each_element(t, grid, order.size, [&](std::int64_t i, bool inside, int) {
      if (inside) simt::st(rows, simt::ld(order, i), simt::ld(y, i));
    });
  }
};

// The next types are preconditioners that need only the elements of one warp. Each returns element i of M^-1 r, from
// element i of r. All lanes take part.
template <class T>
struct Unchanged {
  SIMT_DEVICE T operator()(T r, std::int64_t, bool, int, simt::Where = simt::Where::current()) const { return r; }
};
template <class T>
struct JacobiStep {
  simt::Array<const T> inverse;  // of the diagonal
  SIMT_DEVICE T operator()(T r, std::int64_t i, bool inside, int, simt::Where where = simt::Where::current()) const {
    return inside ? r * simt::ld(inverse, i, where) : T{0};
  }
};
// Block Jacobi, with blocks of `rows` rows (a power of two up to a warp). The blocks' inverses are stored column by
// column: entry (i, j) of the block of row i stands at j * size + i.
template <class T>
struct BlockJacobiStep {
  simt::Array<const T> inverse;
  std::int64_t size;
  int rows;
  SIMT_DEVICE T operator()(T r, std::int64_t i, bool inside, int lane,
                           simt::Where where = simt::Where::current()) const {
    const int first = lane & ~(rows - 1);
    T z = 0;
    for (int j = 0; j < rows; ++j) {
      const T other = simt::shfl(inside ? r : T{0}, first + j, simt::warp_size, where);
      if (inside) z += other * simt::ld(inverse, j * size + i, where);
    }
    return z;
  }
};

}  // namespace SIMT_TARGET
}  // namespace warpspy::solve
