// Where several GPUs share the unknowns, each adds up its own partial sums to one number, and gets the numbers of the
// others before its next launch. These numbers stand in place of the partial sums. So later launches add up one number
// of each GPU, in the same order on all GPUs, and a sum has the same bits everywhere.
#pragma once

#include "kernels/solve/vectors.hpp"

namespace warpspy::solve::inline SIMT_TARGET {

// A block for each sum. The grid of the partial sums has at least as many blocks as there are GPUs.
template <class T>
struct Exchange {
  Parts<T> parts;
  int gpus, gpu;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(T, space, warps);
    Parts<T> own = parts;
    own.begin += t.block * parts.stride;
    const T sum = sums_of_parts<1>(t, space, own).v[0];
    // A positive number stands in the place of each other GPU, until its number comes.
    for (std::int64_t i = t.thread; i < parts.grid; i += threads)
      simt::st(parts.all, own.begin + i, i == gpu ? sum : i < gpus ? T{1} : T{0});
  }
};

}  // namespace warpspy::solve::inline SIMT_TARGET
