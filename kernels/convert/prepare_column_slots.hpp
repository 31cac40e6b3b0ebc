// Slots for the columns of equal shares of entries (kernels/spmv/column_slots.hpp). Launches on a device make it, byte
// for byte as column_slots() makes it on the host.
//
// Entries are sorted by column, and then by share: each sort keeps the order of equal ones. Between the two, shares are
// cut where their columns need more slots than there is room for. Where a share ends depends on where it begins. So
// blocks have the parts that the host's threads have, and go through them. An entry needs a new slot if the entry
// before it in its column lies before the share.
#pragma once

#include <algorithm>

#include "kernels/convert/conversion.hpp"
#include "kernels/convert/steps.hpp"
#include "kernels/spmv/column_slots.hpp"

namespace warpspy::convert {

inline constexpr int cutters = 512;  // threads of a block that cuts shares
inline constexpr int slots_tile = ColumnSlots::tile, tile_rounds = slots_tile / simt::warp_size;

inline namespace SIMT_TARGET {

// A column is dense if it has `least` entries in a share. For each entry, this writes the tiles of the entries that
// stand 1, least - 1 and `least` places before it in its column; -1: there is none.
struct EarlierTiles {
  simt::Array<std::int32_t> one, fewer, least;
};

template <class Order, class Key>
struct FindEarlier {
  Sorted<const Order, const Key> sorted;  // by column
  EarlierTiles earlier;
  std::int64_t dense_least, grid;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (std::int64_t p = t.block * threads + t.thread; p < sorted.keys.size; p += grid * threads) {
      const auto entry = static_cast<std::int64_t>(simt::ld(sorted.order, p));
      const Key column = simt::ld(sorted.keys, p);
      simt::st(earlier.one, entry, tile_before(p, 1, column));
      simt::st(earlier.fewer, entry, tile_before(p, dense_least - 1, column));
      simt::st(earlier.least, entry, tile_before(p, dense_least, column));
    }
  }
  SIMT_DEVICE std::int32_t tile_before(std::int64_t p, std::int64_t places, Key column,
                                       simt::Where where = simt::Where::current()) const {
    if (p < places || simt::ld(sorted.keys, p - places, where) != column) return -1;
    return static_cast<std::int32_t>(static_cast<std::int64_t>(simt::ld(sorted.order, p - places, where)) / slots_tile);
  }
};

// Marks the tiles that begin shares, if no share must be cut.
struct EqualShares {
  simt::Array<std::int64_t> begun;
  std::int64_t tiles_per_share, grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (std::int64_t at = t.block * threads + t.thread; at < begun.size; at += grid * threads)
      simt::st(begun, at, at % tiles_per_share == 0 ? 1 : 0);
  }
};

// Marks the tiles that begin shares, if shares must be cut. Each part of the tiles gets a block, which goes over them,
// one for each warp at a time. `begun` has zeros before.
struct CutShares {
  static constexpr int warps = cutters / simt::warp_size;
  EarlierTiles earlier;
  simt::Array<std::int64_t> begun;
  std::int64_t shares, parts, tiles_per_share, most;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(int, needed_by_tiles, warps);
    const int lane = t.thread % simt::warp_size, warp = t.thread / simt::warp_size;
    const std::int64_t end = begin_of(t.block + 1);
    std::int64_t first = begin_of(t.block), at = first, needed = 0;  // of the share: its first tile, the next, slots
    if (t.thread == 0) simt::st(begun, first, 1);
    while (at < end) {
      const std::int64_t whole = first + tiles_per_share, past = whole < end ? whole : end;
      if (at == past) {
        first = at;
        needed = 0;
        if (t.thread == 0) simt::st(begun, first, 1);
        continue;
      }
      const int own = at + warp < past ? needed_by(at + warp, first, lane) : 0;
      if (lane == 0) simt::st(needed_by_tiles, warp, own);
      simt::sync_block();
      const int of_lane = lane < warps ? simt::ld(needed_by_tiles, lane) : 0;
      const int up_to_here = counts_before(lane, of_lane) + of_lane;
      const bool over = at + lane > first && at + lane < past && lane < warps && needed + up_to_here > most;
      const std::uint32_t votes = simt::ballot(over);
      const int all = simt::shfl(up_to_here, simt::warp_size - 1);
      simt::sync_block();
      if (votes == 0) {
        needed += all;
        at = at + warps < past ? at + warps : past;
        continue;
      }
      int cut = 0;  // nvcc 13.0 makes the constant 32 of std::countr_zero in device code
      while (!(votes >> cut & 1)) ++cut;
      at += cut;
      first = at;
      needed = 0;
      if (t.thread == 0) simt::st(begun, first, 1);
    }
  }

 private:
  // The first tile of a part, as part_begin() computes it on the host.
  SIMT_DEVICE std::int64_t begin_of(std::int64_t part) const {
    const std::int64_t share = shares / parts * part + shares % parts * part / parts, tile = share * tiles_per_share;
    return tile < begun.size ? tile : begun.size;
  }
  // Returns how many slots a tile adds to a share that begins at tile `first`.
  SIMT_DEVICE int needed_by(std::int64_t tile, std::int64_t first, int lane,
                            simt::Where where = simt::Where::current()) const {
    int own = 0;
    SIMT_UNROLL
    for (int i = 0; i < tile_rounds; ++i) {
      const std::int64_t k = tile * slots_tile + i * simt::warp_size + lane;
      if (k >= earlier.one.size) continue;
      if (simt::ld(earlier.one, k, where) < first) ++own;
      if (simt::ld(earlier.fewer, k, where) >= first && simt::ld(earlier.least, k, where) < first)
        own += simt::warp_size - 1;
    }
    return simt::sum_xor(own, where);
  }
};

// Writes the share of each tile: how many shares begin before it.
struct SharesOfTiles {
  simt::Array<const std::int64_t> begun;
  std::int64_t shares;
  SIMT_DEVICE std::int64_t of(std::int64_t tile, simt::Where where = simt::Where::current()) const {
    return (tile + 1 < begun.size ? simt::ld(begun, tile + 1, where) : shares) - 1;
  }
};

// Each tile gets a thread. It writes the first tiles of shares, and the end of the last share.
struct FirstTiles {
  SharesOfTiles shares;
  simt::Array<std::int32_t> to;  // share_ints of each
  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t tile = t.block * threads + t.thread, tiles = shares.begun.size;
    if (tile >= tiles) return;
    const std::int64_t share = shares.of(tile);
    if (simt::ld(shares.begun, tile) == share)
      simt::st(to, share * ColumnSlots::share_ints, static_cast<std::int32_t>(tile));
    if (tile == 0) simt::st(to, shares.shares * ColumnSlots::share_ints, static_cast<std::int32_t>(tiles));
  }
};

// Writes the share of each entry, in the order of entries sorted by column.
template <class Order>
struct SharesOfSorted {
  simt::Array<const Order> order;
  SharesOfTiles shares;
  simt::Array<std::int32_t> to;
  std::int64_t grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (std::int64_t p = t.block * threads + t.thread; p < order.size; p += grid * threads)
      simt::st(to, p, static_cast<std::int32_t>(shares.of(static_cast<std::int64_t>(simt::ld(order, p)) / slots_tile)));
  }
};

// The entries and their columns, sorted by share and column.
template <class Order, class Key>
struct TakeInOrder {
  Sorted<const Order, const Key> sorted;  // by column
  simt::Array<const Order> by_share;      // of these
  simt::Array<Order> order;
  simt::Array<std::int32_t> columns;
  std::int64_t grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (std::int64_t p = t.block * threads + t.thread; p < order.size; p += grid * threads) {
      const auto from = static_cast<std::int64_t>(simt::ld(by_share, p));
      simt::st(order, p, simt::ld(sorted.order, from));
      simt::st(columns, p, static_cast<std::int32_t>(simt::ld(sorted.keys, from)));
    }
  }
};

// The columns of the sorted entries. Those of a share stand in the places of its tiles, so a tile has entries of one
// share.
struct ColumnsOfShares {
  simt::Array<const std::int32_t> columns;  // of the sorted entries
  simt::Array<const std::int32_t> shares;   // share_ints of each; the first tiles are there
  SharesOfTiles of_tiles;
  std::int64_t dense_least;

  struct Share {
    std::int64_t number, begin, end;  // its entries
  };
  SIMT_DEVICE Share share_of(std::int64_t tile, simt::Where where = simt::Where::current()) const {
    const std::int64_t share = of_tiles.of(tile, where), at = share * ColumnSlots::share_ints;
    const std::int64_t begin = std::int64_t{simt::ld(shares, at, where)} * slots_tile;
    const std::int64_t end = std::int64_t{simt::ld(shares, at + ColumnSlots::share_ints, where)} * slots_tile;
    return {share, begin, end < columns.size ? end : columns.size};
  }
  SIMT_DEVICE bool begins(const Share& share, std::int64_t k, simt::Where where = simt::Where::current()) const {
    return k < share.end && (k == share.begin || simt::ld(columns, k, where) != simt::ld(columns, k - 1, where));
  }
  // Whether the column that begins at k is dense.
  SIMT_DEVICE bool is_dense(const Share& share, std::int64_t k, simt::Where where = simt::Where::current()) const {
    const std::int64_t last = k + dense_least - 1;
    return last < share.end && simt::ld(columns, k, where) == simt::ld(columns, last, where);
  }
};

// Each tile gets a warp. It counts the dense columns that begin there, and the others (`tiles` elements later).
struct CountSlotColumns {
  ColumnsOfShares columns;
  simt::Array<std::int64_t> counts;
  std::int64_t tiles;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t tile = (t.block * threads + t.thread) / simt::warp_size;
    if (tile >= tiles) return;
    const int lane = t.thread % simt::warp_size;
    const auto share = columns.share_of(tile);
    int all = 0, dense = 0;
    SIMT_UNROLL
    for (int i = 0; i < tile_rounds; ++i) {
      const std::int64_t k = tile * slots_tile + i * simt::warp_size + lane;
      const bool begins = columns.begins(share, k), is_dense = begins && columns.is_dense(share, k);
      all += simt::count_bits(simt::ballot(begins));
      dense += simt::count_bits(simt::ballot(is_dense));
    }
    if (lane != 0) return;
    simt::st(counts, tile, dense);
    simt::st(counts, tiles + tile, all - dense);
  }
};

// Tells how many columns begin before a tile, from the prefix sums of the counts of CountSlotColumns.
struct ColumnsBefore {
  simt::Array<const std::int64_t> sums;
  std::int64_t tiles, all;
  SIMT_DEVICE std::int64_t dense(std::int64_t tile, simt::Where where = simt::Where::current()) const {
    return simt::ld(sums, tile, where);
  }
  SIMT_DEVICE std::int64_t others(std::int64_t tile, simt::Where where = simt::Where::current()) const {
    return (tile < tiles ? simt::ld(sums, tiles + tile, where) : all) - simt::ld(sums, tiles, where);
  }
};

// Each share gets a thread, which fills its numbers; one more thread fills the empty share at the end.
struct FillShares {
  ColumnsBefore before;
  simt::Array<std::int32_t> shares;
  simt::Array<std::int64_t> slots;  // how many each share has
  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t share = t.block * threads + t.thread, at = share * ColumnSlots::share_ints;
    if (share > slots.size) return;
    const std::int64_t tile = simt::ld(shares, at), dense = before.dense(tile), others = before.others(tile);
    simt::st(shares, at + 1, static_cast<std::int32_t>(dense + others));
    std::int64_t own = 0;
    if (share < slots.size) {
      const std::int64_t next = simt::ld(shares, at + ColumnSlots::share_ints);
      own = before.dense(next) - dense;
      simt::st(slots, share, own * simt::warp_size + before.others(next) - others);
    }
    simt::st(shares, at + 2, static_cast<std::int32_t>(own));
  }
};

// Each tile gets a warp. It lists the columns that begin there, and the first slot of each in the order of their
// entries.
struct ListSlotColumns {
  ColumnsOfShares columns;
  ColumnsBefore before;
  simt::Array<std::int32_t> listed;
  simt::Array<std::uint16_t> first_slots;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t tile = (t.block * threads + t.thread) / simt::warp_size;
    if (tile >= before.tiles) return;
    const int lane = t.thread % simt::warp_size;
    const std::uint32_t earlier = (1u << lane) - 1;
    const auto share = columns.share_of(tile);
    const std::int64_t of_share = share.number * ColumnSlots::share_ints;
    const std::int64_t first = simt::ld(columns.shares, of_share + 1),
                       dense_here = simt::ld(columns.shares, of_share + 2);
    const std::int64_t begin = share.begin / slots_tile;
    std::int64_t dense = before.dense(tile), others = before.others(tile);
    const std::int64_t dense_before = before.dense(begin), others_before = before.others(begin);
    SIMT_UNROLL
    for (int i = 0; i < tile_rounds; ++i) {
      const std::int64_t k = tile * slots_tile + i * simt::warp_size + lane;
      const bool begins = columns.begins(share, k), is_dense = begins && columns.is_dense(share, k);
      const std::uint32_t of_dense = simt::ballot(is_dense), of_others = simt::ballot(begins && !is_dense);
      const std::int64_t own_dense = dense + simt::count_bits(of_dense & earlier);
      const std::int64_t own_others = others + simt::count_bits(of_others & earlier);
      if (begins) {
        const std::int64_t among = is_dense ? own_dense - dense_before : own_others - others_before;
        const std::int64_t slot = is_dense ? among * simt::warp_size : dense_here * simt::warp_size + among;
        simt::st(listed, first + (is_dense ? 0 : dense_here) + among, simt::ld(columns.columns, k));
        simt::st(first_slots, own_dense + own_others, static_cast<std::uint16_t>(slot));
      }
      dense += simt::count_bits(of_dense);
      others += simt::count_bits(of_others);
    }
  }
};

// Each tile gets a warp, which writes the slots of its sorted entries. Slots behind the last entry are 0.
template <class Order>
struct FillColumnSlots {
  ColumnsOfShares columns;
  ColumnsBefore before;
  simt::Array<const Order> order;
  simt::Array<const std::uint16_t> first_slots;
  simt::Array<std::uint16_t> slots;
  int pack;  // neighbouring entries of a lane

  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t tile = (t.block * threads + t.thread) / simt::warp_size;
    if (tile >= before.tiles) return;
    const int lane = t.thread % simt::warp_size;
    const std::uint32_t up_to_here = 0xffffffffu >> (simt::warp_size - 1 - lane);
    const auto share = columns.share_of(tile);
    const int of_dense = simt::ld(columns.shares, share.number * ColumnSlots::share_ints + 2) * simt::warp_size;
    std::int64_t begun = before.dense(tile) + before.others(tile);
    SIMT_UNROLL
    for (int i = 0; i < tile_rounds; ++i) {
      const std::int64_t k = tile * slots_tile + i * simt::warp_size + lane;
      const std::uint32_t begins = simt::ballot(columns.begins(share, k));
      if (k < share.end) {
        const auto entry = static_cast<std::int64_t>(simt::ld(order, k));
        const int slot = simt::ld(first_slots, begun + simt::count_bits(begins & up_to_here) - 1);
        const int of_lane = slot < of_dense ? static_cast<int>(entry / pack % simt::warp_size) : 0;
        simt::st(slots, entry, static_cast<std::uint16_t>(slot + of_lane));
      } else {
        simt::st(slots, k, 0);
      }
      begun += simt::count_bits(begins);
    }
  }
};

// The arrays that the launches fill, and the numbers that they counted.
struct ColumnSlotsArrays {
  simt::Array<std::uint16_t> slots;
  simt::Array<std::int32_t> columns, shares;
  index_t largest;
};

}  // namespace SIMT_TARGET

struct ColumnSlotSizes {
  index_t cols, tiles_per_share, room;
  int pack;
};

// Lays out the launch that marks the tiles that begin shares by 1, the others by 0.
template <class Order, class Key, class Stage>
simt::Array<std::int64_t> lay_out_begun(Stage& stage, const Sorted<Order, Key>& sorted, index_t tiles,
                                        const ColumnSlotSizes& of) {
  const auto begun = stage.template scratch<std::int64_t>("shares that begin", tiles);
  const LaunchSpec each_tile = strided_grid(tiles), each = strided_grid(sorted.keys.size);
  // A tile needs no more slots than it has entries.
  if (std::min(of.tiles_per_share, tiles) * slots_tile <= of.room) {
    stage.launch(each_tile, EqualShares{begun, of.tiles_per_share, each_tile.grid});
    return begun;
  }
  const auto of_entries = [&](const char* name) {
    return stage.template scratch<std::int32_t>(name, sorted.keys.size);
  };
  const EarlierTiles earlier{of_entries("tiles of one before"), of_entries("tiles of fewer before"),
                             of_entries("tiles of a dense column")};
  const index_t shares = (tiles + of.tiles_per_share - 1) / of.tiles_per_share;
  const index_t parts = std::min(ColumnSlots::most_parts, shares);
  stage.launch(each_tile, Clear<std::int64_t>{begun, each_tile.grid});
  stage.launch(each, FindEarlier<Order, Key>{{as_const(sorted.order), as_const(sorted.keys)},
                                             earlier,
                                             ColumnSlots::dense_least(of.tiles_per_share),
                                             each.grid});
  stage.launch({.grid = parts, .block = cutters},
               CutShares{earlier, begun, shares, parts, of.tiles_per_share, of.room});
  return begun;
}

// Lays out the launches and returns the arrays. `foreseen` computes on the host what launches will count, for an
// emulator in which no launch has run yet.
template <class Order, class Stage, class Col, class Foreseen>
ColumnSlotsArrays lay_out_column_slots_by(Stage& stage, const simt::Array<const Col>& columns,
                                          const ColumnSlotSizes& of, const Foreseen& foreseen) {
  const index_t entries = columns.size, tiles = (entries + slots_tile - 1) / slots_tile;
  ColumnSlotsArrays made{};
  if (entries == 0) {
    made.shares = stage.template out<std::int32_t>("shares", 2 * ColumnSlots::share_ints);
    stage.launch({.grid = 1, .block = threads}, Clear<std::int32_t>{made.shares, 1});
    return made;
  }
  const LaunchSpec each = strided_grid(entries), lanes = item_grid(tiles * simt::warp_size, threads);
  const Sorted<Order, Col> by_column = stage.template sorted<Order>(columns, of.cols);
  const auto begun = lay_out_begun(stage, by_column, tiles, of);
  const index_t shares = lay_out_sums(stage, begun, [&] { return static_cast<index_t>(foreseen().count()); });
  const SharesOfTiles of_tiles{as_const(begun), shares};
  made.shares = stage.template out<std::int32_t>("shares", (shares + 1) * ColumnSlots::share_ints);
  stage.launch(item_grid(tiles, threads), FirstTiles{of_tiles, made.shares});

  const auto keys = stage.template scratch<std::int32_t>("shares of entries", entries);
  stage.launch(each, SharesOfSorted<Order>{as_const(by_column.order), of_tiles, keys, each.grid});
  const Sorted<Order, std::int32_t> by_share = stage.template sorted<Order>(as_const(keys), shares);
  const auto order = stage.template scratch<Order>("order of entries", entries);
  const auto sorted_columns = stage.template scratch<std::int32_t>("columns in order", entries);
  stage.launch(each, TakeInOrder<Order, Col>{{as_const(by_column.order), as_const(by_column.keys)},
                                             as_const(by_share.order),
                                             order,
                                             sorted_columns,
                                             each.grid});

  const ColumnsOfShares of_shares{as_const(sorted_columns), as_const(made.shares), of_tiles,
                                  ColumnSlots::dense_least(of.tiles_per_share)};
  const auto counts = stage.template scratch<std::int64_t>("columns of tiles", 2 * tiles);
  stage.launch(lanes, CountSlotColumns{of_shares, counts, tiles});
  const index_t all = lay_out_sums(stage, counts, [&] { return static_cast<index_t>(foreseen().columns.size()); });
  detail::require_countable(static_cast<std::size_t>(all));
  const ColumnsBefore before{as_const(counts), tiles, all};
  const auto slots_of_shares = stage.template scratch<std::int64_t>("slots of shares", shares);
  stage.launch(item_grid(shares + 1, threads), FillShares{before, made.shares, slots_of_shares});
  const auto largest = stage.template scratch<std::int64_t>("largest share", 1);
  stage.launch({.grid = 1, .block = threads}, LargestPart{slots_of_shares, largest});
  made.largest = stage.counted(largest, [&] { return index_t{foreseen().largest}; });

  made.columns = stage.template out<std::int32_t>("columns", all);
  made.slots = stage.template out<std::uint16_t>("slots", tiles * slots_tile);
  const auto first_slots = stage.template scratch<std::uint16_t>("first slots", all);
  stage.launch(lanes, ListSlotColumns{of_shares, before, made.columns, first_slots});
  stage.launch(lanes,
               FillColumnSlots<Order>{of_shares, before, as_const(order), as_const(first_slots), made.slots, of.pack});
  return made;
}
template <class Stage, class Col, class Foreseen>
ColumnSlotsArrays lay_out_column_slots(Stage& stage, const simt::Array<const Col>& columns, const ColumnSlotSizes& of,
                                       const Foreseen& foreseen) {
  if (!Indices::fits32(columns.size)) return lay_out_column_slots_by<std::int64_t>(stage, columns, of, foreseen);
  return lay_out_column_slots_by<std::int32_t>(stage, columns, of, foreseen);
}

// A conversion for tests: it runs only this preparation, from a CSR.
struct ToColumnSlots {
  static constexpr const char* format = "column_slots";
  static constexpr bool sorts = true;
  struct Params {
    int tiles_per_share = 3, room = 256, pack = 4;
    bool operator==(const Params&) const = default;
  };
  static Fields<Params> fields() {
    return {{&Params::tiles_per_share,
             {.id = "tiles_per_share", .label = {}, .help = {}, .type = ParamSpec::Type::integer, .min = 1, .max = 40}},
            {&Params::room,
             {.id = "room",
              .label = {},
              .help = {},
              .type = ParamSpec::Type::integer,
              .min = slots_tile,
              .max = ColumnSlots::most_slots}},
            {&Params::pack,
             {.id = "pack", .label = {}, .help = {}, .type = ParamSpec::Type::power_of_two, .min = 2, .max = 4}}};
  }
  static ColumnSlots made_by_host(const CsrFormat& a, const Params& p) {
    return a.columns().visit([&]<class Col>(std::span<const Col> columns) {
      return ColumnSlotsOf<std::span<const Col>>{columns, a.cols(), p.tiles_per_share, p.room, p.pack}();
    });
  }
  static std::vector<MadeArray> on_host(const CsrFormat& a, const Params& p) {
    const ColumnSlots s = made_by_host(a, p);
    return {made_array("slots", s.slots), made_array("columns", s.columns), made_array("shares", s.shares)};
  }
  template <class Stage, class T = typename Stage::Value>
  static void lay_out(const CsrFormat& a, const FormatFacts&, const Params& p, Stage& stage) {
    stage.typed(a, [&]<class Ptr, class Col>(const TypedArrays<T, Ptr, Col>& csr) {
      lay_out_column_slots(stage, csr.columns, {a.cols(), p.tiles_per_share, p.room, p.pack},
                           [&] { return made_by_host(a, p); });
    });
  }
};

}  // namespace warpspy::convert
