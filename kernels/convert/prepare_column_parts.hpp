// The kernel csr_even_transposed writes sums of columns to places in memory, to add them up in a fixed order
// (ColumnParts in kernels/spmv/column_order.hpp). Launches on a device make these places from the sorted columns, byte
// for byte as column_parts() makes them on the host.
//
// Each sum is an item of a list in the order in which warps leave them. A warp's last sum, of a column that it leaves
// unfinished, comes before the next warp's. The list sorted by column, where equal ones keep their order, gives the
// places.
#pragma once

#include "kernels/convert/conversion.hpp"
#include "kernels/convert/prepare_column_order.hpp"

namespace warpspy::convert {
inline namespace SIMT_TARGET {

// The arrays of ColumnOrder without its order of entries.
struct SortedColumns {
  simt::Array<const std::uint16_t> flags;
  simt::Array<const std::int64_t> first_ends;
  simt::Array<const std::int32_t> columns;
};

// The tiles of a share are divided among the warps of a block as in csr_even_transposed. Warps count through all
// shares.
struct TilesOfWarps {
  std::int64_t tiles, tiles_per_share, warps;

  struct Range {
    std::int64_t from, to;
  };
  SIMT_DEVICE Range of(std::int64_t warp) const {
    const std::int64_t first = warp / warps * tiles_per_share, count = count_from(first), own = warp % warps;
    return {first + own * count / warps, first + (own + 1) * count / warps};
  }
  // The last warp whose first tile is not behind this one.
  SIMT_DEVICE std::int64_t warp_of(std::int64_t tile) const {
    const std::int64_t share = tile / tiles_per_share, first = share * tiles_per_share;
    return share * warps + ((tile - first + 1) * warps - 1) / count_from(first);
  }

 private:
  SIMT_DEVICE std::int64_t count_from(std::int64_t first) const {
    return tiles - first < tiles_per_share ? tiles - first : tiles_per_share;
  }
};

// Each warp of each share gets a thread, which finds whether the warp leaves a column unfinished.
struct OpenColumns {
  TilesOfWarps warps;
  simt::Array<const std::uint16_t> flags;
  simt::Array<const std::int64_t> first_ends;
  simt::Array<std::int64_t> open;         // where the column that it leaves unfinished is in the list; or -1
  simt::Array<std::int64_t> is_open;      // 1 or 0
  simt::Array<std::int32_t> open_places;  // 0 for now

  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t warp = t.block * t.block_size + t.thread;
    if (warp >= open.size) return;
    const auto own = warps.of(warp);
    std::int64_t column = -1;
    if (own.from < own.to) {
      constexpr int items = ColumnOrder::items;
      const std::uint32_t last = simt::ld(flags, own.to * simt::warp_size - 1), ends = last & ((1u << items) - 1);
      if (!(ends >> (items - 1) & 1))
        column = simt::ld(first_ends, own.to - 1) + static_cast<std::int64_t>(last >> items) + simt::count_bits(ends);
    }
    simt::st(open, warp, column);
    simt::st(is_open, warp, column >= 0 ? 1 : 0);
    simt::st(open_places, warp, 0);
  }
};

// The items of the list, one for each sum: whose sum it is, and of which column.
struct SumItems {
  simt::Array<std::int32_t> columns;
  simt::Array<std::int32_t> owners;  // n for the n-th column of ColumnOrder, -1 - w for warp w
  SIMT_DEVICE void put(std::int64_t at, std::int32_t column, std::int64_t owner,
                       simt::Where where = simt::Where::current()) const {
    simt::st(columns, at, column, where);
    simt::st(owners, at, static_cast<std::int32_t>(owner), where);
  }
};

// Each tile gets a warp, which writes the items of the columns that end there.
struct ItemsOfTiles {
  TilesOfWarps warps;
  simt::Array<const std::int64_t> first_ends;
  simt::Array<const std::int32_t> columns;
  simt::Array<const std::int64_t> opened;  // before each warp
  SumItems items;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t tile = (t.block * threads + t.thread) / simt::warp_size;
    if (tile >= first_ends.size) return;
    const std::int64_t end = tile + 1 < first_ends.size ? simt::ld(first_ends, tile + 1) : columns.size;
    const std::int64_t before = simt::ld(opened, warps.warp_of(tile));
    for (std::int64_t n = simt::ld(first_ends, tile) + t.thread % simt::warp_size; n < end; n += simt::warp_size)
      items.put(n + before, simt::ld(columns, n), n);
  }
};

// Each warp of each share gets a thread, which writes the item of the column that the warp leaves unfinished.
struct ItemsOfWarps {
  simt::Array<const std::int64_t> open;
  simt::Array<const std::int32_t> columns;
  simt::Array<const std::int64_t> opened;
  SumItems items;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t warp = t.block * t.block_size + t.thread;
    if (warp >= open.size) return;
    const std::int64_t n = simt::ld(open, warp);
    if (n >= 0) items.put(n + simt::ld(opened, warp), simt::ld(columns, n), -1 - warp);
  }
};

// Tells the owner of each item its place in the sorted list.
struct PlacesOfItems {
  simt::Array<const std::int32_t> order, owners;
  simt::Array<std::int32_t> places, open_places;
  std::int64_t grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (std::int64_t place = t.block * threads + t.thread; place < order.size; place += grid * threads) {
      const std::int32_t owner = simt::ld(owners, simt::ld(order, place));
      if (owner >= 0)
        simt::st(places, owner, static_cast<std::int32_t>(place));
      else
        simt::st(open_places, -1 - owner, static_cast<std::int32_t>(place));
    }
  }
};

// Writes where each column begins in the sorted list, and the end of the last. Each column is searched for, so that no
// thread has to fill in a long run of columns without items.
struct BeginsOfColumns {
  simt::Array<const std::int32_t> columns;  // sorted
  simt::Array<std::int32_t> begin;
  std::int64_t grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (std::int64_t c = t.block * threads + t.thread; c < begin.size; c += grid * threads)
      simt::st(begin, c, static_cast<std::int32_t>(row_of(columns, std::int64_t{-1}, columns.size - 1, c - 1) + 1));
  }
};

// The arrays that the launches fill, and how many places there are.
struct ColumnPartsArrays {
  simt::Array<std::int32_t> places, open_places, begin;
  index_t all;
};

}  // namespace SIMT_TARGET

// Lays out the launches and returns the arrays. `foreseen` computes on the host what launches will count, for an
// emulator in which no launch has run yet.
template <class Stage, class Foreseen>
ColumnPartsArrays lay_out_column_parts(Stage& stage, const SortedColumns& of, index_t cols, index_t tiles_per_share,
                                       index_t warps, const Foreseen& foreseen) {
  const index_t tiles = of.first_ends.size, shares = (tiles + tiles_per_share - 1) / tiles_per_share;
  require_places(of.columns.size, shares * warps);
  ColumnPartsArrays made{};
  made.places = stage.template out<std::int32_t>("places", of.columns.size);
  made.open_places = stage.template out<std::int32_t>("open_places", shares * warps);
  made.begin = stage.template out<std::int32_t>("begin", cols + 1);
  const LaunchSpec each_column = strided_grid(cols + 1);
  if (tiles == 0) {
    stage.launch(each_column, Clear<std::int32_t>{made.begin, each_column.grid});
    return made;
  }
  const TilesOfWarps of_warps{tiles, tiles_per_share, warps};
  const auto open = stage.template scratch<std::int64_t>("open columns", shares * warps);
  const auto opened = stage.template scratch<std::int64_t>("columns opened", shares * warps);
  const LaunchSpec each_warp = item_grid(shares * warps, threads), lanes = item_grid(tiles * simt::warp_size, threads);
  stage.launch(each_warp, OpenColumns{of_warps, of.flags, of.first_ends, open, opened, made.open_places});
  made.all =
      of.columns.size + lay_out_sums(stage, opened, [&] { return index_t{foreseen().begin.back()} - of.columns.size; });
  const SumItems items{stage.template scratch<std::int32_t>("columns of items", made.all),
                       stage.template scratch<std::int32_t>("owners of items", made.all)};
  stage.launch(lanes, ItemsOfTiles{of_warps, of.first_ends, of.columns, as_const(opened), items});
  stage.launch(each_warp, ItemsOfWarps{as_const(open), of.columns, as_const(opened), items});
  const Sorted<std::int32_t, std::int32_t> sorted = stage.template sorted<std::int32_t>(as_const(items.columns), cols);
  const LaunchSpec each = strided_grid(made.all);
  stage.launch(each,
               PlacesOfItems{as_const(sorted.order), as_const(items.owners), made.places, made.open_places, each.grid});
  stage.launch(each_column, BeginsOfColumns{as_const(sorted.keys), made.begin, each_column.grid});
  return made;
}

// A conversion for tests: it makes the order of columns and these places, from a CSR.
struct ToColumnParts {
  static constexpr const char* format = "column_parts";
  static constexpr bool sorts = true;
  struct Params {
    int tiles_per_share = 4, warps = 3;
    bool operator==(const Params&) const = default;
  };
  static Fields<Params> fields() {
    return {{&Params::tiles_per_share,
             {.id = "tiles_per_share", .label = {}, .help = {}, .type = ParamSpec::Type::integer, .min = 1, .max = 40}},
            {&Params::warps,
             {.id = "warps", .label = {}, .help = {}, .type = ParamSpec::Type::integer, .min = 1, .max = 32}}};
  }
  static ColumnParts made_by_host(const CsrFormat& a, const ColumnOrder& order, const Params& p) {
    return ColumnPartsOf<ColumnOrder>{order, a.cols(), p.tiles_per_share, p.warps}();
  }
  static std::vector<MadeArray> on_host(const CsrFormat& a, const Params& p) {
    const ColumnOrder order = ToColumnOrder::made_by_host(a, p.tiles_per_share);
    const ColumnParts parts = made_by_host(a, order, p);
    std::vector<MadeArray> all = ToColumnOrder::arrays_of(order);
    all.push_back(made_array("places", parts.places));
    all.push_back(made_array("open_places", parts.open_places));
    all.push_back(made_array("begin", parts.begin));
    return all;
  }
  template <class Stage, class T = typename Stage::Value>
  static void lay_out(const CsrFormat& a, const FormatFacts&, const Params& p, Stage& stage) {
    const auto order = [&] { return ToColumnOrder::made_by_host(a, p.tiles_per_share); };
    stage.typed(a, [&]<class Ptr, class Col>(const TypedArrays<T, Ptr, Col>& csr) {
      const ColumnOrderArrays made = lay_out_column_order(stage, csr.columns, a.cols(), p.tiles_per_share, order);
      lay_out_column_parts(stage, {as_const(made.flags), as_const(made.first_ends), as_const(made.columns)}, a.cols(),
                           p.tiles_per_share, p.warps, [&] { return made_by_host(a, order(), p); });
    });
  }
};

}  // namespace warpspy::convert
