// Product with a matrix in SELL whose columns take 8 bits (core/formats/sell8.hpp). Each slice of 32 rows has one warp,
// and lane i has row i. The 8 bits are the distance to the row's previous column, so a lane adds them up. Each lane
// loads four distances and values at the same time. A distance that does not fit into 8 bits stands in a list of its
// own (an escape). The lanes count the escapes before it, and so find its place in that list.
#pragma once

#include "core/formats/sell8.hpp"
#include "kernels/spmv/spmv.hpp"

namespace warpspy::inline SIMT_TARGET {

struct Sell8Warps {
  using Input = Sell8Format;
  static constexpr bool overlaps = true;
  struct Params {
    int block_size = 256;
    bool operator==(const Params&) const = default;
  };

  template <class T, class Ptr, class Col, class Row, class Cached>
  struct Code {
    static constexpr bool awaits_previous = true;
    simt::Array<const Ptr> slice_ptr;
    simt::Array<const std::uint8_t> deltas;
    simt::Array<const Col> bases;
    simt::Array<const std::int32_t> escape_ptr;
    simt::Array<const Col> escapes;
    simt::Array<const T> values;
    simt::Array<const Row> permutation;  // empty: rows are not sorted
    simt::Array<const T> x;
    simt::Array<T> y;
    std::int64_t rows, slices;
    Scale<T> scale;
    Cached cached;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      constexpr int unroll = 4;
      const int lane = t.thread % simt::warp_size;
      const std::uint32_t before_me = (1u << lane) - 1;
      const std::int64_t slice = (t.block * t.block_size + t.thread) / simt::warp_size;
      if (slice >= slices) return;  // true for the whole warp
      const std::int64_t place = slice * simt::warp_size + lane;
      simt::PreviousLaunch previous;
      // Unsigned: adding a step to a position near 2^31 must not overflow.
      using Position = std::make_unsigned_t<Ptr>;
      const Position begin = simt::ld(cached.pointers, slice_ptr, slice);
      const Position end = simt::ld(cached.pointers, slice_ptr, slice + 1);
      Col own = simt::ld(cached.columns, bases, slice);
      int next_escape = simt::ld(cached.pointers, escape_ptr, slice);
      T dot = 0;
      for (Position step = begin; step < end; step += unroll * simt::warp_size) {
        std::uint8_t delta[unroll];
        T value[unroll];
        SIMT_UNROLL
        for (int u = 0; u < unroll; ++u) {
          const Position k = step + u * simt::warp_size + lane;
          delta[u] = Sell8Format::padding;
          value[u] = 0;
          if (k >= end) continue;
          delta[u] = simt::ld(cached.columns, deltas, k);
          value[u] = simt::ld(cached.values, values, k);
        }
        Col column[unroll];
        SIMT_UNROLL
        for (int u = 0; u < unroll; ++u) {
          const bool far = delta[u] == Sell8Format::escape;
          const std::uint32_t all_far = simt::ballot(far);
          if (far)
            own = simt::ld(cached.columns, escapes, next_escape + simt::count_bits(all_far & before_me));
          else if (delta[u] != Sell8Format::padding)
            own += delta[u];
          next_escape += simt::count_bits(all_far);
          column[u] = own;
        }
        previous.await();
        SIMT_UNROLL
        for (int u = 0; u < unroll; ++u)
          if (delta[u] != Sell8Format::padding) dot += value[u] * simt::ld(cached.x, x, column[u]);
      }
      if (place >= rows) return;
      previous.await();
      scale.store(y, permutation.size ? simt::ld(cached.pointers, permutation, place) : place, dot);
    }
  };

  static Fields<Params> fields() { return {{&Params::block_size, block_size_spec()}}; }
  static constexpr Tags tags = Tag::thread_per_row | Tag::reorders_rows | Tag::many_in_flight;
  static constexpr Slowdown slowdown = {1.4, of_eight_draws};
  static KernelInfo info() {
    return {"sell8_warps", "SELL warps, 8-bit columns",
            "A warp per slice of 32 rows, each lane adding up its row's distances between columns.",
            "after Kreutzer et al. 2014", "sell8"};
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    LaunchSpec spec = row_grid(a.rows(), p.block_size, p.block_size);
    if (a.permuted()) spec.rows_per_block = 0;
    if (!a.escape_ptr().is32())
      throw Error("kernel sell8_warps cannot count 2^31 columns in full", {}, "use sell_warps");
    visit_all(
        [&]<class Ptr, class Col, class Row>(std::span<const Ptr> slice_ptr, std::span<const Col> bases,
                                             std::span<const Row> permutation) {
          if constexpr (compiled_indices<Ptr, Col> && compiled_indices<Ptr, Ptr> && compiled_indices<Ptr, Row>)
            layout.with_caches([&]<class Cached>(const Cached& cached) {
              tell_lengths(spec, slice_ptr, p.block_size / simt::warp_size);
              layout.launch(
                  spec, Code<T, Ptr, Col, Row, Cached>{
                            layout.in("slice_ptr", Role::matrix_index, slice_ptr),
                            layout.in("columns", Role::x_index, a.deltas()), layout.in("bases", Role::x_index, bases),
                            layout.in("escape_ptr", Role::x_index, a.escape_ptr().template as<std::int32_t>()),
                            layout.in("escapes", Role::x_index, a.escapes().template as<Col>()),
                            layout.in("values", Role::matrix, a.values().template as<T>()),
                            layout.in("permutation", Role::matrix, permutation), layout.x(), layout.y(), a.rows(),
                            a.slices(), layout.scale(), cached});
            });
        },
        a.slice_ptr(), a.bases(), a.permutation());
  }
};

}  // namespace warpspy::inline SIMT_TARGET
