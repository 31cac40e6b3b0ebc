// Lays the steps of a refinement out behind a product, in the emulator and on a device alike.
#pragma once

#include <cmath>
#include <vector>

#include "kernels/solve/refinement.hpp"
#include "kernels/solve/vectors.hpp"

namespace warpspy::solve {
inline namespace SIMT_TARGET {

// Computes r = b - A x, and partial sums of r' r.
struct RefineResidual {
  simt::Array<const double> product, b;
  simt::Array<double> r;
  Parts<double> rr;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(double, space, warps);
    Sums<double, 1> sum;
    for_each_element(t, rr.grid, r.size, [&](std::int64_t i, bool inside, int) {
      if (!inside) return;
      const double own = simt::ld(b, i) - simt::ld(product, i);
      simt::st(r, i, own);
      sum.v[0] += own * own;
    });
    leave_parts(t, space, rr, sum);
  }
};
// One block computes |r| from the partial sums.
struct RefineNorm {
  Parts<double> rr;
  simt::Array<double> norm;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(double, space, warps);
    const double sum = sums_of_parts<1>(t, space, rr).v[0];
    if (t.thread == 0) simt::st(norm, 0, std::sqrt(sum));
  }
};
struct RefineScale {
  simt::Array<const double> r, factor;
  simt::Array<float> scaled;
  std::int64_t grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    const double by = simt::ld(factor, 0);
    for_each_element(t, grid, r.size, [&](std::int64_t i, bool inside, int) {
      if (inside) simt::st(scaled, i, static_cast<float>(by * simt::ld(r, i)));
    });
  }
};
struct RefineAdd {
  simt::Array<double> x, before, product_x;
  simt::Array<const float> difference;
  simt::Array<const double> factor;
  std::int64_t grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    const double by = simt::ld(factor, 0);
    for_each_element(t, grid, x.size, [&](std::int64_t i, bool inside, int) {
      if (!inside) return;
      const double own = simt::ld(x, i), now = own + static_cast<double>(simt::ld(difference, i)) / by;
      simt::st(before, i, own);
      simt::st(x, i, now);
      simt::st(product_x, i, now);
    });
  }
};

}  // namespace SIMT_TARGET

// Lays out the steps of refinement. `layout` is in f64 and already has the product's launches.
template <class Layout>
RefinementPlan lay_out_refinement(Layout& layout, const LinearSystem& outer) {
  if (!layout.order().empty())
    throw Error("the kernel computes y in another order than the rows'", {}, "refine with csr_vector");
  const auto size = static_cast<std::size_t>(outer.rows());
  const LaunchSpec grid = vector_grid(outer.rows());
  auto product_x = layout.next_x();
  product_x.size = outer.rows();
  const auto b = layout.state("b", outer.b), x = layout.state("x", outer.x0), before = layout.state("before", outer.x0),
             r = layout.state("r", std::vector<double>(size)), norm = layout.state("norm", std::vector<double>(1)),
             factor = layout.state("factor", std::vector<double>{1});
  const auto scaled = layout.state("scaled", std::vector<float>(size)),
             difference = layout.state("difference", std::vector<float>(size));
  const Parts<double> rr{layout.state("rr_parts", std::vector<double>(static_cast<std::size_t>(grid.grid), 1)),
                         grid.grid, grid.grid};
  RefinementPlan plan{.factor = factor.data, .scaled = scaled.data, .difference = difference.data};
  layout.launch(grid, RefineResidual{as_const(layout.y()), as_const(b), r, rr});
  layout.launch({.grid = 1, .block = threads}, RefineNorm{rr, norm});
  plan.scale = layout.launch_count();
  layout.launch(grid, RefineScale{as_const(r), as_const(factor), scaled, grid.grid});
  plan.add = layout.launch_count();
  layout.launch(grid, RefineAdd{x, before, product_x, as_const(difference), as_const(factor), grid.grid});
  return plan;
}

}  // namespace warpspy::solve
