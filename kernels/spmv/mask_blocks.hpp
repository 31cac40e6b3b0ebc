// Blocks with masks (core/formats/mask_blocks.hpp): a warp has a row of blocks, a lane one place of each (after Bramas
// & Kus 2018, whose vector lanes are a block's columns). Lanes load the columns and masks of 32 blocks at once and
// count where the values of each begin; then the warp takes block after block, four in flight: a lane whose place holds
// an entry finds its value behind those of the lanes before it.
#pragma once

#include "core/formats/mask_blocks.hpp"
#include "kernels/spmv/spmv.hpp"

namespace warpspy::inline SIMT_TARGET {

struct MaskBlocks {
  using Input = MaskBlocksFormat;
  static constexpr bool overlaps = true;
  struct Params {
    int block_size = 256;
    bool operator==(const Params&) const = default;
  };

  template <class T, class Ptr, class Begin, class Col, class Cached>
  struct Code {
    static constexpr bool awaits_previous = true;
    simt::Array<const Ptr> block_ptr;
    simt::Array<const Begin> value_ptr;
    simt::Array<const std::uint32_t> masks;
    simt::Array<const Col> block_columns;
    simt::Array<const T> values;
    simt::Array<const T> x;
    simt::Array<T> y;
    std::int64_t rows, block_rows;
    int log_width;  // a block has 2^log_width columns
    Scale<T> scale;
    Cached cached;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      constexpr int unroll = 4;
      const int lane = t.thread % simt::warp_size, width = 1 << log_width;
      const int own_row = lane >> log_width, own_column = lane & (width - 1);
      const std::int64_t block_row = (t.block * t.block_size + t.thread) / simt::warp_size;
      if (block_row >= block_rows) return;  // the whole warp
      simt::PreviousLaunch previous;
      const std::uint32_t before_me = (1u << lane) - 1;
      const Ptr begin = simt::ld(cached.pointers, block_ptr, block_row);
      const Ptr end = simt::ld(cached.pointers, block_ptr, block_row + 1);
      Begin values_begin = simt::ld(cached.pointers, value_ptr, block_row);
      T dot = 0;
      for (Ptr first = begin; first < end; first += simt::warp_size) {
        const int count = end - first < simt::warp_size ? static_cast<int>(end - first) : simt::warp_size;
        std::uint32_t mask = 0;
        Col block_column = 0;
        if (lane < count) {
          mask = simt::ld(cached.pointers, masks, first + lane);
          block_column = simt::ld(cached.columns, block_columns, first + lane);
        }
        const int up_to_here = simt::sum_segments(simt::count_bits(mask), lane, 1u);
        const int before = up_to_here - simt::count_bits(mask);
        for (int b = 0; b < count; b += unroll) {  // a lane behind the last block has an empty mask
          std::int64_t column[unroll];
          T value[unroll];
          bool mine[unroll];
          SIMT_UNROLL
          for (int u = 0; u < unroll; ++u) {
            const auto [m, at] = simt::shfl_pair(mask, before, b + u);
            column[u] = (static_cast<std::int64_t>(simt::shfl(block_column, b + u)) << log_width) + own_column;
            mine[u] = (m >> lane & 1) != 0;
            value[u] = 0;
            if (mine[u])
              value[u] = simt::ld(cached.values, values, values_begin + at + simt::count_bits(m & before_me));
          }
          previous.await();
          SIMT_UNROLL
          for (int u = 0; u < unroll; ++u)
            if (mine[u]) dot += value[u] * simt::ld(cached.x, x, column[u]);
        }
        values_begin += simt::shfl(up_to_here, simt::warp_size - 1);
      }
      dot = simt::sum_down(dot, width);
      const std::int64_t row = (block_row << (5 - log_width)) + own_row;
      if (own_column != 0 || row >= rows) return;
      previous.await();
      scale.store(y, row, dot);
    }
  };

  static Fields<Params> fields() { return {{&Params::block_size, block_size_spec()}}; }
  static constexpr Tags tags = Tag::blocks | Tag::many_in_flight;
  static constexpr Slowdown slowdown = {2.5, of_eight_draws};
  static KernelInfo info() {
    return {"mask_blocks", "Blocks with masks",
            "A warp per row of blocks, a lane for each place of a block; values are packed and found by counting bits.",
            "after Bramas & Kus 2018", "mask_blocks"};
  }

  template <class Plan, class T = typename Plan::Value>
  static void plan(const Input& a, const Params& p, Plan& plan) {
    static_assert(MaskBlocksFormat::places == simt::warp_size);
    visit_all(
        [&]<class Ptr, class Begin, class Col>(std::span<const Ptr> block_ptr, std::span<const Begin> value_ptr,
                                               std::span<const Col> block_columns) {
          if constexpr (Plan::template compiled<Ptr, Col> && Plan::template compiled<Begin, Ptr> &&
                        Plan::template compiled<Ptr, Begin>) {
            const int warps = p.block_size / simt::warp_size;
            LaunchSpec spec = row_grid(a.rows(), warps * a.height(), p.block_size);
            spec.longest = longest_of(block_ptr, warps);
            plan.with_caches([&]<class Cached>(const Cached& cached) {
              plan.launch(
                  spec, Code<T, Ptr, Begin, Col, Cached>{
                            plan.in("block_ptr", Role::matrix_index, block_ptr),
                            plan.in("value_ptr", Role::matrix_index, value_ptr),
                            plan.in("masks", Role::matrix_index, a.masks()),
                            plan.in("block_columns", Role::x_index, block_columns),
                            plan.in("values", Role::matrix, a.values().template as<T>()), plan.x(), plan.y(), a.rows(),
                            a.block_rows(), exponent_of(static_cast<int>(a.width())), plan.scale(), cached});
            });
          }
        },
        a.block_ptr(), a.value_ptr(), a.block_columns());
  }
};

}  // namespace warpspy::inline SIMT_TARGET
