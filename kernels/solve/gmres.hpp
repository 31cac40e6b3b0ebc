// GMRES with restarts and a preconditioner from the right (Saad & Schultz 1986; Saad 2003, algorithm 9.5). One set of
// launches does a cycle of `restart` iterations. A new vector is made orthogonal to the others twice by classical
// Gram-Schmidt, whose sums can all be computed at the same time. That is as accurate as the modified method, which
// computes one after another (Giraud et al. 2005).
#pragma once

#include <cmath>

#include "kernels/solve/vectors.hpp"

namespace warpspy::solve {

inline constexpr index_t most_basis_blocks = 256;  // each block reads the parts of all sums of an iteration

inline LaunchSpec basis_grid(index_t size) {
  LaunchSpec spec = vector_grid(size);
  spec.grid = std::min(spec.grid, most_basis_blocks);
  return spec;
}

inline namespace SIMT_TARGET {

// The data that the launches of a cycle share. Vector i of the basis has elements i * size to (i + 1) * size.
template <class T>
struct Krylov {
  simt::Array<T> basis;
  simt::Array<T> hessenberg;  // column j: elements j * (restart + 1) on
  simt::Array<T> cosines, sines, g;
  simt::Array<T> parts;  // of sum i: elements i * grid on
  Parts<T> norms;
  simt::Array<std::int32_t> steps;  // of this cycle that count
  std::int64_t size, grid;
  int restart;
};

// Computes partial sums of v_i' y for the first `count` vectors, four at a time.
template <class T>
struct BasisDots {
  Krylov<T> k;
  simt::Array<const T> y;
  Slots<T> slots;
  int count, moves;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(T, space, 4 * warps);
    for (int first = 0; first < count; first += 4) {
      T sums[4] = {};
      for_each_element(t, k.grid, k.size, [&](std::int64_t i, bool inside, int) {
        if (!inside) return;
        const T own = simt::ld(y, i);
        SIMT_UNROLL
        for (int j = 0; j < 4; ++j)
          if (first + j < count) sums[j] += own * simt::ld(k.basis, (first + j) * k.size + i);
      });
      SIMT_UNROLL
      for (int j = 0; j < 4; ++j) {
        const T sum = simt::sum_xor(sums[j]);
        if (t.thread % simt::warp_size == 0) simt::st(space, j * warps + t.thread / simt::warp_size, sum);
      }
      simt::sync_block();
      if (t.thread < 4 && first + t.thread < count) {
        T sum = 0;
        for (int warp = 0; warp < warps; ++warp) sum += simt::ld(space, t.thread * warps + warp);
        simt::st(k.parts, (first + t.thread) * k.grid + t.block, sum);
      }
      simt::sync_block();
    }
    move_on(t, slots, moves);
  }
};

// Computes y -= the sum of h_i v_i, with h_i = v_i' y. It runs twice. The second time h_i is added to the first one,
// and partial sums of y' y are computed.
template <class T>
struct BasisRemoval {
  Krylov<T> k;
  simt::Array<T> y;
  int count;
  bool second;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_DYNAMIC_SHARED(T, h, 0, count);
    SIMT_SHARED(T, space, warps);
    const int warp = t.thread / simt::warp_size, lane = t.thread % simt::warp_size;
    for (int i = warp; i < count; i += warps) {
      T sum = 0;
      for (std::int64_t b = lane; b < k.grid; b += simt::warp_size) sum += simt::ld(k.parts, i * k.grid + b);
      sum = simt::sum_xor(sum);
      if (lane != 0) continue;
      simt::st(h, i, sum);
      if (t.block != 0) continue;
      const std::int64_t at = static_cast<std::int64_t>(count - 1) * (k.restart + 1) + i;
      simt::st(k.hessenberg, at, second ? simt::ld(k.hessenberg, at) + sum : sum);
    }
    simt::sync_block();
    T norm = 0;
    for_each_element(t, k.grid, k.size, [&](std::int64_t i, bool inside, int) {
      if (!inside) return;
      T own = simt::ld(y, i);
      for (int j = 0; j < count; ++j) own -= simt::ld(h, j) * simt::ld(k.basis, j * k.size + i);
      simt::st(y, i, own);
      norm += own * own;
    });
    if (second) leave_parts(t, space, k.norms, Sums<T, 1>{{norm}});
  }
};

// Computes v_count = y / |y|, and the next x of the product, M^-1 v_count. One thread makes the new column of the
// Hessenberg matrix triangular by rotations; these also give the residual.
template <class T, class Step>
struct BasisVector {
  Krylov<T> k;
  simt::Array<const T> y;
  simt::Array<T> preconditioned;
  Slots<T> slots;
  Step step;
  int count;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(T, space, warps);
    const std::int32_t slot = slots.own();
    if (slots.ended(slot)) return;
    const T norm = std::sqrt(sums_of_parts<1>(t, space, k.norms).v[0]);
    if (t.block == 0 && t.thread == 0) rotate(norm, slot);
    const T scale = norm > 0 ? 1 / norm : T{0};
    for_each_element(t, k.grid, k.size, [&](std::int64_t i, bool inside, int lane) {
      const T own = inside ? scale * simt::ld(y, i) : T{0};
      if (inside) simt::st(k.basis, count * k.size + i, own);
      const T of_step = step(own, i, inside, lane);
      if (inside) simt::st(preconditioned, i, of_step);
    });
  }
  SIMT_DEVICE void rotate(T norm, std::int32_t slot) const {
    const int j = count - 1;
    const std::int64_t column = static_cast<std::int64_t>(j) * (k.restart + 1);
    T above = simt::ld(k.hessenberg, column);
    for (int i = 0; i < j; ++i) {
      const T c = simt::ld(k.cosines, i), s = simt::ld(k.sines, i), below = simt::ld(k.hessenberg, column + i + 1);
      simt::st(k.hessenberg, column + i, c * above + s * below);
      above = c * below - s * above;
    }
    const T length = std::sqrt(above * above + norm * norm);
    const T c = length > 0 ? above / length : T{1}, s = length > 0 ? norm / length : T{0};
    const T g = simt::ld(k.g, j);
    simt::st(k.cosines, j, c);
    simt::st(k.sines, j, s);
    simt::st(k.hessenberg, column + j, length);
    simt::st(k.g, j, c * g);
    simt::st(k.g, j + 1, -s * g);
    simt::st(slots.alpha, slot, length);
    simt::st(slots.rr, slot + 1, s * s * g * g);
    simt::st(k.steps, 0, length > 0 ? count : j);
  }
};

// One block solves with the triangular matrix; g becomes the coefficients of the basis vectors.
template <class T>
struct BasisSolve {
  Krylov<T> k;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    if (t.thread != 0) return;
    const int count = simt::ld(k.steps, 0);
    for (int i = count - 1; i >= 0; --i) {
      T sum = simt::ld(k.g, i);
      for (int j = i + 1; j < count; ++j)
        sum -= simt::ld(k.hessenberg, static_cast<std::int64_t>(j) * (k.restart + 1) + i) * simt::ld(k.g, j);
      simt::st(k.g, i, sum / simt::ld(k.hessenberg, static_cast<std::int64_t>(i) * (k.restart + 1) + i));
    }
  }
};

// Computes x += M^-1 (the sum of g_i v_i). The next product is A x.
template <class T, class Step>
struct BasisUpdate {
  Krylov<T> k;
  simt::Array<T> x, preconditioned;
  Step step;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    const int count = simt::ld(k.steps, 0);
    for_each_element(t, k.grid, k.size, [&](std::int64_t i, bool inside, int lane) {
      T sum = 0;
      if (inside)
        for (int j = 0; j < count; ++j) sum += simt::ld(k.g, j) * simt::ld(k.basis, j * k.size + i);
      const T of_step = step(sum, i, inside, lane);
      if (!inside) return;
      const T own = simt::ld(x, i) + of_step;
      simt::st(x, i, own);
      simt::st(preconditioned, i, own);
    });
  }
};

// A polynomial needs products inside M^-1, so BasisUpdate is divided into two launches. This first one writes the sum
// of g_i v_i in place of v_0, and does the first step of M^-1 on it.
template <class T>
struct BasisSum {
  Krylov<T> k;
  simt::Array<T> preconditioned;
  simt::Array<const T> inverse;  // 1 / (theta a_ii)

  SIMT_DEVICE void operator()(simt::Thread t) const {
    const int count = simt::ld(k.steps, 0);
    for_each_element(t, k.grid, k.size, [&](std::int64_t i, bool inside, int) {
      if (!inside) return;
      T sum = 0;
      for (int j = 0; j < count; ++j) sum += simt::ld(k.g, j) * simt::ld(k.basis, j * k.size + i);
      simt::st(k.basis, i, sum);
      simt::st(preconditioned, i, sum * simt::ld(inverse, i));
    });
  }
};
// The second of the two launches adds M^-1 of that sum to x. The next product is A x.
template <class T>
struct BasisAdd {
  Krylov<T> k;
  simt::Array<T> x, preconditioned;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    for_each_element(t, k.grid, k.size, [&](std::int64_t i, bool inside, int) {
      if (!inside) return;
      const T own = simt::ld(x, i) + simt::ld(preconditioned, i);
      simt::st(x, i, own);
      simt::st(preconditioned, i, own);
    });
  }
};

// Computes r = b - A x in place of v_0, and partial sums of r' r.
template <class T>
struct BasisResidual {
  Krylov<T> k;
  simt::Array<const T> b, y;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(T, space, warps);
    T rr = 0;
    for_each_element(t, k.grid, k.size, [&](std::int64_t i, bool inside, int) {
      if (!inside) return;
      const T own = simt::ld(b, i) - simt::ld(y, i);
      simt::st(k.basis, i, own);
      rr += own * own;
    });
    leave_parts(t, space, k.norms, Sums<T, 1>{{rr}});
  }
};

// Computes v_0 = r / |r|, with which a new cycle begins.
template <class T, class Step>
struct BasisBegin {
  Krylov<T> k;
  simt::Array<T> preconditioned;
  Step step;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(T, space, warps);
    const T norm = std::sqrt(sums_of_parts<1>(t, space, k.norms).v[0]);
    const T scale = norm > 0 ? 1 / norm : T{0};
    if (t.block == 0 && t.thread == 0) {
      simt::st(k.g, 0, norm);
      simt::st(k.steps, 0, 0);
    }
    for_each_element(t, k.grid, k.size, [&](std::int64_t i, bool inside, int lane) {
      const T own = inside ? scale * simt::ld(k.basis, i) : T{0};
      if (inside) simt::st(k.basis, i, own);
      const T of_step = step(own, i, inside, lane);
      if (inside) simt::st(preconditioned, i, of_step);
    });
  }
};

}  // namespace SIMT_TARGET
}  // namespace warpspy::solve
