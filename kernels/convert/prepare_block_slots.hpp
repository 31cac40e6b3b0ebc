// Slots for the block rows and columns of shares of tiles (kernels/spmv/block_slots.hpp). Launches on a device make it,
// byte for byte as block_slots() makes it on the host. block_shares.hpp has the shares. A second sort of all lines, by
// share, gives the lines of each share.
#pragma once

#include <algorithm>
#include <vector>

#include "kernels/convert/block_shares.hpp"
#include "kernels/convert/conversion.hpp"

namespace warpspy::convert {

inline constexpr int lines_of_warp = 8 * simt::warp_size;  // sorted lines that a warp processes

inline namespace SIMT_TARGET {

// The tiles of each share, from the array of their beginnings.
struct SharesByBegins {
  simt::Array<const std::int32_t> begins;  // and the end of the last
  SIMT_DEVICE std::int64_t count() const { return begins.size - 1; }
  SIMT_DEVICE std::int64_t of(std::int64_t tile, simt::Where where = simt::Where::current()) const {
    return row_of(begins, std::int64_t{0}, count() - 1, tile, where);
  }
};

// Writes the share of each sorted line. A place without a line gets a number behind all shares.
struct SharesOfLines {
  Sorted<const std::uint32_t, const std::int32_t> sorted;
  SharesByBegins shares;
  simt::Array<std::int32_t> to;
  std::int32_t none;
  std::int64_t grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (std::int64_t p = t.block * threads + t.thread; p < to.size; p += grid * threads) {
      const std::int64_t tile = simt::ld(sorted.order, p) / lines_of_tile;
      simt::st(to, p, static_cast<std::int32_t>(simt::ld(sorted.keys, p) == none ? shares.count() : shares.of(tile)));
    }
  }
};

// All lines (block rows and columns), sorted by share and then by number. Places without a line stand last.
struct LinesOfShares {
  Sorted<const std::uint32_t, const std::int32_t> by_line;
  Sorted<const std::uint32_t, const std::int32_t> by_share;  // of these
  std::int64_t shares;

  SIMT_DEVICE std::int64_t size() const { return by_share.keys.size; }
  SIMT_DEVICE bool is_line(std::int64_t q, simt::Where where = simt::Where::current()) const {
    return q < size() && simt::ld(by_share.keys, q, where) < shares;
  }
  SIMT_DEVICE std::int32_t line(std::int64_t q, simt::Where where = simt::Where::current()) const {
    return simt::ld(by_line.keys, simt::ld(by_share.order, q, where), where);
  }
  // Whether element q is the first one of its line in its share.
  SIMT_DEVICE bool begins(std::int64_t q, simt::Where where = simt::Where::current()) const {
    if (!is_line(q, where)) return false;
    return q == 0 || simt::ld(by_share.keys, q, where) != simt::ld(by_share.keys, q - 1, where) ||
           line(q, where) != line(q - 1, where);
  }
  // Returns where element q stood before the two sorts.
  SIMT_DEVICE std::int64_t place(std::int64_t q, simt::Where where = simt::Where::current()) const {
    return simt::ld(by_line.order, simt::ld(by_share.order, q, where), where);
  }
};

// Each warp counts the different lines among its lines_of_warp sorted elements.
struct CountLines {
  LinesOfShares lines;
  simt::Array<std::int64_t> counts;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t warp = (t.block * threads + t.thread) / simt::warp_size;
    if (warp >= counts.size) return;
    const int lane = t.thread % simt::warp_size;
    int count = 0;
    for (int i = 0; i < lines_of_warp; i += simt::warp_size)
      count += simt::count_bits(simt::ballot(lines.begins(warp * lines_of_warp + i + lane)));
    if (lane == 0) simt::st(counts, warp, count);
  }
};

// Each warp lists the different lines among its sorted elements, each once. It also writes a sort key for each, which
// rises with the share and the bank of shared memory.
struct ListLines {
  LinesOfShares lines;
  simt::Array<const std::int64_t> before;
  simt::Array<std::int32_t> listed, keys;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t warp = (t.block * threads + t.thread) / simt::warp_size;
    if (warp >= before.size) return;
    const int lane = t.thread % simt::warp_size;
    std::int64_t number = simt::ld(before, warp);
    for (int i = 0; i < lines_of_warp; i += simt::warp_size) {
      const std::int64_t q = warp * lines_of_warp + i + lane;
      const bool begins = lines.begins(q);
      const std::uint32_t votes = simt::ballot(begins);
      if (begins) {
        const std::int64_t own = number + simt::count_bits(votes & ((1u << lane) - 1));
        const std::int32_t line = lines.line(q);
        simt::st(listed, own, line);
        simt::st(keys, own, simt::ld(lines.by_share.keys, q) * simt::warp_size + line % simt::warp_size);
      }
      number += simt::count_bits(votes);
    }
  }
};

// Writes where the lines of each share begin, and the end of the last.
struct BeginsOfLines {
  simt::Array<const std::int64_t> before;
  simt::Array<std::int32_t> begins;
  std::int64_t all, grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (std::int64_t s = t.block * threads + t.thread; s < begins.size; s += grid * threads)
      simt::st(begins, s, static_cast<std::int32_t>(s < before.size ? simt::ld(before, s) : all));
  }
};

// Writes the slot of each listed line.
struct SlotsOfLines {
  Sorted<const std::int32_t, const std::int32_t> by_bank;  // of the listed lines
  simt::Array<const std::int64_t> deepest;                 // of each share
  simt::Array<const std::int32_t> begins;                  // as above
  simt::Array<std::uint16_t> slots;
  std::int64_t room, grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (std::int64_t p = t.block * threads + t.thread; p < slots.size; p += grid * threads) {
      const std::int64_t key = simt::ld(by_bank.keys, p), share = key / simt::warp_size;
      const std::int64_t number = simt::ld(by_bank.order, p), first = simt::ld(begins, share);
      std::int64_t slot = number - first;
      if (slots_follow_banks(simt::ld(deepest, share), simt::ld(begins, share + 1) - first, room)) {
        const std::int64_t of_bank = row_of(by_bank.keys, std::int64_t{-1}, p, key - 1) + 1;
        slot = (p - of_bank) * simt::warp_size + key % simt::warp_size;
      }
      simt::st(slots, number, static_cast<std::uint16_t>(slot));
    }
  }
};

// Finds the parts of slices: a part begins where a slice or a share begins.
template <class Slices>
struct PartsOfTiles {
  Slices slices;
  SharesByBegins shares;
  simt::Array<std::int64_t> begun;  // 1 or 0
  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t tile = t.block * threads + t.thread;
    if (tile >= begun.size) return;
    const bool begins = simt::ld(shares.begins, shares.of(tile)) == tile ||
                        static_cast<std::int64_t>(simt::ld(slices.slice_ptr, slices.slice_of(tile))) == tile;
    simt::st(begun, tile, begins ? 1 : 0);
  }
};
struct PartsByBegun {
  simt::Array<const std::int64_t> before;  // how many parts begin before each tile
  std::int64_t all;
  SIMT_DEVICE std::int64_t of(std::int64_t tile, simt::Where where = simt::Where::current()) const {
    return (tile + 1 < before.size ? simt::ld(before, tile + 1, where) : all) - 1;
  }
  SIMT_DEVICE bool begins(std::int64_t tile, simt::Where where = simt::Where::current()) const {
    return simt::ld(before, tile, where) == of(tile, where);
  }
};

// Each tile gets a warp, which writes the tile's head.
template <class Col>
struct FillHeads {
  simt::Array<const Col> columns;
  PartsByBegun parts;
  simt::Array<std::int32_t> heads;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t at = t.block * threads + t.thread, tile = at / simt::warp_size;
    if (at >= columns.size) return;
    const int blocks = simt::count_bits(simt::ballot(simt::ld(columns, at) >= 0));
    if (t.thread % simt::warp_size != 0) return;
    simt::st(heads, tile * BlockSlots::head_ints, static_cast<std::int32_t>(parts.of(tile) * simt::warp_size));
    simt::st(heads, tile * BlockSlots::head_ints + 1, blocks);
  }
};

struct FillNone {
  simt::Array<std::uint16_t> slots;
  std::int64_t grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (std::int64_t i = t.block * threads + t.thread; i < slots.size; i += grid * threads) simt::st(slots, i, 0xffff);
  }
};

// Each warp goes over its sorted lines, as in CountLines, and writes the slots of each block's lines. A row has blocks
// from the first tile of its slice on. So the first tile of a part gives the slots of all rows that have blocks there.
struct TellBlocks {
  LinesOfShares lines;
  simt::Array<const std::int64_t> before;
  simt::Array<const std::uint16_t> slots;
  PartsByBegun parts;
  simt::Array<std::uint16_t> rows, columns;  // `none` before
  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t warp = (t.block * threads + t.thread) / simt::warp_size;
    if (warp >= before.size) return;
    const int lane = t.thread % simt::warp_size;
    const std::uint32_t up_to_here = 0xffffffffu >> (simt::warp_size - 1 - lane);
    std::int64_t number = simt::ld(before, warp);
    for (int i = 0; i < lines_of_warp; i += simt::warp_size) {
      const std::int64_t q = warp * lines_of_warp + i + lane;
      const std::uint32_t votes = simt::ballot(lines.begins(q));
      if (lines.is_line(q)) {
        const std::uint16_t slot = simt::ld(slots, number + simt::count_bits(votes & up_to_here) - 1);
        const std::int64_t place = lines.place(q), tile = place / lines_of_tile, of_tile = place % lines_of_tile;
        if (of_tile >= simt::warp_size)
          simt::st(columns, tile * simt::warp_size + of_tile - simt::warp_size, slot);
        else if (parts.begins(tile))
          simt::st(rows, parts.of(tile) * simt::warp_size + of_tile, slot);
      }
      number += simt::count_bits(votes);
    }
  }
};

// The arrays that the launches fill, and the numbers that they counted.
struct BlockSlotsArrays {
  simt::Array<std::uint16_t> columns, rows, slots;
  simt::Array<std::int32_t> heads, lines, begins, tiles;
  index_t largest = 1;
};

}  // namespace SIMT_TARGET
static_assert(BlockSlots::banks == simt::warp_size && BlockSlots::none == 0xffff);

// Holds what the host computes for an emulator in which no launch has run yet. `fits(first, last)` tells whether the
// lines of these tiles fit into shared memory, and made() returns the finished slots.
template <class Fits, class Made>
struct ForeseenBlockSlots {
  Fits fits;
  Made made;
};

template <class Stage, class Ptr, class Row, class Col, class Fits, class Made>
BlockSlotsArrays lay_out_block_slots(Stage& stage, const char* kernel, const BlockSlicesThere<Ptr, Row, Col>& slices,
                                     index_t lines, index_t shares, index_t room,
                                     const ForeseenBlockSlots<Fits, Made>& foreseen) {
  using Slices = BlockSlicesThere<Ptr, Row, Col>;
  const index_t tiles = slices.columns.size / simt::warp_size;
  require_block_slots(kernel, lines, tiles);
  BlockSlotsArrays made{};
  if (tiles == 0) {
    made.begins = stage.template out<std::int32_t>("begins", 2);
    made.tiles = stage.template out<std::int32_t>("tiles", 2);
    stage.launch({.grid = 1, .block = threads}, Clear<std::int32_t>{made.begins, 1});
    stage.launch({.grid = 1, .block = threads}, Clear<std::int32_t>{made.tiles, 1});
    return made;
  }
  const auto none = static_cast<std::int32_t>(lines);
  const auto all_lines = stage.template scratch<std::int32_t>("lines of blocks", tiles * lines_of_tile);
  const auto before = stage.template scratch<std::int32_t>("tiles before", tiles * lines_of_tile);
  const LaunchSpec each = strided_grid(all_lines.size), places = item_grid(slices.columns.size, threads);
  stage.launch(places, LinesOfBlocks<Slices>{slices, all_lines, none});
  const auto sorted = stage.template sorted<std::uint32_t>(as_const(all_lines), lines + 1);
  const Sorted<const std::uint32_t, const std::int32_t> by_line{as_const(sorted.order), as_const(sorted.keys)};
  stage.launch(each, TilesBefore{by_line, before, each.grid});

  BlockShares<Fits> chosen(tiles, foreseen.fits);
  chosen.lay_out(stage, as_const(all_lines), as_const(before), none, shares, room);
  const index_t count = chosen.begins.size - 1;
  made.tiles = stage.template out<std::int32_t>("tiles", count + 1);
  const LaunchSpec each_share = strided_grid(count + 1);
  stage.launch(each_share, Copy<std::int32_t, std::int32_t>{as_const(chosen.begins), made.tiles, each_share.grid});
  const auto largest = stage.template scratch<std::int64_t>("largest share", 1);
  stage.launch({.grid = 1, .block = threads}, LargestPart{chosen.sizes.slots, largest});
  made.largest = stage.counted(largest, [&] { return index_t{foreseen.made().largest}; });
  const index_t listed =
      lay_out_sums(stage, chosen.sizes.lines, [&] { return static_cast<index_t>(foreseen.made().lines.size()); });
  require_block_slots(kernel, listed, tiles);
  made.begins = stage.template out<std::int32_t>("begins", count + 1);
  stage.launch(each_share, BeginsOfLines{as_const(chosen.sizes.lines), made.begins, listed, each_share.grid});

  const SharesByBegins of_tiles{as_const(made.tiles)};
  const auto keys = stage.template scratch<std::int32_t>("shares of lines", all_lines.size);
  stage.launch(each, SharesOfLines{by_line, of_tiles, keys, none, each.grid});
  const auto sorted_by_share = stage.template sorted<std::uint32_t>(as_const(keys), count + 1);
  const LinesOfShares of_shares{by_line, {as_const(sorted_by_share.order), as_const(sorted_by_share.keys)}, count};
  const index_t warps = (all_lines.size + lines_of_warp - 1) / lines_of_warp;
  const auto counts = stage.template scratch<std::int64_t>("lines that begin", warps);
  const LaunchSpec of_warps = item_grid(warps * simt::warp_size, threads);
  stage.launch(of_warps, CountLines{of_shares, counts});
  lay_out_sums_before(stage, counts);
  made.lines = stage.template out<std::int32_t>("lines", listed);
  made.slots = stage.template out<std::uint16_t>("slots", listed);
  const auto banks = stage.template scratch<std::int32_t>("banks of lines", listed);
  stage.launch(of_warps, ListLines{of_shares, as_const(counts), made.lines, banks});
  const auto by_bank = stage.template sorted<std::int32_t>(as_const(banks), count * simt::warp_size);
  const LaunchSpec each_line = strided_grid(listed);
  stage.launch(each_line, SlotsOfLines{{as_const(by_bank.order), as_const(by_bank.keys)},
                                       as_const(chosen.sizes.deepest),
                                       as_const(made.begins),
                                       made.slots,
                                       room,
                                       each_line.grid});

  const auto begun = stage.template scratch<std::int64_t>("parts that begin", tiles);
  stage.launch(item_grid(tiles, threads), PartsOfTiles<Slices>{slices, of_tiles, begun});
  const index_t parts =
      lay_out_sums(stage, begun, [&] { return static_cast<index_t>(foreseen.made().rows.size()) / simt::warp_size; });
  const PartsByBegun of_parts{as_const(begun), parts};
  made.heads = stage.template out<std::int32_t>("heads", tiles * BlockSlots::head_ints);
  made.rows = stage.template out<std::uint16_t>("rows", parts * simt::warp_size);
  made.columns = stage.template out<std::uint16_t>("columns", slices.columns.size);
  stage.launch(places, FillHeads<Col>{slices.columns, of_parts, made.heads});
  for (const auto& slots : {made.rows, made.columns}) {
    const LaunchSpec grid = strided_grid(slots.size);
    stage.launch(grid, FillNone{slots, grid.grid});
  }
  stage.launch(of_warps,
               TellBlocks{of_shares, as_const(counts), as_const(made.slots), of_parts, made.rows, made.columns});
  return made;
}

// A conversion for tests: the blocks are the entries of a CSR, and 32 neighbouring ones are a tile. All tiles of a
// slice have the rows of its first tile.
inline namespace SIMT_TARGET {
template <class Ptr, class Col>
struct BlocksOfEntries {
  simt::Array<const Ptr> row_ptr;
  simt::Array<const Col> from;
  simt::Array<std::int32_t> slice_ptr, rows, columns;
  std::int64_t tiles_per_slice;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t at = t.block * threads + t.thread, tiles = columns.size / simt::warp_size;
    if (at < columns.size) simt::st(columns, at, at < from.size ? static_cast<std::int32_t>(simt::ld(from, at)) : -1);
    if (at < slice_ptr.size)
      simt::st(slice_ptr, at, static_cast<std::int32_t>(at * tiles_per_slice < tiles ? at * tiles_per_slice : tiles));
    if (at >= rows.size) return;
    const std::int64_t entry = at / simt::warp_size * tiles_per_slice * simt::warp_size + at % simt::warp_size;
    const std::int64_t last = from.size - 1;
    simt::st(
        rows, at,
        static_cast<std::int32_t>(row_of(row_ptr, std::int64_t{0}, row_ptr.size - 2, entry < last ? entry : last)));
  }
};
}  // namespace SIMT_TARGET

struct ToBlockSlots {
  static constexpr const char* format = "block_slots";
  static constexpr bool sorts = true;
  struct Params {
    int shares = 4, room = 200, tiles_per_slice = 3;
    bool operator==(const Params&) const = default;
  };
  static Fields<Params> fields() {
    return {{&Params::shares,
             {.id = "shares", .label = {}, .help = {}, .type = ParamSpec::Type::integer, .min = 1, .max = 100}},
            {&Params::room,
             {.id = "room",
              .label = {},
              .help = {},
              .type = ParamSpec::Type::integer,
              .min = 2 * simt::warp_size,
              .max = BlockSlots::most_slots}},
            {&Params::tiles_per_slice,
             {.id = "tiles_per_slice", .label = {}, .help = {}, .type = ParamSpec::Type::integer, .min = 1, .max = 9}}};
  }
  struct Blocks {
    std::vector<std::int32_t> slice_ptr, rows, columns;
    using Slices = BlockSlices<std::int32_t, std::int32_t, std::int32_t>;
    Slices slices() const { return {slice_ptr, rows, columns}; }
  };
  static index_t tiles_of(const CsrFormat& a) { return (a.nnz() + simt::warp_size - 1) / simt::warp_size; }
  static index_t slices_of(const CsrFormat& a, const Params& p) {
    return (tiles_of(a) + p.tiles_per_slice - 1) / p.tiles_per_slice;
  }
  static index_t lines_of(const CsrFormat& a) { return std::max(a.rows(), a.cols()); }
  static Blocks blocks_of(const CsrFormat& a, const Params& p) {
    Blocks b;
    std::vector<std::int32_t> rows;  // of entries
    visit_all(
        [&](const auto& row_ptr, const auto& columns) {
          for (std::size_t r = 0; r + 1 < row_ptr.size(); ++r)
            rows.resize(static_cast<std::size_t>(row_ptr[r + 1]), static_cast<std::int32_t>(r));
          b.columns.assign(columns.begin(), columns.end());
        },
        a.row_ptr(), a.columns());
    b.columns.resize(static_cast<std::size_t>(tiles_of(a) * simt::warp_size), -1);
    for (index_t s = 0; s < slices_of(a, p); ++s) {
      b.slice_ptr.push_back(static_cast<std::int32_t>(s * p.tiles_per_slice));
      for (index_t lane = 0; lane < simt::warp_size; ++lane)
        b.rows.push_back(
            rows[static_cast<std::size_t>(std::min(s * p.tiles_per_slice * simt::warp_size + lane, a.nnz() - 1))]);
    }
    b.slice_ptr.push_back(static_cast<std::int32_t>(tiles_of(a)));
    return b;
  }
  static BlockSlots made_by_host(const CsrFormat& a, const Params& p) {
    const Blocks b = blocks_of(a, p);
    return BlockSlotsOf<Blocks::Slices>{format, b.slices(), lines_of(a), p.shares, p.room}();
  }
  static std::vector<MadeArray> on_host(const CsrFormat& a, const Params& p) {
    const BlockSlots s = made_by_host(a, p);
    return {made_array("columns", s.columns), made_array("rows", s.rows),   made_array("heads", s.heads),
            made_array("lines", s.lines),     made_array("slots", s.slots), made_array("begins", s.begins),
            made_array("tiles", s.tiles)};
  }
  template <class Stage, class T = typename Stage::Value>
  static void lay_out(const CsrFormat& a, const FormatFacts&, const Params& p, Stage& stage) {
    const Blocks b = blocks_of(a, p);
    detail::BlockSlotsOfShares<Blocks::Slices> host(b.slices(), lines_of(a), p.room);
    const auto fits = [&](index_t first, index_t last) { return host.fits(first, last); };
    const auto made = [&] { return made_by_host(a, p); };
    stage.typed(a, [&]<class Ptr, class Col>(const TypedArrays<T, Ptr, Col>& csr) {
      const auto scratch = [&](const char* name, const std::vector<std::int32_t>& of) {
        return stage.template scratch<std::int32_t>(name, static_cast<index_t>(of.size()));
      };
      const auto slice_ptr = scratch("slice_ptr", b.slice_ptr), rows = scratch("rows of slices", b.rows),
                 columns = scratch("block_columns", b.columns);
      stage.launch(item_grid(std::max(columns.size, slice_ptr.size), threads),
                   BlocksOfEntries<Ptr, Col>{csr.row_ptr, csr.columns, slice_ptr, rows, columns, p.tiles_per_slice});
      lay_out_block_slots(stage, format,
                          BlockSlicesThere<std::int32_t, std::int32_t, std::int32_t>{as_const(slice_ptr),
                                                                                     as_const(rows), as_const(columns)},
                          lines_of(a), p.shares, p.room,
                          ForeseenBlockSlots<decltype(fits), decltype(made)>{fits, made});
    });
  }
};

}  // namespace warpspy::convert
