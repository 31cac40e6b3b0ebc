// The kernel bsr_symmetric divides its tiles of matrix blocks into shares, one for each thread block. Launches on a
// device choose which tiles each share has, as block_slots() does on the host (kernels/spmv/block_slots.hpp).
//
// Each matrix block has two lines: its block row and its block column. The lines of all blocks are sorted once. So each
// occurrence of a line knows the tile of the occurrence before it. A line is new to a share if that tile lies before
// the share. So a thread block can count the lines of any share by going over its tiles once. All shares whose lines do
// not fit into shared memory are cut in halves, until none is left.
#pragma once

#include <algorithm>
#include <vector>

#include "kernels/convert/steps.hpp"
#include "kernels/spmv/block_slots.hpp"

namespace warpspy::convert {

inline constexpr int line_counters = 512;                  // threads of a block that counts a share's lines
inline constexpr int lines_of_tile = 2 * simt::warp_size;  // rows, then columns

inline namespace SIMT_TARGET {

// The same data as BlockSlices on the host, as arrays of a launch.
template <class Ptr, class Row, class Col>
struct BlockSlicesThere {
  simt::Array<const Ptr> slice_ptr;
  simt::Array<const Row> rows;
  simt::Array<const Col> columns;

  SIMT_DEVICE std::int64_t slice_of(std::int64_t tile, simt::Where where = simt::Where::current()) const {
    return row_of(slice_ptr, std::int64_t{0}, slice_ptr.size - 2, tile, where);
  }
};

// Each place of a tile gets a thread, which writes the lines of its block. A place without a block gets `none`, which
// is sorted behind all others.
template <class Slices>
struct LinesOfBlocks {
  Slices slices;
  simt::Array<std::int32_t> lines;
  std::int32_t none;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t at = t.block * threads + t.thread, tile = at / simt::warp_size;
    if (at >= slices.columns.size) return;
    const std::int64_t lane = at % simt::warp_size, first = tile * lines_of_tile;
    const auto column = static_cast<std::int32_t>(simt::ld(slices.columns, at));
    const std::int64_t place = slices.slice_of(tile) * simt::warp_size + lane;
    const std::int32_t row = column < 0 ? none : static_cast<std::int32_t>(simt::ld(slices.rows, place));
    simt::st(lines, first + lane, row);
    simt::st(lines, first + simt::warp_size + lane, column < 0 ? none : column);
  }
};

// For each occurrence of a line, the tile of the occurrence before it; -1: there is none.
struct TilesBefore {
  Sorted<const std::uint32_t, const std::int32_t> sorted;
  simt::Array<std::int32_t> before;
  std::int64_t grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (std::int64_t p = t.block * threads + t.thread; p < sorted.keys.size; p += grid * threads) {
      const bool same = p > 0 && simt::ld(sorted.keys, p - 1) == simt::ld(sorted.keys, p);
      simt::st(before, simt::ld(sorted.order, p),
               same ? static_cast<std::int32_t>(simt::ld(sorted.order, p - 1) / lines_of_tile) : -1);
    }
  }
};

// Divides the tiles into shares of equal numbers of tiles. Writes where each begins, and the end of the last.
struct EqualTiles {
  simt::Array<std::int32_t> begins;
  std::int64_t share, tiles, grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (std::int64_t s = t.block * threads + t.thread; s < begins.size; s += grid * threads)
      simt::st(begins, s, static_cast<std::int32_t>(s * share < tiles ? s * share : tiles));
  }
};

// For each share: its number of lines, the lines in the fullest bank, its slots, and whether it must be cut in halves
// (1 or 0).
struct ShareSizes {
  simt::Array<std::int64_t> lines, deepest, slots, cut;
};

// Each share gets a thread block, which counts its lines.
struct SizeShares {
  simt::Array<const std::int32_t> lines, before, begins;
  ShareSizes sizes;
  std::int32_t none;
  std::int64_t room;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    constexpr int banks = simt::warp_size;
    SIMT_SHARED(int, in_bank, banks);
    if (t.thread < banks) simt::st(in_bank, t.thread, 0);
    simt::sync_block();
    const std::int64_t first = simt::ld(begins, t.block), end = simt::ld(begins, t.block + 1);
    SIMT_UNROLL_BY_4
    for (std::int64_t k = first * lines_of_tile + t.thread; k < end * lines_of_tile; k += line_counters) {
      const std::int32_t line = simt::ld(lines, k);
      if (line != none && simt::ld(before, k) < first) simt::atomic_add(in_bank, line % banks, 1);
    }
    simt::sync_block();
    if (t.thread >= simt::warp_size) return;
    const int own = simt::ld(in_bank, t.thread);
    const std::int64_t listed = simt::sum_xor(own), deepest = -least_of_warp(-own);
    if (t.thread != 0) return;
    const std::int64_t slots = slots_follow_banks(deepest, listed, room) ? deepest * banks : listed;
    simt::st(sizes.lines, t.block, listed);
    simt::st(sizes.deepest, t.block, deepest);
    simt::st(sizes.slots, t.block, slots);
    simt::st(sizes.cut, t.block, slots > room && end - first > 1 ? 1 : 0);
  }
};

// Each share gets a thread, and one more writes the end of the last. Shares that must be cut become two.
struct CutInHalves {
  simt::Array<const std::int32_t> begins;
  simt::Array<const std::int64_t> before;  // how many are cut before each
  simt::Array<std::int32_t> to;
  std::int64_t cut;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t share = t.block * threads + t.thread;
    if (share > before.size) return;
    const std::int32_t first = simt::ld(begins, share);
    if (share == before.size) return simt::st(to, share + cut, first);
    const std::int64_t earlier = simt::ld(before, share);
    const std::int64_t next = share + 1 < before.size ? simt::ld(before, share + 1) : cut;
    simt::st(to, share + earlier, first);
    if (next > earlier)
      simt::st(to, share + earlier + 1,
               static_cast<std::int32_t>((std::int64_t{first} + simt::ld(begins, share + 1)) / 2));
  }
};

}  // namespace SIMT_TARGET

// Lays out the launches that choose the shares, as the host does, and count their sizes.
template <class Fits>
class BlockShares {
 public:
  BlockShares(index_t tiles, const Fits& fits) : tiles_(tiles), fits_(fits) {}

  template <class Stage>
  void lay_out(Stage& stage, const simt::Array<const std::int32_t>& lines,
               const simt::Array<const std::int32_t>& before, std::int32_t none, index_t shares, index_t room) {
    index_t cut = 0;
    const auto size = [&] {
      const index_t count = begins.size - 1;
      const auto of = [&](const char* name) { return stage.template scratch<std::int64_t>(name, count); };
      sizes = {of("lines of shares"), of("deepest banks"), of("slots of shares"), of("shares to cut")};
      stage.launch({.grid = count, .block = line_counters},
                   SizeShares{lines, before, as_const(begins), sizes, none, room});
      cut = lay_out_sums(stage, sizes.cut, [&] { return static_cast<index_t>(foreseen_cuts().size()); });
    };
    for (index_t share = std::max<index_t>(1, (tiles_ + shares - 1) / shares);; share = (share + 1) / 2) {
      const index_t whole = (tiles_ + share - 1) / share;
      begins = stage.template scratch<std::int32_t>("shares begin", whole + 1);
      const LaunchSpec each = strided_grid(begins.size);
      stage.launch(each, EqualTiles{begins, share, tiles_, each.grid});
      foreseen_ = {};
      equal_ = share;
      size();
      if (share == 1 || cut <= whole / few_of_shares) break;
    }
    while (cut > 0) {
      const auto halves = stage.template scratch<std::int32_t>("shares begin", begins.size + cut);
      stage.launch(item_grid(begins.size, threads), CutInHalves{as_const(begins), as_const(sizes.cut), halves, cut});
      begins = halves;
      size();
    }
  }

  simt::Array<std::int32_t> begins;
  ShareSizes sizes;

 private:
  // Returns the middles of the shares that the host would cut; new shares begin there.
  std::vector<index_t> foreseen_cuts() {
    std::vector<index_t> middles;
    if (foreseen_.empty()) {
      for (index_t first = 0; first < tiles_; first += equal_) foreseen_.push_back(first);
      foreseen_.push_back(tiles_);
    }
    for (std::size_t s = 0; s + 1 < foreseen_.size(); ++s)
      if (foreseen_[s + 1] - foreseen_[s] > 1 && !fits_(foreseen_[s], foreseen_[s + 1]))
        middles.push_back((foreseen_[s] + foreseen_[s + 1]) / 2);
    foreseen_.insert(foreseen_.end(), middles.begin(), middles.end());
    std::sort(foreseen_.begin(), foreseen_.end());
    return middles;
  }

  index_t tiles_;
  const Fits& fits_;
  index_t equal_ = 0;              // tiles of each share before any is cut
  std::vector<index_t> foreseen_;  // where shares begin, where nothing has run yet
};

}  // namespace warpspy::convert
