// Tells what csr_even_transposed reads in place of columns (kernels/spmv/column_order.hpp). Launches on a device make
// it, byte for byte as column_order() makes it on the host.
#pragma once

#include "kernels/convert/conversion.hpp"
#include "kernels/convert/entry_ends.hpp"
#include "kernels/convert/share_keys.hpp"
#include "kernels/spmv/column_order.hpp"

namespace warpspy::convert {
inline namespace SIMT_TARGET {

// Each tile gets a warp, which writes the order of its entries, and which of them end a column. Lanes process
// neighbouring entries, and a vote gives the bits of four lanes at a time.
template <class Key>
struct OrderOfTiles {
  static constexpr int items = ColumnOrder::items, lanes_of_vote = simt::warp_size / items;
  // An entry's place in the CSR is stored modulo 2^16. That is enough, since a share has at most 2^16 entries.
  Sorted<const std::uint16_t, const Key> sorted;
  simt::Array<std::uint16_t> order, flags;
  simt::Array<std::int64_t> ended;  // of each tile: columns that end in it
  std::int64_t share_entries;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t at = t.block * threads + t.thread, tile = at / simt::warp_size;
    if (tile >= ended.size) return;
    const int lane = t.thread % simt::warp_size;
    const std::int64_t entries = sorted.keys.size, first = tile * ColumnOrder::tile;
    const std::int64_t begin = first / share_entries * share_entries;  // of the share
    std::uint32_t own = 0;
    SIMT_UNROLL
    for (int i = 0; i < items; ++i) {
      const std::int64_t k = first + i * simt::warp_size + lane;
      const std::int64_t from = k < entries ? static_cast<std::int64_t>(simt::ld(sorted.order, k)) : k;
      simt::st(order, k, static_cast<std::uint16_t>(from - begin));
      bool ends = k + 1 == order.size;  // padding belongs to the last column
      if (k + 1 < entries) ends = simt::ld(sorted.keys, k) != simt::ld(sorted.keys, k + 1);
      const std::uint32_t votes = simt::ballot(ends);
      if (lane / lanes_of_vote == i) own = votes >> lane % lanes_of_vote * items & ((1u << items) - 1);
    }
    const int count = simt::count_bits(own), before = counts_before(lane, count);
    simt::st(flags, at, static_cast<std::uint16_t>(own | static_cast<std::uint32_t>(before) << items));
    if (lane == simt::warp_size - 1) simt::st(ended, tile, before + count);
  }
};

// Each tile gets a warp, which lists the columns that end in it.
template <class Key>
struct ListColumns {
  simt::Array<const Key> keys;  // sorted
  EndsByFlags<std::int64_t> ends;
  simt::Array<std::int32_t> columns;
  std::int64_t cols, tiles_per_share;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t tile = (t.block * threads + t.thread) / simt::warp_size;
    if (tile >= ends.first_ends.size) return;
    const std::int64_t key_of_first = tile / tiles_per_share * cols;
    for (int i = 0; i < ColumnOrder::items; ++i) {
      const std::int64_t k = tile * ColumnOrder::tile + i * simt::warp_size + t.thread % simt::warp_size;
      if (!ends.at(k)) continue;
      const auto key = static_cast<std::int64_t>(simt::ld(keys, k < keys.size ? k : keys.size - 1));
      simt::st(columns, ends.before(k), static_cast<std::int32_t>(key - key_of_first));
    }
  }
};

// The arrays that the launches fill.
struct ColumnOrderArrays {
  simt::Array<std::uint16_t> order, flags;
  simt::Array<std::int64_t> first_ends;
  simt::Array<std::int32_t> columns;
};

}  // namespace SIMT_TARGET

// Lays out the launches and returns the arrays. `foreseen` computes on the host what launches will count, for an
// emulator in which no launch has run yet.
template <class Key, class Stage, class Col, class Foreseen>
ColumnOrderArrays lay_out_column_order_by(Stage& stage, const simt::Array<const Col>& columns, index_t cols,
                                          index_t tiles_per_share, const Foreseen& foreseen) {
  const index_t entries = columns.size, tiles = (entries + ColumnOrder::tile - 1) / ColumnOrder::tile;
  const index_t share_entries = tiles_per_share * ColumnOrder::tile;
  ColumnOrderArrays made{};
  made.order = stage.template out<std::uint16_t>("order", tiles * ColumnOrder::tile);
  made.flags = stage.template out<std::uint16_t>("flags", tiles * simt::warp_size);
  made.first_ends = stage.template out<std::int64_t>("first_ends", tiles);
  if (entries == 0) return made;
  const auto keys = stage.template scratch<Key>("keys", entries);
  stage.launch({.grid = (entries + tile - 1) / tile, .block = threads},
               KeysOfShares<Col, Key>{columns, keys, cols, share_entries});
  const Sorted<std::uint16_t, Key> sorted =
      stage.template sorted<std::uint16_t>(as_const(keys), (tiles + tiles_per_share - 1) / tiles_per_share * cols);
  const LaunchSpec lanes = item_grid(made.flags.size, threads);
  stage.launch(
      lanes,
      OrderOfTiles<Key>{
          {as_const(sorted.order), as_const(sorted.keys)}, made.order, made.flags, made.first_ends, share_entries});
  const index_t all =
      lay_out_sums(stage, made.first_ends, [&] { return static_cast<index_t>(foreseen().columns.size()); });
  made.columns = stage.template out<std::int32_t>("columns", all);
  stage.launch(lanes, ListColumns<Key>{as_const(sorted.keys),
                                       {as_const(made.flags), as_const(made.first_ends), ColumnOrder::items},
                                       made.columns,
                                       cols,
                                       tiles_per_share});
  return made;
}

// Sorts by keys of 32 bits where they have room, since that moves half the bytes in fewer passes.
template <class Stage, class Col, class Foreseen>
ColumnOrderArrays lay_out_column_order(Stage& stage, const simt::Array<const Col>& columns, index_t cols,
                                       index_t tiles_per_share, const Foreseen& foreseen) {
  const index_t share_entries = tiles_per_share * ColumnOrder::tile;
  const index_t shares = (columns.size + share_entries - 1) / share_entries;
  if (shares * cols > index_t{UINT32_MAX})
    return lay_out_column_order_by<std::uint64_t>(stage, columns, cols, tiles_per_share, foreseen);
  return lay_out_column_order_by<std::uint32_t>(stage, columns, cols, tiles_per_share, foreseen);
}

// A conversion for tests: it runs only this preparation, from a CSR. Its sort keys have 64 bits; ToColumnParts tests
// keys of 32 bits.
struct ToColumnOrder {
  static constexpr const char* format = "column_order";
  static constexpr bool sorts = true;
  struct Params {
    int tiles_per_share = 2;
    bool operator==(const Params&) const = default;
  };
  static Fields<Params> fields() {
    return {{&Params::tiles_per_share,
             {.id = "tiles_per_share",
              .label = {},
              .help = {},
              .type = ParamSpec::Type::integer,
              .min = 1,
              .max = static_cast<double>(ColumnOrder::most_tiles)}}};
  }
  static ColumnOrder made_by_host(const CsrFormat& a, index_t tiles_per_share) {
    return a.columns().visit([&]<class Col>(std::span<const Col> columns) {
      return ColumnOrderOf<Col>{columns, a.cols(), tiles_per_share}();
    });
  }
  static std::vector<MadeArray> arrays_of(const ColumnOrder& o) {
    return {made_array("order", o.order), made_array("flags", o.flags), made_array("first_ends", o.first_ends),
            made_array("columns", o.columns)};
  }
  static std::vector<MadeArray> on_host(const CsrFormat& a, const Params& p) {
    return arrays_of(made_by_host(a, p.tiles_per_share));
  }
  template <class Stage, class T = typename Stage::Value>
  static void lay_out(const CsrFormat& a, const FormatFacts&, const Params& p, Stage& stage) {
    stage.typed(a, [&]<class Ptr, class Col>(const TypedArrays<T, Ptr, Col>& csr) {
      lay_out_column_order_by<std::uint64_t>(stage, csr.columns, a.cols(), p.tiles_per_share,
                                             [&] { return made_by_host(a, p.tiles_per_share); });
    });
  }
};

}  // namespace warpspy::convert
