// Product with a matrix in SELL whose columns take 16 bits (core/formats/sell16.hpp). Lane i of a warp has row i of a
// slice of 32 rows. A step is one entry of each of these rows. Several warps share the steps of a slice, and each has
// four steps in flight. Each step has a base column, which all lanes read as one word; 16 bits hold the distance to it.
// That saves a quarter of the matrix's bytes in f32, a sixth in f64.
#pragma once

#include "core/formats/sell16.hpp"
#include "kernels/spmv/sell_warps.hpp"

namespace warpspy::inline SIMT_TARGET {

struct Sell16Warps {
  using Input = Sell16Format;
  static constexpr bool overlaps = true;
  using Params = SellWarps::Params;

  template <class T, class Ptr, class Col, class Row, int warps, bool has_wide, class Cached>
  struct Code {
    static constexpr bool awaits_previous = true;
    static constexpr std::uint32_t padding = ~std::uint32_t{0};
    simt::Array<const Ptr> slice_ptr;
    simt::Array<const std::uint16_t> offsets;
    simt::Array<const Col> bases;
    simt::Array<const std::int32_t> wide_at;  // empty if 16 bits are always enough
    simt::Array<const std::uint16_t> high_offsets;
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
          std::uint32_t offset[unroll];
          Col base[unroll];
          int wide[unroll];
          T value[unroll];
          // No branch here, so that all these loads are in flight together.
          SIMT_UNROLL
          for (int u = 0; u < unroll; ++u) {
            offset[u] = Sell16Format::padding;
            base[u] = 0;
            wide[u] = -1;
            value[u] = 0;
            const Position at = k + u * step;
            if (at >= end) continue;
            offset[u] = simt::ld(cached.columns, offsets, at);
            base[u] = simt::ld(cached.columns, bases, at / simt::warp_size);
            if constexpr (has_wide) wide[u] = simt::ld(cached.columns, wide_at, at / simt::warp_size);
            value[u] = simt::ld(cached.values, values, at);
          }
          SIMT_UNROLL
          for (int u = 0; u < unroll; ++u) {
            if (!has_wide || wide[u] < 0) {  // all lanes of a warp take the same branch
              if (offset[u] == Sell16Format::padding) offset[u] = padding;
              continue;
            }
            const std::int64_t at = std::int64_t{wide[u]} * simt::warp_size + lane;
            offset[u] |= static_cast<std::uint32_t>(simt::ld(cached.columns, high_offsets, at)) << 16;
          }
          previous.await();
          SIMT_UNROLL
          for (int u = 0; u < unroll; ++u)
            if (offset[u] != padding) dot += value[u] * simt::ld(cached.x, x, base[u] + static_cast<Col>(offset[u]));
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

  static Fields<Params> fields() { return SellWarps::fields(); }
  static constexpr Tags tags = SellWarps::tags;
  static constexpr Slowdown slowdown = {1.1, of_eight_draws};
  static KernelInfo info() {
    return {"sell16_warps", "SELL warps, 16-bit columns",
            "Several warps per slice of 32 rows, four columns of it in flight each, a column in 16 bits.",
            "after Kreutzer et al. 2014", "sell16"};
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    const int warps = std::min(p.warps, p.block_size / simt::warp_size);
    LaunchSpec spec = row_grid(a.rows(), p.block_size / warps, p.block_size);
    if (a.permuted()) spec.rows_per_block = 0;
    if (warps > 1) spec.shared_bytes = p.block_size * static_cast<int>(sizeof(T));
    // In f32 one load of values per round is issued after the first wait. With wide steps a round has three waits.
    const bool wide = !a.wide_at().empty();
    if (wide)
      spec.loads_in_flight = 2;
    else if (sizeof(T) == 4)
      spec.matrix_in_flight = 3;
    visit_all(
        [&]<class Ptr, class Col, class Row>(std::span<const Ptr> slice_ptr, std::span<const Col> bases,
                                             std::span<const Row> permutation) {
          if constexpr (compiled_indices<Ptr, Col> && compiled_indices<Ptr, Row>)
            layout.with_caches([&]<class Cached>(const Cached& cached) {
              tell_lengths(spec, slice_ptr, p.block_size / simt::warp_size / warps);
              with_value<1, 2, 4>(warps, [&]<int n>() {
                with_value<0, 1>(!a.wide_at().empty(), [&]<int has_wide>() {
                  layout.launch(spec, Code < T, Ptr, Col, Row, n, has_wide != 0,
                                Cached > {layout.in("slice_ptr", Role::matrix_index, slice_ptr),
                                          layout.in("columns", Role::x_index, a.offsets()),
                                          layout.in("bases", Role::x_index, bases),
                                          layout.in("wide_at", Role::x_index, a.wide_at()),
                                          layout.in("high_columns", Role::x_index, a.high_offsets()),
                                          layout.in("values", Role::matrix, a.values().template as<T>()),
                                          layout.in("permutation", Role::matrix, permutation), layout.x(), layout.y(),
                                          a.rows(), a.slices(), layout.scale(), cached});
                });
              });
            });
        },
        a.slice_ptr(), a.bases(), a.permutation());
  }
};

}  // namespace warpspy::inline SIMT_TARGET
