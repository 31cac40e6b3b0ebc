// Product with a matrix in SELL-C-sigma with slices of C = 32 rows and several warps per slice (Kreutzer et al. 2014,
// with the several threads per row of Reguly & Giles 2012, section 4.2). Lane i of each warp has row i of the slice.
// The warps share the entries of each row, and each lane loads four of them at the same time. The warps' sums are added
// in shared memory. This suits matrices with too few rows to fill the GPU with one thread per row. With other slice
// heights a thread computes a whole row.
#pragma once

#include "core/formats/sell.hpp"
#include "kernels/spmv/sell.hpp"

namespace warpspy::inline SIMT_TARGET {

struct SellWarps {
  using Input = SellFormat;
  static constexpr bool overlaps = true;
  struct Params {
    int warps = 2;
    int block_size = 256;
    bool operator==(const Params&) const = default;
  };

  template <class T, class Ptr, class Col, class Row, int warps, class Cached>
  struct Code {
    static constexpr bool awaits_previous = true;
    simt::Array<const Ptr> slice_ptr;
    simt::Array<const Col> columns;
    simt::Array<const T> values;
    simt::Array<const Row> permutation;  // empty: rows are not sorted
    simt::Array<const T> x;
    simt::Array<T> y;
    std::int64_t rows, slices;
    Scale<T> scale;
    Cached cached;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      constexpr int unroll = 4;
      const int warp = t.thread / simt::warp_size, lane = t.thread % simt::warp_size, share = warp % warps;
      const std::int64_t slice = (t.block * t.block_size + t.thread) / simt::warp_size / warps;
      const std::int64_t place = slice * simt::warp_size + lane;
      simt::PreviousLaunch previous;
      T dot = 0;
      if (slice < slices) {
        // Unsigned: adding a step to a position near 2^31 must not overflow.
        using Position = std::make_unsigned_t<Ptr>;
        const Position begin = simt::ld(cached.pointers, slice_ptr, slice);
        const Position end = simt::ld(cached.pointers, slice_ptr, slice + 1);
        constexpr int step = warps * simt::warp_size;
        for (Position k = begin + share * simt::warp_size + lane; k < end; k += step * unroll) {
          Col column[unroll];
          T value[unroll];
          SIMT_UNROLL
          for (int u = 0; u < unroll; ++u) {
            column[u] = -1;
            value[u] = 0;
            if (k + u * step >= end) continue;
            column[u] = simt::ld(cached.columns, columns, k + u * step);
            value[u] = simt::ld(cached.values, values, k + u * step);
          }
          previous.await();
          SIMT_UNROLL
          for (int u = 0; u < unroll; ++u)
            if (column[u] >= 0) dot += value[u] * simt::ld(cached.x, x, column[u]);
        }
      }
      if constexpr (warps > 1) {
        SIMT_DYNAMIC_SHARED(T, parts, 0, t.block_size);
        simt::st(parts, t.thread, dot);
        simt::sync_block();
        if (share == 0)
          for (int w = 1; w < warps; ++w) dot += simt::ld(parts, t.thread + w * simt::warp_size);
      }
      if (share > 0 || place >= rows) return;
      previous.await();
      scale.store(y, permutation.size ? simt::ld(cached.pointers, permutation, place) : place, dot);
    }
  };

  static Fields<Params> fields() {
    return {{&Params::warps,
             {.id = "warps",
              .label = "Warps per slice",
              .help = "Warps that share a slice of 32 rows; no more than a block has.",
              .type = ParamSpec::Type::power_of_two,
              .min = 1,
              .max = 4,
              .tried = {1, 2, 4}}},
            {&Params::block_size, block_size_spec()}};
  }
  static constexpr Tags tags = Tag::thread_per_row | Tag::reorders_rows | Tag::many_in_flight;
  static constexpr Slowdown slowdown = {1, of_eight_draws};
  static KernelInfo info() {
    return {"sell_warps", "SELL warps", "Several warps per slice of 32 rows, four columns of it in flight each.",
            "after Kreutzer et al. 2014", "sell"};
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    if (a.slice_rows() != simt::warp_size) {
      Sell::lay_out(a, {.block_size = p.block_size}, layout);
      return;
    }
    const int warps = std::min(p.warps, p.block_size / simt::warp_size);
    LaunchSpec spec = row_grid(a.rows(), p.block_size / warps, p.block_size);
    if (a.permuted()) spec.rows_per_block = 0;
    if (warps > 1) spec.shared_bytes = p.block_size * static_cast<int>(sizeof(T));
    visit_all(
        [&]<class Ptr, class Col, class Row>(std::span<const Ptr> slice_ptr, std::span<const Col> columns,
                                             std::span<const Row> permutation) {
          if constexpr (compiled_indices<Ptr, Col> && compiled_indices<Ptr, Row>)
            layout.with_caches([&]<class Cached>(const Cached& cached) {
              tell_lengths(spec, slice_ptr, p.block_size / simt::warp_size / warps);
              with_value<1, 2, 4>(warps, [&]<int n>() {
                layout.launch(spec, Code<T, Ptr, Col, Row, n, Cached>{
                                        layout.in("slice_ptr", Role::matrix_index, slice_ptr),
                                        layout.in("columns", Role::x_index, columns),
                                        layout.in("values", Role::matrix, a.values().template as<T>()),
                                        layout.in("permutation", Role::matrix, permutation), layout.x(), layout.y(),
                                        a.rows(), a.slices(), layout.scale(), cached});
              });
            });
        },
        a.slice_ptr(), a.columns(), a.permutation());
  }
};

}  // namespace warpspy::inline SIMT_TARGET
