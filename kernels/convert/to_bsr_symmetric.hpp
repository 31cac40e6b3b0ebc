// CSR of a symmetric matrix to blocks of its lower triangle: the blocks of each block row, sorted slices of block rows,
// a tile for each block of a slice, then their values.
#pragma once

#include "core/formats/bsr_symmetric.hpp"
#include "kernels/convert/blocks.hpp"
#include "kernels/convert/slices.hpp"

namespace warpspy::convert {
inline namespace SIMT_TARGET {

inline constexpr int looked_at = 32;  // blocks of a row among which one is chosen: a lane for each

// A warp chooses a tile for each block of a slice as BsrSymmetricFormat does. Of the first blocks of a row it takes one
// that shares its bank with fewest, and moves the row's last block there. Each choice depends on those before, so the
// warp goes from block to block. Only where a single row is left there is nothing to choose.
template <class SlicePtr, class Block>
struct SpreadBlocks {
  simt::Array<const SlicePtr> slice_ptr;      // in tiles
  simt::Array<const Block> permutation;       // the block row at each place
  simt::Array<const std::int64_t> block_ptr;  // where the blocks of each block row begin
  simt::Array<const Block> blocks;            // their columns, rising
  simt::Array<Block> block_columns;
  int banks;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(Block, first_blocks, simt::warp_size * looked_at);
    SIMT_SHARED(int, in_bank, simt::warp_size);
    const int lane = t.thread;
    const std::int64_t place = t.block * simt::warp_size + lane;
    std::int64_t begin = 0, length = 0;
    if (place < permutation.size) {
      const std::int64_t block_row = simt::ld(permutation, place);
      begin = simt::ld(block_ptr, block_row), length = simt::ld(block_ptr, block_row + 1) - begin;
    }
    for (int row = 0; row < simt::warp_size; ++row) {
      const std::int64_t from = simt::shfl(begin, row), count = simt::shfl(length, row);
      if (lane < count) simt::st(first_blocks, row * looked_at + lane, simt::ld(blocks, from + lane));
    }
    simt::syncwarp();
    const std::int64_t first = simt::ld(slice_ptr, t.block), steps = simt::ld(slice_ptr, t.block + 1) - first;
    for (std::int64_t step = 0; step < steps; ++step) {
      const int rows = simt::count_bits(simt::ballot(step < length));  // they are sorted by falling length
      if (rows == 1) return write_rest(lane, first_blocks, simt::shfl(begin, 0), first + step, first + steps);
      simt::st(in_bank, lane, 0);
      simt::syncwarp();
      Block own = -1;
      for (int row = rows - 1; row >= 0; --row) {
        const std::int64_t left = simt::shfl(length, row) - step, from = simt::shfl(begin, row);
        Block column = 0;
        int bank = 0, key = INT32_MAX;
        if (lane < left) {
          column = simt::ld(first_blocks, row * looked_at + lane);
          bank = row / banks * banks + static_cast<int>(column % banks);
          key = simt::ld(in_bank, bank) * looked_at + lane;
        }
        const int best = least_of_warp(key) % looked_at;
        column = simt::shfl(column, best);
        if (lane == row) own = column;
        simt::syncwarp();
        if (lane == best) {
          simt::st(in_bank, bank, key / looked_at + 1);
          simt::st(first_blocks, row * looked_at + best, at(first_blocks, row, from, left - 1));
        }
        simt::syncwarp();
      }
      simt::st(block_columns, (first + step) * simt::warp_size + lane, own);
    }
  }

 private:
  // Block n of those that are left of a row.
  SIMT_DEVICE Block at(const simt::SharedArray<Block>& first_blocks, int row, std::int64_t begin,
                       std::int64_t n) const {
    return n < looked_at ? simt::ld(first_blocks, row * looked_at + n) : simt::ld(blocks, begin + n);
  }
  // The tiles [tile, past) have blocks of the slice's first row alone: its first one, then the others from behind.
  SIMT_DEVICE void write_rest(int lane, const simt::SharedArray<Block>& first_blocks, std::int64_t begin,
                              std::int64_t tile, std::int64_t past) const {
    const std::int64_t left = past - tile;
    for (std::int64_t n = lane; n < left; n += simt::warp_size)
      simt::st(block_columns, (tile + n) * simt::warp_size, at(first_blocks, 0, begin, n == 0 ? 0 : left - n));
    for (; lane > 0 && tile < past; ++tile) simt::st(block_columns, tile * simt::warp_size + lane, -1);
  }
};

// A thread for each row of each place of a tile.
template <class T, class Ptr, class Col, class SlicePtr, class Block>
struct FillTiles {
  TypedArrays<T, Ptr, Col> csr;
  simt::Array<const SlicePtr> slice_ptr;
  simt::Array<const Block> permutation, block_columns;
  simt::Array<T> to_values;
  std::int64_t rows;
  int r;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(std::int64_t, ends, 2);
    constexpr int warps = threads / simt::warp_size;
    const std::int64_t first = t.block * warps, number = first + t.thread / simt::warp_size;
    const Between near = rows_between(t, ends, slice_ptr, slice_ptr.size - 2, first / r, (first + warps - 1) / r + 1);
    const std::int64_t to = number / r;  // the tile
    const int lane = t.thread % simt::warp_size, i = static_cast<int>(number - to * r);
    if (to * simt::warp_size >= block_columns.size) return;
    const std::int64_t place = row_of(slice_ptr, near.low, near.high, to) * simt::warp_size + lane;
    const std::int64_t column = static_cast<std::int64_t>(simt::ld(block_columns, to * simt::warp_size + lane)) * r;
    std::int64_t k = 0, end = 0, row = rows;
    if (column >= 0) row = static_cast<std::int64_t>(simt::ld(permutation, place)) * r + i;
    if (row < rows) {
      end = simt::ld(csr.row_ptr, row + 1);
      k = entry_from(csr.columns, simt::ld(csr.row_ptr, row), end, column);
    }
    for (int j = 0; j < r; ++j) {
      const bool entry = k < end && simt::ld(csr.columns, k) == column + j;
      simt::st(to_values, (number * r + j) * simt::warp_size + lane, entry ? simt::ld(csr.values, k) : T{0});
      k += entry;
    }
  }
};

}  // namespace SIMT_TARGET
static_assert(BsrSymmetricFormat::tile == simt::warp_size);

struct ToBsrSymmetric {
  static constexpr const char* format = "bsr_symmetric";
  static Fields<BsrSymmetricParams> fields() { return bsr_symmetric_fields(); }

  template <class Stage, class T = typename Stage::Value>
  static void lay_out(const CsrFormat& a, const FormatFacts& facts, const BsrSymmetricParams& p, Stage& stage) {
    if (!facts.symmetry().values)
      throw Error("half of the blocks stand for all of a symmetric matrix only", {}, "make BSR");
    const int r = p.block_rows;
    const index_t block_rows = (a.rows() + r - 1) / r;
    const auto foreseen = [&] { return bsr_symmetric_estimate(facts, a.precision(), set_of(fields(), p)); };
    const auto tiles = [&] { return foreseen().stored / (r * r * simt::warp_size); };
    stage.typed(a, [&]<class Ptr, class Col>(const TypedArrays<T, Ptr, Col>& csr) {
      const BlocksFound found = lay_out_heads(stage, a, csr, r, r, true,
                                              [&] { return static_cast<index_t>(foreseen().fact("blocks")->value); });
      const auto block_ptr = stage.template scratch<std::int64_t>("blocks begin", block_rows + 1);
      lay_out_block_ptr(stage, a, csr, r, found, block_ptr);
      const SellParams order{.slice_rows = simt::warp_size, .sort_window = int{BsrSymmetricFormat::window}};
      lay_out_slices(stage, as_const(block_ptr), order, 1, tiles,
                     [&]<class SlicePtr, class Block>(const SliceArrays<SlicePtr, Block>& s) {
                       const auto blocks = stage.template scratch<Block>("blocks of rows", found.count);
                       const auto block_columns = stage.template out<Block>("block_columns", s.slots * simt::warp_size);
                       const auto values = stage.template out<T>("values", block_columns.size * r * r);
                       lay_out_block_columns(stage, a, csr, r, r, found, blocks);
                       if (s.slots == 0) return;
                       constexpr int banks = 128 / static_cast<int>(sizeof(T));  // lanes that add in one pass
                       stage.launch({.grid = s.slices, .block = simt::warp_size},
                                    SpreadBlocks<SlicePtr, Block>{s.slice_ptr, s.permutation, as_const(block_ptr),
                                                                  as_const(blocks), block_columns, banks});
                       stage.launch(item_grid(block_columns.size * r, threads),
                                    FillTiles<T, Ptr, Col, SlicePtr, Block>{
                                        csr, s.slice_ptr, s.permutation, as_const(block_columns), values, a.rows(), r});
                     });
    });
  }
};

}  // namespace warpspy::convert
