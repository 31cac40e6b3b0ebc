// One iteration of conjugate gradients with a preconditioner (Hestenes & Stiefel 1952): the product w = A p, then three
// launches. vectors.hpp tells how sums over all blocks are formed. Besides the product, vectors are read or written 10
// times: p, w; r, w, r; r, p, x, p, x.
#pragma once

#include "kernels/solve/vectors.hpp"

namespace warpspy::solve::inline SIMT_TARGET {

// Computes partial sums of p' w. A unit is one or several iterations in one set of launches. The first launch of a unit
// that reads no slot moves the slots on.
template <class T>
struct CgDot {
  simt::Array<const T> p;
  simt::Array<const T> w;
  Parts<T> pw;
  Slots<T> slots;
  int moves;  // slots

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(T, space, warps);
    Sums<T, 1> sum;
    for_each_element(t, pw.grid, p.size, [&](std::int64_t i, bool inside, int) {
      if (inside) sum.v[0] += simt::ld(p, i) * simt::ld(w, i);
    });
    leave_parts(t, space, pw, sum);
    move_on(t, slots, moves);
  }
};

// Computes alpha = r' z / p' w; r -= alpha w; and partial sums of r' r and of r' z, where z = M^-1 r. Without a
// preconditioner the two sums are equal.
template <class T, class Step>
struct CgResidual {
  static constexpr int sums = std::is_same_v<Step, Unchanged<T>> ? 1 : 2;
  simt::Array<const T> w;
  simt::Array<T> r;
  simt::Array<T> z;  // as the preconditioner leaves it; not used if it is cheap to compute again
  Parts<T> pw, rr_rz;
  Slots<T> slots;
  Step step;
  bool keeps_z;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(T, pw_space, warps);
    SIMT_SHARED(T, space, sums * warps);
    // All loads that need no other number come first; only then the code checks whether the solve has ended.
    const std::int64_t own_place = t.block * threads + t.thread;
    const bool own = own_place < r.size;
    const T first_r = own ? simt::ld(r, own_place) : T{0}, first_w = own ? simt::ld(w, own_place) : T{0};
    const std::int32_t slot = slots.own();
    const bool ended = slots.ended(slot);
    const T before = simt::ld(slots.rz, slot), pw_sum = sums_of_parts<1>(t, pw_space, pw).v[0];
    if (ended) return;
    const T alpha = pw_sum > 0 ? before / pw_sum : T{0};
    if (t.block == 0 && t.thread == 0) simt::st(slots.alpha, slot, alpha);
    if (!(alpha != 0)) return;
    Sums<T, sums> sum;
    const auto one = [&](std::int64_t i, bool inside, int lane, T old_r, T old_w) {
      T now = 0;
      if (inside) {
        now = old_r - alpha * old_w;
        simt::st(r, i, now);
      }
      sum.v[0] += now * now;
      if constexpr (sums == 2) {
        const T of_step = step(now, i, inside, lane);
        if (keeps_z && inside) simt::st(z, i, of_step);
        sum.v[1] += now * of_step;
      }
    };
    one(own_place, own, t.thread % simt::warp_size, first_r, first_w);
    for_each_later_element(t, pw.grid, r.size, [&](std::int64_t i, bool inside, int lane) {
      one(i, inside, lane, inside ? simt::ld(r, i) : T{0}, inside ? simt::ld(w, i) : T{0});
    });
    leave_parts(t, space, rr_rz, sum);
  }
};

// Computes x += alpha p; beta = r' z / its previous value; p = z + beta p.
template <class T, class Step>
struct CgDirection {
  simt::Array<const T> r;  // or z, where that was kept
  simt::Array<T> p, x;
  Parts<T> rr_rz;
  Slots<T> slots;
  Step step;
  bool one_sum;  // r' r is r' z

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(T, space, 2 * warps);
    const std::int64_t own_place = t.block * threads + t.thread;
    const bool own = own_place < p.size;
    const T first_r = own ? simt::ld(r, own_place) : T{0}, first_p = own ? simt::ld(p, own_place) : T{0},
            first_x = own ? simt::ld(x, own_place) : T{0};
    const std::int32_t slot = slots.own();
    const bool ended = slots.ended(slot);
    const T alpha = simt::ld(slots.alpha, slot), before = simt::ld(slots.rz, slot);
    T rr = 0, rz = 0;
    if (one_sum) {
      rr = rz = sums_of_parts<1>(t, space, rr_rz).v[0];
    } else {
      const Sums<T, 2> both = sums_of_parts<2>(t, space, rr_rz);
      rr = both.v[0], rz = both.v[1];
    }
    if (ended || !(alpha != 0)) return;
    const T beta = rz / before;
    if (t.block == 0 && t.thread == 0) {
      simt::st(slots.rr, slot + 1, rr);
      simt::st(slots.rz, slot + 1, rz);
    }
    const auto one = [&](std::int64_t i, bool inside, int lane, T old_r, T old_p, T old_x) {
      const T z = step(old_r, i, inside, lane);
      if (!inside) return;
      simt::st(x, i, old_x + alpha * old_p);
      simt::st(p, i, z + beta * old_p);
      if constexpr (requires { step.product_x; }) simt::st(step.product_x, i, z + beta * old_p);
    };
    one(own_place, own, t.thread % simt::warp_size, first_r, first_p, first_x);
    for_each_later_element(t, rr_rz.grid, p.size, [&](std::int64_t i, bool inside, int lane) {
      one(i, inside, lane, inside ? simt::ld(r, i) : T{0}, inside ? simt::ld(p, i) : T{0},
          inside ? simt::ld(x, i) : T{0});
    });
  }
};

}  // namespace warpspy::solve::inline SIMT_TARGET
