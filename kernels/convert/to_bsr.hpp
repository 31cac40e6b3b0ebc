// CSR to BSR: the blocks of each block row that have an entry, then their values.
#pragma once

#include "core/formats/bsr.hpp"
#include "kernels/convert/steps.hpp"

namespace warpspy::convert {
inline namespace SIMT_TARGET {

// A warp walks the blocks of a block row from left to right; each of its first r lanes has a row. With the arrays of
// the format it writes them, else it counts them.
template <class T, class Ptr, class Col, class Block, bool counts>
struct WalkBlocks {
  TypedArrays<T, Ptr, Col> csr;
  simt::Array<std::int64_t> blocks;  // block rows + 1: how many each has, then how many stand before; the last is 0
  simt::Array<Block> block_columns;
  simt::Array<T> to_values;
  std::int64_t rows, block_rows;
  int r, c;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t block_row = (t.block * t.block_size + t.thread) / simt::warp_size;
    const int lane = t.thread % simt::warp_size;
    if (block_row >= block_rows) {
      if (counts && block_row == block_rows && lane == 0) simt::st(blocks, block_rows, 0);
      return;
    }
    const std::int64_t row = block_row * r + lane;
    std::int64_t k = 0, end = 0, count = 0;
    if (lane < r && row < rows) k = simt::ld(csr.row_ptr, row), end = simt::ld(csr.row_ptr, row + 1);
    if constexpr (!counts) count = simt::ld(blocks, block_row);
    constexpr std::int64_t none = INT64_MAX;
    std::int64_t column = k < end ? static_cast<std::int64_t>(simt::ld(csr.columns, k)) : none;
    for (;;) {
      const std::int64_t block = least_of_warp(column == none ? none : column / c);
      if (block == none) break;
      if constexpr (!counts) {
        if (lane == 0) simt::st(block_columns, count, static_cast<Block>(block));
        for (int j = 0; j < c && lane < r; ++j) {
          const bool entry = column == block * c + j;
          simt::st(to_values, (count * r + lane) * c + j, entry ? simt::ld(csr.values, k) : T{0});
          if (entry) column = ++k < end ? static_cast<std::int64_t>(simt::ld(csr.columns, k)) : none;
        }
      } else {
        while (column < (block + 1) * c)
          column = ++k < end ? static_cast<std::int64_t>(simt::ld(csr.columns, k)) : none;
      }
      ++count;
    }
    if (counts && lane == 0) simt::st(blocks, block_row, count);
  }
};

}  // namespace SIMT_TARGET

struct ToBsr {
  static constexpr const char* format = "bsr";
  static Fields<BsrParams> fields() { return bsr_fields(); }

  template <class Stage, class T = typename Stage::Value>
  static void lay_out(const CsrFormat& a, const FormatFacts& facts, const BsrParams& p, Stage& stage) {
    stage.typed(a, [&]<class Ptr, class Col>(const TypedArrays<T, Ptr, Col>& csr) {
      const index_t block_rows = (a.rows() + p.block_rows - 1) / p.block_rows;
      const index_t block_cols = (a.cols() + p.block_cols - 1) / p.block_cols;
      const auto blocks = stage.template scratch<std::int64_t>("blocks of rows", block_rows + 1, zeros);
      const LaunchSpec warps = item_grid((block_rows + 1) * simt::warp_size, threads);
      stage.launch(warps, WalkBlocks<T, Ptr, Col, Col, true>{
                              csr, blocks, {}, {}, a.rows(), block_rows, p.block_rows, p.block_cols});
      const index_t all = lay_out_sums(stage, blocks, [&] { return facts.blocks(p.block_rows, p.block_cols); });
      const LaunchSpec grid = strided_grid(block_rows + 1);
      const auto pointers = [&]<class E>(E) {
        stage.launch(grid, Copy<std::int64_t, E>{as_const(blocks), stage.template out<E>("block_ptr", block_rows + 1),
                                                 grid.grid});
      };
      Indices::fits32(all) ? pointers(std::int32_t{}) : pointers(std::int64_t{});
      const auto fill = [&]<class Block>(Block) {
        stage.launch(warps, WalkBlocks<T, Ptr, Col, Block, false>{
                                csr, blocks, stage.template out<Block>("block_columns", all),
                                stage.template out<T>("values", all * p.block_rows * p.block_cols), a.rows(),
                                block_rows, p.block_rows, p.block_cols});
      };
      Indices::fits32(block_cols) ? fill(std::int32_t{}) : fill(std::int64_t{});
    });
  }
};

}  // namespace warpspy::convert
