// Converts the CSR of a symmetric matrix to blocks of its lower triangle. It finds the blocks of each block row, sorts
// block rows and cuts them into slices, assigns each block to a tile of its slice, and writes the values. A tile has at
// most one block of each of the slice's 32 block rows.
#pragma once

#include "core/formats/bsr_symmetric.hpp"
#include "kernels/convert/blocks.hpp"
#include "kernels/convert/slices.hpp"

namespace warpspy::convert {
inline namespace SIMT_TARGET {

inline constexpr int looked_at = 32;  // blocks of a row among which one is chosen: a lane for each
inline constexpr std::int64_t segment = BsrSymmetricFormat::segment;

// The slices of block rows, and the blocks of each block row.
template <class SlicePtr, class Block>
struct BlocksOfSlices {
  simt::Array<const SlicePtr> slice_ptr;      // in tiles
  simt::Array<const Block> permutation;       // the block row at each place
  simt::Array<const std::int64_t> block_ptr;  // where the blocks of each block row begin
  simt::Array<const Block> blocks;            // their columns, rising
  simt::Array<Block> block_columns;

  struct Row {
    std::int64_t begin, length;
  };
  // The segment of a row that begins `from` blocks behind its first one; of length 0 where the row ends before.
  SIMT_DEVICE Row row_at(std::int64_t place, std::int64_t from, simt::Where where = simt::Where::current()) const {
    if (place >= permutation.size) return {0, 0};
    const std::int64_t row = simt::ld(permutation, place, where), begin = simt::ld(block_ptr, row, where) + from;
    const std::int64_t left = simt::ld(block_ptr, row + 1, where) - begin;
    return {begin, left < 0 ? 0 : left < segment ? left : segment};
  }
  SIMT_DEVICE std::int64_t slice_of(std::int64_t tile, simt::Where where = simt::Where::current()) const {
    return row_of(slice_ptr, std::int64_t{0}, slice_ptr.size - 2, tile, where);
  }

  // The segment that a block of threads has: of a slice, from tile `from` of it on. Each slice's first segment has the
  // block of its number. Of `segment` neighbouring tiles at most one begins a later segment: that of the slice which
  // the first of them belongs to.
  struct Segment {
    std::int64_t slice, from, tiles;  // no tiles: there is none
  };
  SIMT_DEVICE Segment segment_of(std::int64_t block, simt::Where where = simt::Where::current()) const {
    const std::int64_t slices = slice_ptr.size - 1;
    std::int64_t slice = block, from = 0;
    if (block >= slices) {
      const std::int64_t tile = (block - slices) * segment;
      slice = slice_of(tile, where);
      from = (tile - simt::ld(slice_ptr, slice, where) + segment - 1) / segment * segment;
      if (from == 0) return {slice, 0, 0};
    }
    const std::int64_t left = simt::ld(slice_ptr, slice + 1, where) - simt::ld(slice_ptr, slice, where) - from;
    return {slice, from, left < 0 ? 0 : left < segment ? left : segment};
  }
};

// A warp assigns the blocks of a slice to tiles, as BsrSymmetricFormat does on the host. Among the first blocks of a
// row it takes one whose bank of shared memory is used by the fewest blocks of the tile. It moves the row's last block
// to the free place. Each choice depends on the earlier ones, so the warp goes from block to block. If only a single
// row is left, there is nothing to choose.
template <class SlicePtr, class Block>
struct SpreadBlocks {
  BlocksOfSlices<SlicePtr, Block> of;
  int banks;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(Block, first_blocks, simt::warp_size * looked_at);
    SIMT_SHARED(int, in_bank, simt::warp_size);
    const int lane = t.thread;
    const auto own_segment = of.segment_of(t.block);
    const std::int64_t steps = own_segment.tiles;
    if (steps == 0) return;
    const std::int64_t first = simt::ld(of.slice_ptr, own_segment.slice) + own_segment.from;
    const auto [begin, length] = of.row_at(own_segment.slice * simt::warp_size + lane, own_segment.from);
    for (int row = 0; row < simt::warp_size; ++row) {
      const std::int64_t from = simt::shfl(begin, row), count = simt::shfl(length, row);
      if (lane < count) simt::st(first_blocks, row * looked_at + lane, simt::ld(of.blocks, from + lane));
    }
    simt::syncwarp();
    Block next_last = last_block(begin, length);
    for (std::int64_t step = 0; step < steps; ++step) {
      const int rows = simt::count_bits(simt::ballot(step < length));  // they are sorted by falling length
      if (rows == 1) return write_first(lane, first_blocks, first + step, steps - step);
      const Block own_last = next_last;
      next_last = last_block(begin, length - step - 1);  // comes while this step chooses
      simt::st(in_bank, lane, 0);
      simt::syncwarp();
      Block own = -1;
      for (int row = rows - 1; row >= 0; --row) {
        const std::int64_t left = simt::shfl(length, row) - step;
        const Block last = simt::shfl(own_last, row);
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
          simt::st(first_blocks, row * looked_at + best,
                   left > looked_at ? last : simt::ld(first_blocks, row * looked_at + left - 1));
        }
        simt::syncwarp();
      }
      simt::st(of.block_columns, (first + step) * simt::warp_size + lane, own);
    }
  }

 private:
  // Returns the last block of a row with `length` blocks, unless it is one of the first.
  SIMT_DEVICE Block last_block(std::int64_t begin, std::int64_t length,
                               simt::Where where = simt::Where::current()) const {
    return length > looked_at ? simt::ld(of.blocks, begin + length - 1, where) : Block{0};
  }
  // Only the slice's first row has blocks in the last `left` tiles, from `tile` on. They are its first block, then the
  // others from the end backwards. WriteRest writes those that are not among the first.
  SIMT_DEVICE void write_first(int lane, const simt::SharedArray<Block>& first_blocks, std::int64_t tile,
                               std::int64_t left) const {
    if (lane < left)
      simt::st(of.block_columns, (tile + (lane == 0 ? 0 : left - lane)) * simt::warp_size,
               simt::ld(first_blocks, lane));
  }
};
static_assert(looked_at == simt::warp_size);

// Writes the blocks of tiles in which only a single row has blocks. Each place of each tile gets a thread, so that many
// threads share a row of millions of blocks.
template <class SlicePtr, class Block>
struct WriteRest {
  BlocksOfSlices<SlicePtr, Block> of;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t at = t.block * threads + t.thread, tile = at / simt::warp_size;
    if (at >= of.block_columns.size) return;
    const std::int64_t slice = of.slice_of(tile), in_slice = tile - simt::ld(of.slice_ptr, slice);
    const std::int64_t step = in_slice % segment, from = in_slice - step;
    const auto second = of.row_at(slice * simt::warp_size + 1, from);
    if (step < second.length) return;
    if (at % simt::warp_size > 0) return simt::st(of.block_columns, at, Block{-1});
    const auto row = of.row_at(slice * simt::warp_size, from);
    const std::int64_t block = row.length - step;  // of those that are left when the others have ended
    if (step > second.length && block >= looked_at)
      simt::st(of.block_columns, at, simt::ld(of.blocks, row.begin + block));
  }
};

// Writes the values of the blocks. Each row of each block in a tile gets a thread.
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
                       const BlocksOfSlices<SlicePtr, Block> of{s.slice_ptr, s.permutation, as_const(block_ptr),
                                                                as_const(blocks), block_columns};
                       stage.launch({.grid = s.slices + (s.slots - 1) / segment + 1, .block = simt::warp_size},
                                    SpreadBlocks<SlicePtr, Block>{of, banks});
                       stage.launch(item_grid(block_columns.size, threads), WriteRest<SlicePtr, Block>{of});
                       launch_of_values(
                           stage, item_grid(block_columns.size * r, threads),
                           FillTiles<T, Ptr, Col, SlicePtr, Block>{csr, s.slice_ptr, s.permutation,
                                                                   as_const(block_columns), values, a.rows(), r});
                     });
    });
  }
};

}  // namespace warpspy::convert
