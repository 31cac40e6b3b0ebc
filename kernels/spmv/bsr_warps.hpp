// Product with a matrix in BSR in which warps compute block rows. A block is cut into runs: neighbouring values of one
// of its rows. Each lane loads one run, so a warp reads blocks in the order of memory. (BCSR is named in Reguly & Giles
// 2012, section 2, without a listing.) With half a warp per block row, fewer lanes add up, and fewer are idle after
// short rows. Several warps can share a long block row and add up in shared memory. The kernel is compiled for blocks
// of 2 x 2, 3 x 3, 4 x 4 and 8 x 8; the plain BSR kernel computes others.
#pragma once

#include "core/formats/bsr.hpp"
#include "kernels/spmv/bsr.hpp"

namespace warpspy::inline SIMT_TARGET {

struct BsrWarps {
  using Input = BsrFormat;
  static constexpr bool overlaps = true;
  struct Params {
    int coop = 32;
    int block_size = 128;
    bool operator==(const Params&) const = default;
  };

  // Blocks of side x side, cut into runs of `loads` packs of `pack` values each. A group of `width` lanes, 16 or 32,
  // takes `unroll` times as many blocks as it reads at once. `alone`: one group per block row.
  template <class T, class Ptr, class Col, int side, int loads, int pack, int unroll, int width, bool alone,
            class Cached>
  struct Code {
    static constexpr bool awaits_previous = true;
    static constexpr int run = loads * pack;
    static constexpr int of_row = side / run, runs = of_row * side;  // runs of a row of a block, and of a block
    static constexpr int blocks = width / runs;                      // blocks that a group reads at once
    static constexpr int chunk = unroll * blocks;
    static_assert(blocks >= 1);

    simt::Array<const Ptr> block_ptr;
    simt::Array<const Col> block_columns;
    simt::Array<const T> values;
    simt::Array<const T> x;  // of whole blocks
    simt::Array<T> y;
    std::int64_t rows, block_rows;
    int groups_exponent;  // 2^groups_exponent groups per block row: to divide costs as much as five blocks
    Scale<T> scale;
    Cached cached;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      using Position = std::make_unsigned_t<Ptr>;  // a step past the last of almost 2^31 blocks does not overflow
      const int group = t.thread / width, lane = t.thread % width;
      const int groups = alone ? 1 : 1 << groups_exponent, share = group & (groups - 1);
      const std::int64_t all_groups = t.block * (t.block_size / width) + group;
      const std::int64_t block_row = alone ? all_groups : all_groups >> groups_exponent;
      simt::PreviousLaunch previous;
      T sum = 0;
      if (block_row < block_rows && lane < blocks * runs) {
        const Position end = simt::ld(cached.pointers, block_ptr, block_row + 1);
        Position first = simt::ld(cached.pointers, block_ptr, block_row) + share * chunk;
        for (; first < end; first += chunk * groups) sum += products(first, end, lane, previous);
      }
      // Over the blocks that a group reads at once, then over the runs of a row.
      sum = simt::sum_strided(sum, lane, runs, blocks, width);
      T of_whole_row = sum;
      SIMT_UNROLL
      for (int s = 1; s < of_row; ++s) of_whole_row += simt::shfl_down(sum, s);
      const bool first_of_row = lane < runs && lane % of_row == 0;
      if constexpr (!alone) {
        SIMT_DYNAMIC_SHARED(T, parts, 0, t.block_size);
        if (first_of_row) simt::st(parts, t.thread, of_whole_row);
        simt::sync_block();
        if (share == 0 && first_of_row)
          for (int g = 1; g < groups; ++g) of_whole_row += simt::ld(parts, t.thread + g * width);
      }
      const std::int64_t row = block_row * side + lane / of_row;
      previous.await();
      if (share == 0 && first_of_row && row < rows) scale.store(y, row, of_whole_row);
    }

    // Adds up this lane's runs of a chunk of blocks, from block `first` on. It has three rounds, so that the loads of a
    // round are in flight together. Lanes whose block would lie past `end` load the last block instead, and do not add
    // it. A test before each load would cost more than a load that other lanes make anyway.
    template <class Position>
    SIMT_DEVICE T products(Position first, Position end, int lane, simt::PreviousLaunch& previous,
                           simt::Where where = simt::Where::current()) const {
      const Position block = first + lane / runs;
      Col column[unroll];
      simt::Pack<T, pack> value[unroll][loads], near[unroll][loads];
      SIMT_UNROLL
      for (int u = 0; u < unroll; ++u) {
        const Position at = block + u * blocks < end ? block + u * blocks : end - 1;
        column[u] = simt::ld(cached.columns, block_columns, at, where) * side + lane % of_row * run;
        const std::int64_t run_at = static_cast<std::int64_t>(at) * (side * side) + lane % runs * run;
        SIMT_UNROLL
        for (int l = 0; l < loads; ++l)
          value[u][l] = simt::ld_pack<pack>(cached.values, values, run_at + l * pack, where);
      }
      previous.await();
      SIMT_UNROLL
      for (int u = 0; u < unroll; ++u) {
        SIMT_UNROLL
        for (int l = 0; l < loads; ++l) near[u][l] = simt::ld_pack<pack>(cached.x, x, column[u] + l * pack, where);
      }
      T sum = 0;
      SIMT_UNROLL
      for (int u = 0; u < unroll; ++u) {
        if (block + u * blocks >= end) continue;
        SIMT_UNROLL
        for (int l = 0; l < loads; ++l) {
          SIMT_UNROLL
          for (int k = 0; k < pack; ++k) sum += value[u][l].v[k] * near[u][l].v[k];
        }
      }
      return sum;
    }
  };

  static Fields<Params> fields() {
    return {{&Params::coop,
             {.id = "coop",
              .label = "Threads per block row",
              .help = "Threads that share a block row; no more than a thread block has. 16: two block rows per warp. "
                      "Many for long rows.",
              .type = ParamSpec::Type::power_of_two,
              .min = 16,
              .max = 512,
              .tried = {16, 32, 64, 128, 256}}},
            {&Params::block_size, block_size_spec()}};
  }
  static constexpr Tags tags = Tag::blocks | Tag::many_in_flight;
  static constexpr Slowdown slowdown = {1, not_measured};
  static KernelInfo info() {
    return {"bsr_warps", "BSR warps",
            "Warps read blocks as they lie in memory, a run of a block's row per lane: one column index per block.",
            "after Reguly & Giles 2012, section 2", "bsr"};
  }

  // Calls f<side, loads, pack, unroll>() for square blocks with a compiled version; returns false for others. A run is
  // the part of a block's row that one load of 16 bytes brings. If rows do not begin at multiples of 16 bytes, a run is
  // the whole row.
  template <class T, class F>
  static bool with_side(index_t r, index_t c, F&& f) {
    constexpr int most = 16 / sizeof(T);
    if (r != c) return false;
    if (r == 2) return f.template operator()<2, 1, 2, 2>(), true;
    if (r == 3) return f.template operator()<3, 3, 1, 2>(), true;
    if (r == 4) return f.template operator()<4, 1, most, 4>(), true;
    if (r == 8) return f.template operator()<8, 1, most, 4>(), true;
    return false;
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    const bool known = with_side<T>(a.block_rows(), a.block_cols(), [&]<int side, int loads, int pack, int unroll>() {
      const auto block_rows = static_cast<index_t>(a.block_ptr().size()) - 1;
      constexpr int runs = side * side / (loads * pack);
      constexpr int least = runs > 16 ? 32 : 16;  // lanes that one block takes
      const int coop = std::clamp(p.coop, least, p.block_size);
      const index_t in_block = p.block_size / coop;
      LaunchSpec spec = row_grid(block_rows, in_block, p.block_size);
      spec.rows_per_block = in_block * side;
      visit_all(
          [&]<class Ptr, class Col>(std::span<const Ptr> block_ptr, std::span<const Col> block_columns) {
            if constexpr (compiled_indices<Ptr, Col>)
              layout.with_caches([&]<class Cached>(const Cached& cached) {
                tell_lengths(spec, block_ptr, static_cast<double>(in_block));
                with_value<16, 32>(std::min(coop, simt::warp_size), [&]<int width>() {
                  const int groups = coop / width;
                  const auto launch = [&]<bool alone>() {
                    layout.launch(spec, Code<T, Ptr, Col, side, loads, pack, unroll, width, alone, Cached>{
                                            layout.in("block_ptr", Role::matrix_index, block_ptr),
                                            layout.in("block_columns", Role::x_index, block_columns),
                                            layout.in("values", Role::matrix, a.values().template as<T>()),
                                            layout.x((a.cols() + side - 1) / side * side), layout.y(), a.rows(),
                                            block_rows, exponent_of(groups), layout.scale(), cached});
                  };
                  if constexpr (width >= least)
                    if (groups == 1) return launch.template operator()<true>();
                  if constexpr (width == simt::warp_size) {
                    spec.shared_bytes = p.block_size * static_cast<int>(sizeof(T));
                    launch.template operator()<false>();
                  }
                });
              });
          },
          a.block_ptr(), a.block_columns());
    });
    if (!known) Bsr::lay_out(a, {.block_size = p.block_size}, layout);
  }
};

}  // namespace warpspy::inline SIMT_TARGET
