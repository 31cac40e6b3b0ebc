// The ELL part of a hybrid format as a kernel's argument, and how one thread computes a row of it.
#pragma once

#include "kernels/spmv/spmv.hpp"

namespace warpspy::inline SIMT_TARGET {

template <class T, class Col>
struct EllPart {
  simt::Array<const Col> columns;
  simt::Array<const T> values;

  // Returns the sum of the row whose entries stand at k, k + pitch, k + 2 * pitch ... (Bell & Garland 2008, figure 17).
  // Padding has column -1.
  template <class Cached>
  SIMT_DEVICE T dot(const Cached& cached, const simt::Array<const T>& x, std::int64_t k, std::int64_t pitch,
                    std::int64_t width, simt::Where where = simt::Where::current()) const {
    constexpr int unroll = 4;
    T sum = 0;
    std::int64_t n = 0;
    // Three steps, so that the loads of each step are in flight together.
    SIMT_NO_UNROLL
    for (; n + unroll <= width; n += unroll, k += unroll * pitch) {
      Col column[unroll];
      T value[unroll], near[unroll];
      SIMT_UNROLL
      for (int i = 0; i < unroll; ++i) column[i] = simt::ld(cached.columns, columns, k + i * pitch, where);
      SIMT_UNROLL
      for (int i = 0; i < unroll; ++i) {
        value[i] = near[i] = 0;
        if (column[i] < 0) continue;
        value[i] = simt::ld(cached.values, values, k + i * pitch, where);
        near[i] = simt::ld(cached.x, x, column[i], where);
      }
      SIMT_UNROLL
      for (int i = 0; i < unroll; ++i) sum += value[i] * near[i];
    }
    SIMT_NO_UNROLL
    for (; n < width; ++n, k += pitch) {
      const Col column = simt::ld(cached.columns, columns, k, where);
      if (column >= 0) sum += simt::ld(cached.values, values, k, where) * simt::ld(cached.x, x, column, where);
    }
    return sum;
  }
};

}  // namespace warpspy::inline SIMT_TARGET
