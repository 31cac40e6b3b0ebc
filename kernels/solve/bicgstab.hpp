// One iteration of BiCGStab with a preconditioner from the right (van der Vorst 1992). It has two products of A with a
// preconditioned vector, and five launches between them.
#pragma once

#include "kernels/solve/vectors.hpp"

namespace warpspy::solve::inline SIMT_TARGET {

// Keeps v = A p', and computes partial sums of r0' v.
template <class T>
struct BicgDot {
  simt::Array<const T> product, r0;
  simt::Array<T> v;
  Parts<T> rv;
  Slots<T> slots;
  int moves;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(T, space, warps);
    Sums<T, 1> sum;
    for_each_element(t, rv.grid, r0.size, [&](std::int64_t i, bool inside, int) {
      if (!inside) return;
      const T own = simt::ld(product, i);
      simt::st(v, i, own);
      sum.v[0] += simt::ld(r0, i) * own;
    });
    leave_parts(t, space, rv, sum);
    move_on(t, slots, moves);
  }
};

// Computes alpha = r0' r / r0' v; x += alpha p'; s = r - alpha v, in place of r; s' = M^-1 s.
template <class T, class Step>
struct BicgHalf {
  simt::Array<T> x, r, preconditioned;
  simt::Array<const T> v;
  Parts<T> rv;
  Slots<T> slots;
  Step step;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(T, space, warps);
    const std::int32_t slot = slots.own();
    if (slots.ended(slot)) return;
    const T divisor = sums_of_parts<1>(t, space, rv).v[0];
    const T alpha = divisor != 0 ? simt::ld(slots.rz, slot) / divisor : T{0};
    if (t.block == 0 && t.thread == 0) simt::st(slots.alpha, slot, alpha);
    if (!(alpha != 0)) return;
    for_each_element(t, rv.grid, r.size, [&](std::int64_t i, bool inside, int lane) {
      T s = 0;
      if (inside) {
        s = simt::ld(r, i) - alpha * simt::ld(v, i);
        simt::st(r, i, s);
        simt::st(x, i, simt::ld(x, i) + alpha * simt::ld(preconditioned, i));
      }
      const T of_step = step(s, i, inside, lane);
      if (inside) simt::st(preconditioned, i, of_step);
    });
  }
};

// Computes partial sums of t' s and of t' t, where t = A s'.
template <class T>
struct BicgDots {
  simt::Array<const T> product, s;
  Parts<T> ts_tt;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(T, space, 2 * warps);
    Sums<T, 2> sums;
    for_each_element(t, ts_tt.grid, s.size, [&](std::int64_t i, bool inside, int) {
      if (!inside) return;
      const T own = simt::ld(product, i);
      sums.v[0] += own * simt::ld(s, i);
      sums.v[1] += own * own;
    });
    leave_parts(t, space, ts_tt, sums);
  }
};

// Computes omega = t' s / t' t; x += omega s'; r = s - omega t; and partial sums of r' r and of r0' r.
template <class T>
struct BicgStep {
  simt::Array<const T> product, preconditioned, r0;
  simt::Array<T> x, r;
  Parts<T> ts_tt, rr_rz;
  simt::Array<T> omega;  // a slot for each iteration
  Slots<T> slots;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(T, space, 2 * warps);
    SIMT_SHARED(T, left, 2 * warps);
    const std::int32_t slot = slots.own();
    if (slots.ended(slot) || !(simt::ld(slots.alpha, slot) != 0)) return;
    const Sums<T, 2> before = sums_of_parts<2>(t, space, ts_tt);
    const T ts = before.v[0], tt = before.v[1];
    // If t is 0, then s is 0 too, or the matrix is singular; the residual tells which.
    const T own_omega = tt > 0 ? ts / tt : T{0};
    if (t.block == 0 && t.thread == 0) simt::st(omega, slot, own_omega);
    Sums<T, 2> sums;
    for_each_element(t, ts_tt.grid, r.size, [&](std::int64_t i, bool inside, int) {
      if (!inside) return;
      const T own = simt::ld(r, i) - own_omega * simt::ld(product, i);
      simt::st(r, i, own);
      simt::st(x, i, simt::ld(x, i) + own_omega * simt::ld(preconditioned, i));
      sums.v[0] += own * own;
      sums.v[1] += own * simt::ld(r0, i);
    });
    leave_parts(t, left, rr_rz, sums);
  }
};

// Computes beta = (r0' r / its previous value) (alpha / omega); p = r + beta (p - omega v); p' = M^-1 p.
template <class T, class Step>
struct BicgDirection {
  simt::Array<const T> r, v;
  simt::Array<T> p, preconditioned;
  Parts<T> rr_rz;
  simt::Array<T> omega;
  Slots<T> slots;
  Step step;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(T, space, 2 * warps);
    const std::int32_t slot = slots.own();
    if (slots.ended(slot)) return;
    const T alpha = simt::ld(slots.alpha, slot), own_omega = simt::ld(omega, slot);
    if (!(alpha != 0)) return;
    const Sums<T, 2> sums = sums_of_parts<2>(t, space, rr_rz);
    const T rz = own_omega != 0 ? sums.v[1] : T{0};  // 0: the next iteration breaks down, if the residual is not small
    const T beta = own_omega != 0 ? rz / simt::ld(slots.rz, slot) * (alpha / own_omega) : T{0};
    if (t.block == 0 && t.thread == 0) {
      simt::st(slots.rr, slot + 1, sums.v[0]);
      simt::st(slots.rz, slot + 1, rz);
    }
    for_each_element(t, rr_rz.grid, p.size, [&](std::int64_t i, bool inside, int lane) {
      T own = 0;
      if (inside) {
        own = simt::ld(r, i) + beta * (simt::ld(p, i) - own_omega * simt::ld(v, i));
        simt::st(p, i, own);
      }
      const T of_step = step(own, i, inside, lane);
      if (inside) simt::st(preconditioned, i, of_step);
    });
  }
};

}  // namespace warpspy::solve::inline SIMT_TARGET
