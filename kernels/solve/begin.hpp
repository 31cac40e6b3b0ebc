// Starts a solve on the device, from a right-hand side b that is there: x becomes 0 and r becomes b. So a system can be
// solved again and again without laying out its launches anew.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/solve/vectors.hpp"

namespace warpspy::solve::inline SIMT_TARGET {

// Writes the vectors of the start. All vectors but b may be empty; nothing is written to empty ones.
template <class T, class Step>
struct Begin {
  static constexpr int sums = std::is_same_v<Step, Unchanged<T>> ? 1 : 2;
  simt::Array<const T> b = {};
  simt::Array<T> x = {};                  // its size is that of the system
  simt::Array<T> same[3] = {};            // get b
  simt::Array<T> preconditioned[2] = {};  // get M^-1 b, or the first step of it
  simt::Array<T> zero[4] = {};
  Parts<T> rr_rz = {};  // of b' b and, with a preconditioner, b' M^-1 b
  Step step = {};

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(T, space, sums * warps);
    Sums<T, sums> sum;
    for_each_element(t, rr_rz.grid, x.size, [&](std::int64_t i, bool inside, int lane) {
      const T own = inside ? simt::ld(b, i) : T{0};
      const T of_step = step(own, i, inside, lane);
      if (!inside) return;
      simt::st(x, i, T{0});
      SIMT_UNROLL
      for (int k = 0; k < 3; ++k)
        if (same[k].size > 0) simt::st(same[k], i, own);
      SIMT_UNROLL
      for (int k = 0; k < 2; ++k)
        if (preconditioned[k].size > 0) simt::st(preconditioned[k], i, of_step);
      SIMT_UNROLL
      for (int k = 0; k < 4; ++k)
        if (zero[k].size > 0) simt::st(zero[k], i, T{0});
      sum.v[0] += own * own;
      if constexpr (sums == 2) sum.v[1] += own * of_step;
    });
    leave_parts(t, space, rr_rz, sum);
  }
};

// Sets the slots of r' r and r' z for the first iteration, from the sums over b.
enum class FirstRz : std::uint8_t { own_sum, rr, infinite };
template <class T>
struct BeginSlots {
  Parts<T> rr_rz;
  Slots<T> slots;
  std::int64_t grid, first;  // up to this slot the residual is that of the start
  FirstRz kind;
  T infinity;  // infinity as an argument, since device code may not call the function that returns it

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(T, space, 2 * warps);
    T rr = 0, rz = 0;
    if (kind == FirstRz::own_sum) {
      const Sums<T, 2> both = sums_of_parts<2>(t, space, rr_rz);
      rr = both.v[0], rz = both.v[1];
    } else {
      rr = sums_of_parts<1>(t, space, rr_rz).v[0];
      rz = kind == FirstRz::rr ? rr : infinity;
    }
    if (t.block == 0 && t.thread == 0) simt::st(slots.first, 0, 0);
    for_each_element(t, grid, slots.rr.size, [&](std::int64_t i, bool inside, int) {
      if (!inside) return;
      simt::st(slots.rr, i, i <= first ? rr : T{0});
      simt::st(slots.rz, i, i <= first ? rz : T{0});
      simt::st(slots.alpha, i, T{1});
    });
  }
};

}  // namespace warpspy::solve::inline SIMT_TARGET
