// Finds the blocks of r rows and c columns of a matrix that have an entry. Both conversions to BSR begin with this.
#pragma once

#include "kernels/convert/steps.hpp"
#include "kernels/convert/values.hpp"

namespace warpspy::convert {
inline namespace SIMT_TARGET {

// Returns the first of a row's entries [first, past) whose column is at least `column`.
template <class Col>
SIMT_DEVICE std::int64_t entry_from(const simt::Array<const Col>& columns, std::int64_t first, std::int64_t past,
                                    std::int64_t column, simt::Where where = simt::Where::current()) {
  while (first < past) {
    const std::int64_t middle = (first + past) / 2;
    if (simt::ld(columns, middle, where) < column)
      first = middle + 1;
    else
      past = middle;
  }
  return first;
}

// A block's head is the first entry of its first row that has one. A bit for each entry tells whether it is a head.
// `before` counts the heads before each word of 32 bits.
struct Heads {
  simt::Array<const std::uint32_t> bits;
  simt::Array<const std::int64_t> before;

  SIMT_DEVICE bool has(std::int64_t k) const { return simt::ld(bits, k / 32) >> (k % 32) & 1; }
  SIMT_DEVICE std::int64_t before_entry(std::int64_t k) const {
    const std::uint32_t lower = (std::uint32_t{1} << (k % 32)) - 1;
    return simt::ld(before, k / 32) + simt::count_bits(simt::ld(bits, k / 32) & lower);
  }
};

// Each entry gets a thread, so that a long row has many. It tells whether its entry is a head.
template <class Ptr, class Col>
struct MarkHeads {
  simt::Array<const Ptr> row_ptr;
  simt::Array<const Col> columns;
  simt::Array<std::uint32_t> bits;
  simt::Array<std::int64_t> counts;  // heads of each word
  std::int64_t last_row;
  int r, c;
  bool lower;  // whether only blocks up to the diagonal are wanted

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(std::int64_t, ends, 2);
    const std::int64_t first = t.block * tile;
    const Between rows = rows_between(t, ends, row_ptr, last_row, first, first + tile);
    for (int i = 0; i < tile_items; ++i) {
      const std::int64_t k = first + i * threads + t.thread;
      const std::uint32_t heads = simt::ballot(k < columns.size && is_head(row_of(row_ptr, rows.low, rows.high, k), k));
      if (t.thread % simt::warp_size != 0 || k / 32 >= bits.size) continue;
      simt::st(bits, k / 32, heads);
      simt::st(counts, k / 32, simt::count_bits(heads));
    }
  }

 private:
  SIMT_DEVICE bool is_head(std::int64_t row, std::int64_t k) const {
    const std::int64_t begin = simt::ld(row_ptr, row), block_row = row / r;
    const std::int64_t block = simt::ld(columns, k) / c, column = block * c;
    if (lower && block > block_row) return false;
    if (k > begin && simt::ld(columns, k - 1) >= column) return false;
    std::int64_t past = begin;
    for (std::int64_t above = row - 1; above >= block_row * r; --above) {
      const std::int64_t from = simt::ld(row_ptr, above), at = entry_from(columns, from, past, column);
      if (at < past && simt::ld(columns, at) < column + c) return false;
      past = from;
    }
    return true;
  }
};

// Writes how many blocks stand before each block row.
template <class Ptr, class E>
struct BlocksBefore {
  simt::Array<const Ptr> row_ptr;
  Heads heads;
  simt::Array<E> block_ptr;
  std::int64_t rows, grid;
  int r;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (std::int64_t b = t.block * threads + t.thread; b < block_ptr.size; b += grid * threads)
      simt::st(block_ptr, b, static_cast<E>(heads.before_entry(simt::ld(row_ptr, b * r < rows ? b * r : rows))));
  }
};

// Each entry gets a thread; the threads of heads write the block's column to its place. The blocks to its left in the
// block row have heads with smaller columns. These heads are counted in each of the r rows.
template <class Ptr, class Col, class Block>
struct PlaceBlocks {
  simt::Array<const Ptr> row_ptr;
  simt::Array<const Col> columns;
  Heads heads;
  simt::Array<Block> block_columns;
  std::int64_t rows;
  int r, c;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(std::int64_t, ends, 2);
    const std::int64_t first = t.block * tile, past = first + tile < columns.size ? first + tile : columns.size;
    const Between near = rows_between(t, ends, row_ptr, rows - 1, first, past);
    for (std::int64_t k = first + t.thread; k < past; k += threads) {
      if (!heads.has(k)) continue;
      const std::int64_t block_row = row_of(row_ptr, near.low, near.high, k) / r, block = simt::ld(columns, k) / c;
      std::int64_t row = block_row * r, begin = simt::ld(row_ptr, row);
      std::int64_t place = heads.before_entry(begin);
      for (const std::int64_t end_row = row + r < rows ? row + r : rows; row < end_row; ++row) {
        const std::int64_t end = simt::ld(row_ptr, row + 1);
        const std::int64_t at = begin <= k && k < end ? k : entry_from(columns, begin, end, block * c);
        place += heads.before_entry(at) - heads.before_entry(begin);
        begin = end;
      }
      simt::st(block_columns, place, static_cast<Block>(block));
    }
  }
};

}  // namespace SIMT_TARGET

// Lays out the search for the r x c blocks that have an entry. With `lower` only blocks up to the diagonal are found.
struct BlocksFound {
  Heads heads;
  index_t count;
};

// `foreseen` counts the blocks on the host, for an emulator in which no launch has run yet.
template <class Stage, class T, class Ptr, class Col, class Foreseen>
BlocksFound lay_out_heads(Stage& stage, const CsrFormat& a, const TypedArrays<T, Ptr, Col>& csr, int r, int c,
                          bool lower, const Foreseen& foreseen) {
  const index_t words = a.nnz() / 32 + 1;  // one more than all entries need: then heads before the end can be asked for
  const auto bits = stage.template scratch<std::uint32_t>("heads of blocks", words, zeros);
  const auto before = stage.template scratch<std::int64_t>("heads before a word", words, zeros);
  stage.launch({.grid = a.nnz() / tile + 1, .block = threads},
               MarkHeads<Ptr, Col>{csr.row_ptr, csr.columns, bits, before, a.rows() - 1, r, c, lower});
  const index_t count = lay_out_sums(stage, before, foreseen);
  return {{as_const(bits), as_const(before)}, count};
}

// Lays out the array that tells where the blocks of each block row begin.
template <class Stage, class T, class Ptr, class Col, class E>
void lay_out_block_ptr(Stage& stage, const CsrFormat& a, const TypedArrays<T, Ptr, Col>& csr, int r,
                       const BlocksFound& found, const simt::Array<E>& block_ptr) {
  const LaunchSpec grid = strided_grid(block_ptr.size);
  stage.launch(grid, BlocksBefore<Ptr, E>{csr.row_ptr, found.heads, block_ptr, a.rows(), grid.grid, r});
}
// Lays out the array of all blocks' columns.
template <class Stage, class T, class Ptr, class Col, class Block>
void lay_out_block_columns(Stage& stage, const CsrFormat& a, const TypedArrays<T, Ptr, Col>& csr, int r, int c,
                           const BlocksFound& found, const simt::Array<Block>& block_columns) {
  if (found.count == 0) return;
  stage.launch({.grid = (a.nnz() + tile - 1) / tile, .block = threads},
               PlaceBlocks<Ptr, Col, Block>{csr.row_ptr, csr.columns, found.heads, block_columns, a.rows(), r, c});
}

}  // namespace warpspy::convert
