// A Chebyshev polynomial as a preconditioner (core/solve/chebyshev.hpp). The launch of the method that has a new r
// writes z = D^-1 r / theta, the first step, into the product's x. Each further step is a product A z and this launch.
#pragma once

#include "kernels/solve/vectors.hpp"

namespace warpspy::solve::inline SIMT_TARGET {

// One step: d = old d + fresh D^-1 (r - A z) / theta, where old and fresh are coefficients; z += d. With `sum` also
// partial sums of r' z.
template <class T, bool sum>
struct ChebyshevUpdate {
  simt::Array<const T> product, inverse;  // A z; 1 / (theta a_ii)
  simt::Array<const T> r;                 // from element `begin` on
  simt::Array<T> z, d;                    // z is the product's x
  simt::Array<T> also;                    // gets z too; empty: nothing does
  Parts<T> rz;
  std::int64_t begin, grid;
  T old, fresh;
  bool first, last;  // d is z yet; nobody needs d any more

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(T, space, warps);
    Sums<T, 1> own_rz;
    for_each_element(t, grid, z.size, [&](std::int64_t i, bool inside, int) {
      if (!inside) return;
      const T own_r = simt::ld(r, begin + i), own_z = simt::ld(z, i);
      const T before = first ? own_z : simt::ld(d, i);
      const T own_d = old * before + fresh * (simt::ld(inverse, i) * (own_r - simt::ld(product, i)));
      const T now = own_z + own_d;
      simt::st(z, i, now);
      if (!last) simt::st(d, i, own_d);
      if (also.size > 0) simt::st(also, i, now);
      if constexpr (sum) own_rz.v[0] += own_r * now;
    });
    if constexpr (sum) leave_parts(t, space, rz, own_rz);
  }
};

// The preconditioning step of CgDirection when z was made in the product's x. Then p has an array of its own, and is
// copied to the product's x.
template <class T>
struct PutBack {
  simt::Array<T> product_x;
  SIMT_DEVICE T operator()(T z, std::int64_t, bool, int, simt::Where = simt::Where::current()) const { return z; }
};

}  // namespace warpspy::solve::inline SIMT_TARGET
