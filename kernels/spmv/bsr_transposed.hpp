// Computes y = A^T x from a matrix in BSR without storing A^T. Each block row gets a warp, and each entry of its blocks
// a lane. The r products of a block's column are added up by shuffles first, so that a block of r x c costs c atomics
// instead of r * c (the plain way is that of Steinberger et al. 2016, section IV). An earlier launch computes y = beta
// y.
#pragma once

#include "core/formats/bsr.hpp"
#include "kernels/spmv/spmv.hpp"

namespace warpspy::inline SIMT_TARGET {

struct BsrTransposed {
  using Input = BsrFormat;
  struct Params {
    int warps = 1;
    int block_size = 128;
    bool operator==(const Params&) const = default;
  };

  // For blocks of known_r x known_c; 0 means any other size.
  template <class T, class Ptr, class Col, int known_r, int known_c, class Cached>
  struct Code {
    simt::Array<const Ptr> block_ptr;
    simt::Array<const Col> block_columns;
    simt::Array<const T> values;
    simt::Array<const T> x;
    simt::Array<T> y;
    std::int64_t rows, block_rows;
    Col cols;
    int any_r, any_c;
    int warps;  // per block row
    Scale<T> scale;
    Cached cached;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      constexpr int unroll = 2;
      const int r = known_r ? known_r : any_r, c = known_c ? known_c : any_c;
      const int lane = t.thread % simt::warp_size;
      const std::int64_t warp = (t.block * t.block_size + t.thread) / simt::warp_size;
      const std::int64_t block_row = warp / warps;
      const int share = static_cast<int>(warp % warps);
      if (block_row >= block_rows) return;
      // Unsigned, so that a step past the last of almost 2^31 blocks does not overflow.
      using Position = std::make_unsigned_t<Ptr>;
      const Position begin = simt::ld(cached.pointers, block_ptr, block_row);
      const Position end = simt::ld(cached.pointers, block_ptr, block_row + 1);
      const int entries = r * c;
      // A block with more than 32 entries is processed in several rounds. Each round has as many whole rows of the
      // block as fit into a warp. A row of more than 32 entries is processed in pieces.
      const int rows_at_once = c > simt::warp_size ? 1 : (simt::warp_size / c < r ? simt::warp_size / c : r);
      const int lanes = c > simt::warp_size ? simt::warp_size : rows_at_once * c;
      const int blocks_at_once = rows_at_once == r ? simt::warp_size / lanes : 1;
      const int own_block = lane / lanes, own = lane % lanes;
      const int width = c > simt::warp_size ? simt::warp_size : c;
      for (int first_row = 0; first_row < r; first_row += rows_at_once) {
        const int i = first_row + own / width;
        const std::int64_t row = block_row * r + i;
        const bool on = own_block < blocks_at_once && i < r && row < rows;
        const T factor = on ? scale.scaled(simt::ld(cached.x, x, row)) : T{0};
        for (int first_column = 0; first_column < c; first_column += width) {
          const int j = first_column + own % width;
          for (Position b = begin + share * blocks_at_once; b < end; b += blocks_at_once * warps * unroll) {
            Col column[unroll];
            T value[unroll];
            SIMT_UNROLL
            for (int u = 0; u < unroll; ++u) {
              const Position block = b + own_block + u * warps * blocks_at_once;
              column[u] = cols;
              value[u] = 0;
              if (!on || block >= end || j >= c) continue;
              column[u] = simt::ld(cached.pointers, block_columns, block) * c + j;
              value[u] =
                  simt::ld(cached.values, values, static_cast<std::int64_t>(block) * entries + i * c + j) * factor;
            }
            SIMT_UNROLL
            for (int u = 0; u < unroll; ++u) {
              T sum = value[u];
              for (int k = 1; k < rows_at_once; ++k) sum += simt::shfl_down(value[u], k * width);
              if (own < width && column[u] < cols) simt::atomic_add(y, column[u], sum);
            }
          }
        }
      }
    }
  };

  static Fields<Params> fields() {
    return {{&Params::warps,
             {.id = "warps",
              .label = "Warps per block row",
              .help = "Warps that share a block row. More of them for long rows.",
              .type = ParamSpec::Type::power_of_two,
              .min = 1,
              .max = 32,
              .tried = {1, 2, 4, 8, 32}}},
            {&Params::block_size, block_size_spec()}};
  }
  static constexpr Tags tags = Tag::blocks | Tag::atomics;
  static constexpr Slowdown slowdown = {1, not_measured};
  static KernelInfo info() {
    KernelInfo info{"bsr_transposed", "BSR transposed",
                    "y = A^T x from the BSR of A: one atomic per column of a block, no transpose is stored.",
                    "after Steinberger et al. 2016, section IV", "bsr"};
    info.operation = Operation::transposed_product;
    return info;
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    scale_y_first(layout, a.cols());
    const auto block_rows = static_cast<index_t>(a.block_ptr().size()) - 1;
    visit_all(
        [&]<class Ptr, class Col>(std::span<const Ptr> block_ptr, std::span<const Col> block_columns) {
          if constexpr (compiled_indices<Ptr, Col>)
            layout.with_caches([&]<class Cached>(const Cached& cached) {
              const auto launch = [&]<int r, int c>() {
                LaunchSpec spec = item_grid(block_rows * p.warps * simt::warp_size, p.block_size);
                tell_lengths(spec, block_ptr, static_cast<double>(p.block_size) / simt::warp_size / p.warps);
                layout.launch(
                    spec, Code<T, Ptr, Col, r, c, Cached>{
                              layout.in("block_ptr", Role::matrix_index, block_ptr),
                              layout.in("block_columns", Role::matrix, block_columns),
                              layout.in("values", Role::matrix, a.values().template as<T>()), layout.x(), layout.y(),
                              a.rows(), block_rows, static_cast<Col>(a.cols()), static_cast<int>(a.block_rows()),
                              static_cast<int>(a.block_cols()), p.warps, layout.scale(), cached});
              };
              if (a.block_rows() == 3 && a.block_cols() == 3)
                launch.template operator()<3, 3>();
              else if (a.block_rows() == 4 && a.block_cols() == 4)
                launch.template operator()<4, 4>();
              else
                launch.template operator()<0, 0>();
            });
        },
        a.block_ptr(), a.block_columns());
  }
};

}  // namespace warpspy::inline SIMT_TARGET
