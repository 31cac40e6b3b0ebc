// One iteration of pipelined conjugate gradients (Ghysels & Vanroose 2014, algorithm 4): the product n = A m, then one
// launch that does all updates and computes the partial sums. m = M^-1 w is the product's x.
#pragma once

#include <cstdint>

#include "kernels/solve/vectors.hpp"

namespace warpspy::solve::inline SIMT_TARGET {

// The values of all vectors at one element, before the update.
template <class T>
struct PipelinedElement {
  T n = 0, m = 0, x = 0, r = 0, u = 0, w = 0, p = 0, s = 0, q = 0, z = 0;
};

template <class T, class Step>
struct PipelinedUpdate {
  static constexpr bool changes = !std::is_same_v<Step, Unchanged<T>>;
  static constexpr int sums = changes ? 3 : 2;
  simt::Array<const T> n;
  simt::Array<T> m, x, r, u, w, p, s, q, z;  // without a preconditioner w is m, u is r and q is s
  Parts<T> parts;  // of r' r, w' u and, with a preconditioner, r' u; those of odd slots behind those of even ones
  Slots<T> slots;
  Step step;

  SIMT_DEVICE PipelinedElement<T> load(std::int64_t i, simt::Where where = simt::Where::current()) const {
    PipelinedElement<T> e;
    e.n = simt::ld(n, i, where), e.x = simt::ld(x, i, where), e.r = simt::ld(r, i, where);
    e.w = simt::ld(w, i, where), e.p = simt::ld(p, i, where), e.s = simt::ld(s, i, where);
    e.z = simt::ld(z, i, where);
    if constexpr (changes)
      e.m = simt::ld(m, i, where), e.u = simt::ld(u, i, where), e.q = simt::ld(q, i, where);
    else
      e.u = e.r;
    return e;
  }

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(T, space, sums * warps);
    SIMT_SHARED(T, left, sums * warps);
    const std::int64_t own_place = t.block * threads + t.thread;
    const bool own = own_place < r.size;
    const PipelinedElement<T> first = own ? load(own_place) : PipelinedElement<T>{};
    const std::int32_t slot = slots.own();
    const bool ended = slots.ended(slot);
    const T ru_before = simt::ld(slots.rz, slot), alpha_before = simt::ld(slots.alpha, slot);
    Parts<T> now = parts, next = parts;
    now.begin = (slot & 1) * parts.grid, next.begin = (~slot & 1) * parts.grid;
    const Sums<T, sums> sum = sums_of_parts<sums>(t, space, now);
    if (ended) return;
    const T rr = sum.v[0], wu = sum.v[1], ru = sum.v[sums - 1 - (sums == 2)];
    // The value before the first iteration is infinite, so that the first beta is 0.
    const T beta = ru / ru_before;
    const T divisor = wu - beta * ru / alpha_before;
    const T alpha = divisor > 0 ? ru / divisor : T{0};
    if (t.block == 0 && t.thread == 0) {
      // If the method breaks down, an empty slot (0) ends the solve.
      simt::st(slots.rr, slot + 1, alpha != 0 || !(rr > slots.enough) ? rr : T{0});
      simt::st(slots.rz, slot + 1, ru);
      simt::st(slots.alpha, slot + 1, alpha);
    }
    if (!(rr > slots.enough) || !(alpha != 0)) return;
    Sums<T, sums> fresh;
    const auto one = [&](std::int64_t i, bool inside, int lane, const PipelinedElement<T>& e) {
      T own_w = 0;
      if (inside) {
        const T own_z = e.n + beta * e.z, own_s = e.w + beta * e.s, own_p = e.u + beta * e.p;
        const T own_r = e.r - alpha * own_s;
        T own_u = own_r;
        own_w = e.w - alpha * own_z;
        if constexpr (changes) {
          const T own_q = e.m + beta * e.q;
          own_u = e.u - alpha * own_q;
          simt::st(q, i, own_q);
          simt::st(u, i, own_u);
          simt::st(w, i, own_w);
        }
        simt::st(z, i, own_z);
        simt::st(s, i, own_s);
        simt::st(p, i, own_p);
        simt::st(r, i, own_r);
        simt::st(x, i, e.x + alpha * own_p);
        fresh.v[0] += own_r * own_r;
        fresh.v[1] += own_w * own_u;
        if constexpr (changes) fresh.v[2] += own_r * own_u;
      }
      const T of_step = step(own_w, i, inside, lane);
      if (inside) simt::st(m, i, of_step);
    };
    one(own_place, own, t.thread % simt::warp_size, first);
    for_each_later_element(t, parts.grid, r.size, [&](std::int64_t i, bool inside, int lane) {
      one(i, inside, lane, inside ? load(i) : PipelinedElement<T>{});
    });
    leave_parts(t, left, next, fresh);
  }
};

// Residual replacement (Cools et al. 2018): rounding errors of the updates add up in r, w, s and z. So from time to
// time they are computed anew from x and p, by four products: s = A p, z = A q, r = b - A x, w = A u. A stage takes a
// product and hands the next one its x.
enum class Replace : std::uint8_t { begin, s, z, r, w };
template <class T, class Step, Replace stage>
struct PipelinedReplace {
  static constexpr bool changes = !std::is_same_v<Step, Unchanged<T>>;
  static constexpr int sums = changes ? 3 : 2;
  simt::Array<const T> product, x, p, b;
  simt::Array<T> next_x, r, u, w, s, q, z;
  Parts<T> parts;
  Slots<T> slots;
  Step step;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(T, left, sums * warps);
    const std::int32_t slot = slots.own();
    if (slots.ended(slot) || !(simt::ld(slots.alpha, slot) != 0)) return;
    Sums<T, sums> fresh;
    for_each_element(t, parts.grid, r.size, [&](std::int64_t i, bool inside, int lane) {
      T own = 0;
      if (inside) {
        if constexpr (stage == Replace::begin) own = simt::ld(p, i);
        if constexpr (stage == Replace::z) own = simt::ld(x, i);
        if constexpr (stage == Replace::s || stage == Replace::w) own = simt::ld(product, i);
        if constexpr (stage == Replace::r) own = simt::ld(b, i) - simt::ld(product, i);
        if constexpr (stage == Replace::s) simt::st(s, i, own);
        if constexpr (stage == Replace::z) simt::st(z, i, simt::ld(product, i));
        if constexpr (stage == Replace::r) simt::st(r, i, own);
      }
      T of_step = own;
      if constexpr (stage == Replace::s || stage == Replace::r || stage == Replace::w)
        of_step = step(own, i, inside, lane);
      if (!inside) return;
      if constexpr (changes && stage == Replace::s) simt::st(q, i, of_step);
      if constexpr (changes && stage == Replace::r) simt::st(u, i, of_step);
      if constexpr (changes && stage == Replace::w) simt::st(w, i, own);
      simt::st(next_x, i, of_step);
      if constexpr (stage == Replace::w) {
        const T own_r = simt::ld(r, i), own_u = changes ? simt::ld(u, i) : own_r;
        fresh.v[0] += own_r * own_r;
        fresh.v[1] += own * own_u;
        if constexpr (changes) fresh.v[2] += own_r * own_u;
      }
    });
    if constexpr (stage == Replace::w) {
      Parts<T> now = parts;
      now.begin = (slot & 1) * parts.grid;
      leave_parts(t, left, now, fresh);
    }
  }
};

}  // namespace warpspy::solve::inline SIMT_TARGET
