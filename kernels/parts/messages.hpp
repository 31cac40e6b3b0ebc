// The kernels with which GPUs that share a matrix give each other numbers: x for the halo, and sums over all unknowns.
// Each GPU leaves what others need in its own memory, and the others read it there.
#pragma once

#include "kernels/solve/vectors.hpp"

namespace warpspy::parts {

inline constexpr int most_gpus = 16;

inline namespace SIMT_TARGET {

// Gathers x for other GPUs, one message behind the other.
template <class T>
struct PackHalo {
  simt::Array<const T> x;
  simt::Array<const std::int32_t> places;
  simt::Array<T> packed;
  std::int64_t grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    solve::for_each_element(t, grid, places.size, [&](std::int64_t i, bool inside, int) {
      if (inside) simt::st(packed, i, simt::ld(x, simt::ld(places, i)));
    });
  }
};

// Reads messages in the memory of other GPUs.
template <class T>
struct FetchHalo {
  simt::Array<const T> from[most_gpus];
  simt::Array<T> to[most_gpus];
  int messages;
  std::int64_t grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (int k = 0; k < messages; ++k)
      solve::for_each_element(t, grid, from[k].size, [&](std::int64_t i, bool inside, int) {
        if (inside) simt::st(to[k], i, simt::ld(from[k], i));
      });
  }
};

// Adds the product with the halo to the local one. Element i of `y` is row order[i] of the halo; without an order row
// i.
template <class T>
struct AddHalo {
  simt::Array<const T> y;
  simt::Array<const std::int32_t> order;
  simt::Array<T> rows;
  std::int64_t grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    solve::for_each_element(t, grid, y.size, [&](std::int64_t i, bool inside, int) {
      if (!inside) return;
      const std::int64_t row = order.size > 0 ? static_cast<std::int64_t>(simt::ld(order, i)) : i;
      simt::st(rows, row, simt::ld(rows, row) + simt::ld(y, i));
    });
  }
};

// Leaves the GPU's own number of each sum for the others. One block.
template <class T>
struct LeaveSums {
  simt::Array<const T> numbers;  // of sum k and GPU g at k * stride + g
  simt::Array<T> left;
  std::int64_t stride;
  int sums, gpu;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (int k = t.thread; k < sums; k += solve::threads) simt::st(left, k, simt::ld(numbers, k * stride + gpu));
  }
};

// Takes the numbers that other GPUs have left. One block.
template <class T>
struct TakeSums {
  simt::Array<const T> left[most_gpus];
  simt::Array<T> numbers;
  std::int64_t stride;
  int sums, gpus, gpu;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (int other = 0; other < gpus; ++other)
      for (int k = t.thread; k < sums && other != gpu; k += solve::threads)
        simt::st(numbers, k * stride + other, simt::ld(left[other], k));
  }
};

}  // namespace SIMT_TARGET

// Lays the addition of the halo's product to `rows` out behind that product, and returns the product's x.
template <class Layout, class T = typename Layout::Value>
simt::Array<T> lay_out_halo(Layout& layout, const simt::Array<T>& rows) {
  simt::Array<const std::int32_t> order{};
  if (!layout.order().empty())
    order = layout.made("y_order", simt::Role::matrix,
                        std::vector<std::int32_t>(layout.order().begin(), layout.order().end()));
  const LaunchSpec grid = solve::vector_grid(rows.size);
  simt::Array<T> y = layout.y();
  layout.launch(grid, AddHalo<T>{simt::as_const(y), order, rows, grid.grid});
  return layout.next_x();
}

}  // namespace warpspy::parts
