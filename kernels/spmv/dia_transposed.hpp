// Computes y = A^T x from a matrix in DIA. Column c crosses diagonal d in row c - offset(d). So one thread per column
// computes its element of y without atomics, and every load is coalesced. (It is the product of Bell & Garland 2008,
// section 4.1, with the roles of rows and columns exchanged.)
#pragma once

#include "core/formats/dia.hpp"
#include "kernels/spmv/spmv.hpp"

namespace warpspy::inline SIMT_TARGET {

struct DiaTransposed {
  using Input = DiaFormat;
  struct Params {
    int block_size = 256;
    bool operator==(const Params&) const = default;
  };

  template <class T, class Offset, class Cached>
  struct Code {
    simt::Array<const Offset> offsets;
    simt::Array<const T> values;
    simt::Array<const T> x;
    simt::Array<T> y;
    std::int64_t cols;
    Offset rows, pitch;
    int diagonals;
    Scale<T> scale;
    Cached cached;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      constexpr int unroll = 5;  // diagonals in flight
      // As wide as an offset, and wrapping: what lies above the first row is below the last.
      using Row = std::make_unsigned_t<Offset>;
      const std::int64_t column = t.block * t.block_size + t.thread;
      if (column >= cols) return;
      T dot = 0;
      for (int first = 0; first < diagonals; first += unroll) {
        T value[unroll], factor[unroll];
        SIMT_UNROLL
        for (int u = 0; u < unroll; ++u) {
          value[u] = 0;
          factor[u] = 0;
          if (first + u >= diagonals) continue;
          const Row row = static_cast<Row>(column) - simt::ld(cached.columns, offsets, first + u);
          if (row >= static_cast<Row>(rows)) continue;
          value[u] = simt::ld(cached.values, values, (first + u) * static_cast<std::int64_t>(pitch) + row);
          factor[u] = simt::ld(cached.x, x, row);
        }
        SIMT_UNROLL
        for (int u = 0; u < unroll; ++u) dot += value[u] * factor[u];
      }
      scale.store(y, column, dot);
    }
  };

  static Fields<Params> fields() { return {{&Params::block_size, warps_spec()}}; }
  static constexpr Tags tags = Tag::diagonals;
  static constexpr Slowdown slowdown = {1, not_measured};
  static KernelInfo info() {
    KernelInfo info{"dia_transposed", "DIA transposed",
                    "y = A^T x from the diagonals of A: one thread per column, coalesced and without atomics.",
                    "after Bell & Garland 2008, section 4.1", "dia"};
    info.operation = Operation::transposed_product;
    return info;
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    a.offsets().visit([&]<class Offset>(std::span<const Offset> offsets) {
      if constexpr (compiled_indices<Offset, Offset>)
        layout.with_caches([&]<class Cached>(const Cached& cached) {
          LaunchSpec spec = row_grid(a.cols(), p.block_size, p.block_size);
          layout.launch(spec, Code<T, Offset, Cached>{layout.in("offsets", Role::matrix, offsets),
                                                      layout.in("values", Role::matrix, a.values().template as<T>()),
                                                      layout.x(), layout.y(), a.cols(), static_cast<Offset>(a.rows()),
                                                      static_cast<Offset>(a.pitch()), static_cast<int>(a.diagonals()),
                                                      layout.scale(), cached});
        });
    });
  }
};

}  // namespace warpspy::inline SIMT_TARGET
