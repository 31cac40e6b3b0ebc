// Tells what csr_even and others read in place of row pointers (kernels/spmv/even_split.hpp). Launches on a device make
// it, byte for byte as even_split() makes it on the host.
#pragma once

#include "kernels/convert/conversion.hpp"
#include "kernels/convert/entry_ends.hpp"
#include "kernels/spmv/even_split.hpp"

namespace warpspy::convert {
inline namespace SIMT_TARGET {

// A block handles 8 tiles, with a thread for each of their lanes. It goes over the rows that have entries there, and
// writes the lanes' flags.
template <class Ptr>
struct FlagsOfLanes {
  simt::Array<const Ptr> row_ptr;
  simt::Array<std::uint16_t> flags;
  simt::Array<std::int64_t> ended;  // of each tile: rows that end in it
  std::int64_t entries;
  int items;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(int, ends, threads);
    SIMT_SHARED(std::int64_t, bounds, 2);
    const std::int64_t begin = t.block * threads * items;
    const std::int64_t past = begin + threads * items < entries ? begin + threads * items : entries;
    mark_ends(t, ends, bounds, row_ptr, begin, past, items);
    const int own = simt::ld(ends, t.thread), count = simt::count_bits(static_cast<std::uint32_t>(own));
    const int lane = t.thread % simt::warp_size, before = counts_before(lane, count);
    const std::int64_t at = t.block * threads + t.thread;
    if (at >= flags.size) return;
    simt::st(flags, at, static_cast<std::uint16_t>(own | before << items));
    if (lane == simt::warp_size - 1) simt::st(ended, at / simt::warp_size, before + count);
  }
};

// The row that continues from the previous share into `share`.
template <class Ptr>
struct CrossingRows {
  simt::Array<const Ptr> row_ptr;
  std::int64_t rows, entries_of_share;

  struct Crossing {
    std::int64_t row = -1, from = 0, to = 0;  // its first and its last share; row -1: none
    SIMT_DEVICE std::int32_t parts() const { return static_cast<std::int32_t>(to - from + 1); }
  };
  SIMT_DEVICE Crossing into(std::int64_t share, simt::Where where = simt::Where::current()) const {
    const std::int64_t border = share * entries_of_share;
    const std::int64_t row = row_of(row_ptr, std::int64_t{0}, rows - 1, border, where);
    const std::int64_t begin = simt::ld(row_ptr, row, where);
    if (begin == border) return {};
    return {row, begin / entries_of_share, (simt::ld(row_ptr, row + 1, where) - 1) / entries_of_share};
  }
};

// Each share gets a thread. It counts the slots for the sum of the row that began in an earlier share and ends in this
// one.
template <class Ptr>
struct SlotsOfShares {
  CrossingRows<Ptr> crossing;
  simt::Array<std::int64_t> slots;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t share = t.block * t.block_size + t.thread;
    if (share >= slots.size) return;
    std::int64_t own = 0;
    if (share > 0) {
      const auto in = crossing.into(share);
      if (in.row >= 0 && in.to == share) own = slots_for(in.parts());
    }
    simt::st(slots, share, own);
  }
};

template <class Ptr>
struct FillBorders {
  CrossingRows<Ptr> crossing;
  simt::Array<const std::int64_t> slots;  // before each share
  simt::Array<std::int32_t> borders;      // as EvenSplit::Border

  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t share = t.block * t.block_size + t.thread;
    if (share >= slots.size) return;
    EvenSplit::Border b{};
    if (share > 0) {
      const auto in = crossing.into(share);
      if (in.row >= 0 && in.to == share) {
        b.in_slot = static_cast<std::int32_t>(simt::ld(slots, share));
        b.in_parts = in.parts();
      }
    }
    if (share + 1 < slots.size) {
      const auto out = crossing.into(share + 1);
      if (out.row >= 0) {
        b.out_slot = static_cast<std::int32_t>(simt::ld(slots, out.to));
        b.out_index = static_cast<std::int32_t>(share - out.from);
        b.out_parts = out.parts();
        b.out_row = static_cast<std::int32_t>(out.row);
      }
    }
    const std::int64_t at = share * EvenSplit::border_ints;
    simt::st(borders, at, b.in_slot);
    simt::st(borders, at + 1, b.in_parts);
    simt::st(borders, at + 2, b.out_slot);
    simt::st(borders, at + 3, b.out_index);
    simt::st(borders, at + 4, b.out_parts);
    simt::st(borders, at + 5, b.out_row);
  }
};

}  // namespace SIMT_TARGET

// The arrays that the launches fill, and the numbers that they counted.
struct EvenSplitArrays {
  simt::Array<std::uint16_t> flags;
  simt::Array<std::int32_t> first_ends, rows;
  simt::Array<std::uint32_t> present;
  simt::Array<std::int32_t> borders;
  index_t slots;
};

// Lays out the launches and returns the arrays. `foreseen` computes on the host what launches will count, for an
// emulator in which no launch has run yet.
template <class Stage, class Ptr, class Foreseen>
EvenSplitArrays lay_out_even_split(Stage& stage, const simt::Array<const Ptr>& row_ptr, index_t entries, int items,
                                   index_t tiles_per_share, const Foreseen& foreseen) {
  const index_t rows = row_ptr.size - 1, tile_entries = index_t{items} * simt::warp_size;
  const index_t tiles = (entries + tile_entries - 1) / tile_entries;
  const index_t share = tile_entries * tiles_per_share, shares = (entries + share - 1) / share;
  EvenSplitArrays made{};
  made.flags = stage.template out<std::uint16_t>("flags", tiles * simt::warp_size);
  made.first_ends = stage.template out<std::int32_t>("first_ends", tiles);
  made.borders = stage.template out<std::int32_t>("borders", shares * EvenSplit::border_ints);
  index_t filled = 0;
  if (entries > 0) {
    const auto ended = stage.template scratch<std::int64_t>("rows that end", tiles);
    stage.launch(item_grid(made.flags.size, threads), FlagsOfLanes<Ptr>{row_ptr, made.flags, ended, entries, items});
    filled = lay_out_sums(stage, ended, [&] { return foreseen().filled(rows); });
    const LaunchSpec grid = strided_grid(tiles);
    stage.launch(grid, Copy<std::int64_t, std::int32_t>{as_const(ended), made.first_ends, grid.grid});
    const CrossingRows<Ptr> crossing{row_ptr, rows, share};
    const auto slots = stage.template scratch<std::int64_t>("slots of shares", shares);
    stage.launch(item_grid(shares, threads), SlotsOfShares<Ptr>{crossing, slots});
    made.slots = lay_out_sums(stage, slots, [&] { return index_t{foreseen().slots}; });
    stage.launch(item_grid(shares, threads), FillBorders<Ptr>{crossing, as_const(slots), made.borders});
  }
  if (filled == rows) return made;
  made.rows = stage.template out<std::int32_t>("rows", filled);
  made.present = stage.template out<std::uint32_t>("present", (rows + simt::warp_size - 1) / simt::warp_size);
  using Ends = EndsByFlags<std::int32_t>;
  stage.launch(item_grid(rows, threads),
               ListFilledRows<Ptr, Ends>{
                   row_ptr, {as_const(made.flags), as_const(made.first_ends), items}, made.rows, made.present, rows});
  return made;
}

// A conversion for tests: it runs only this preparation, from a CSR.
struct ToEvenSplit {
  static constexpr const char* format = "even_split";
  struct Params {
    int items = 8, tiles_per_share = 8;
    bool operator==(const Params&) const = default;
  };
  static Fields<Params> fields() {
    return {
        {&Params::items,
         {.id = "items", .label = {}, .help = {}, .type = ParamSpec::Type::power_of_two, .min = 4, .max = 8}},
        {&Params::tiles_per_share,
         {.id = "tiles_per_share", .label = {}, .help = {}, .type = ParamSpec::Type::integer, .min = 1, .max = 64}}};
  }
  static EvenSplit split_of(const CsrFormat& a, const Params& p) {
    return a.row_ptr().visit([&]<class Ptr>(std::span<const Ptr> row_ptr) {
      return EvenSplitOf<Ptr>{row_ptr, p.items, p.tiles_per_share}();
    });
  }
  static std::vector<MadeArray> on_host(const CsrFormat& a, const Params& p) {
    const EvenSplit s = split_of(a, p);
    return {made_array("flags", s.flags), made_array("first_ends", s.first_ends), made_array("rows", s.rows),
            made_array("present", s.present), made_array("borders", s.borders)};
  }
  template <class Stage, class T = typename Stage::Value>
  static void lay_out(const CsrFormat& a, const FormatFacts&, const Params& p, Stage& stage) {
    stage.typed(a, [&]<class Ptr, class Col>(const TypedArrays<T, Ptr, Col>& csr) {
      lay_out_even_split(stage, csr.row_ptr, a.nnz(), p.items, p.tiles_per_share, [&] { return split_of(a, p); });
    });
  }
};

}  // namespace warpspy::convert
