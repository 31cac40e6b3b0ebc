// Product with a matrix in SELL-C-sigma, with one thread per row (Kreutzer et al. 2014; EVC-HYB, section 1). The format
// is like ELL for slices of C rows, each only as wide as its longest row. So a warp's loop ends after the longest row
// of its own slices. A thread finds its slice from its row number, so C may differ from the block size.
#pragma once

#include "core/formats/sell.hpp"
#include "kernels/spmv/spmv.hpp"

namespace warpspy::inline SIMT_TARGET {

struct Sell {
  using Input = SellFormat;
  struct Params {
    int block_size = 128;
    bool operator==(const Params&) const = default;
  };

  template <class T, class Ptr, class Col, class Row, class Cached>
  struct Code {
    static constexpr int unroll = 4;  // entries of a thread whose loads are in flight together

    simt::Array<const Ptr> slice_ptr;
    simt::Array<const Col> columns;
    simt::Array<const T> values;
    simt::Array<const Row> permutation;  // empty: rows are not sorted
    simt::Array<const T> x;
    simt::Array<T> y;
    std::int64_t rows;
    int slice_shift;  // the height of a slice, C, is 2^slice_shift
    Scale<T> scale;
    Cached cached;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      const std::int64_t place = t.block * t.block_size + t.thread;
      if (place >= rows) return;
      const std::int64_t slice = place >> slice_shift, step = std::int64_t{1} << slice_shift;
      const std::int64_t begin = simt::ld(cached.pointers, slice_ptr, slice);
      const std::int64_t end = simt::ld(cached.pointers, slice_ptr, slice + 1);
      T dot = 0;
      std::int64_t k = begin + (place & (step - 1));
      // Three loops, so that all loads of each loop are in flight together.
      SIMT_NO_UNROLL
      for (; k + (unroll - 1) * step < end; k += unroll * step) {
        Col column[unroll];
        T value[unroll], near[unroll];
        SIMT_UNROLL
        for (int i = 0; i < unroll; ++i) column[i] = simt::ld(cached.columns, columns, k + i * step);
        SIMT_UNROLL
        for (int i = 0; i < unroll; ++i) {
          value[i] = near[i] = 0;
          if (column[i] < 0) continue;
          value[i] = simt::ld(cached.values, values, k + i * step);
          near[i] = simt::ld(cached.x, x, column[i]);
        }
        SIMT_UNROLL
        for (int i = 0; i < unroll; ++i) dot += value[i] * near[i];
      }
      SIMT_NO_UNROLL
      for (; k < end; k += step) {
        const Col column = simt::ld(cached.columns, columns, k);
        if (column >= 0) dot += simt::ld(cached.values, values, k) * simt::ld(cached.x, x, column);
      }
      const std::int64_t row = permutation.size ? simt::ld(cached.pointers, permutation, place) : place;
      scale.store(y, row, dot);
    }
  };

  static Fields<Params> fields() { return {{&Params::block_size, block_size_spec()}}; }
  static constexpr Tags tags = Tag::thread_per_row | Tag::reorders_rows;
  static constexpr Slowdown slowdown = {1, of_eight_draws};
  static std::vector<ParamSet> validated() { return {ParamSet{}}; }
  static KernelInfo info() {
    return {"sell", "SELL",
            "One thread per row over slices of C rows, each padded to its own longest row: coalesced reads, little "
            "padding.",
            "Kreutzer et al. 2014; EVC-HYB, section 1", "sell"};
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    LaunchSpec spec = row_grid(a.rows(), p.block_size, p.block_size);
    if (a.permuted()) spec.rows_per_block = 0;
    int shift = 0;
    while (index_t{1} << shift < a.slice_rows()) ++shift;
    a.slice_ptr().visit([&]<class Ptr>(std::span<const Ptr> slice_ptr) {
      a.columns().visit([&]<class Col>(std::span<const Col> columns) {
        a.permutation().visit([&]<class Row>(std::span<const Row> permutation) {
          if constexpr (compiled_indices<Ptr, Col> && compiled_indices<Ptr, Row>)
            layout.with_caches([&]<class Cached>(const Cached& cached) {
              tell_lengths(spec, slice_ptr, static_cast<double>(p.block_size) / a.slice_rows());
              layout.launch(
                  spec, Code<T, Ptr, Col, Row, Cached>{layout.in("slice_ptr", Role::matrix_index, slice_ptr),
                                                       layout.in("columns", Role::guarding_x_index, columns),
                                                       layout.in("values", Role::matrix, a.values().template as<T>()),
                                                       layout.in("permutation", Role::matrix, permutation), layout.x(),
                                                       layout.y(), a.rows(), shift, layout.scale(), cached});
            });
        });
      });
    });
  }
};

}  // namespace warpspy::inline SIMT_TARGET
