// CSR in the order of stripes of columns (kernels/spmv/striped_entries.hpp). Launches on a device make it, byte for
// byte as striped_entries() makes it on the host.
#pragma once

#include "kernels/convert/conversion.hpp"
#include "kernels/convert/steps.hpp"
#include "kernels/spmv/striped_entries.hpp"

namespace warpspy::convert {
inline namespace SIMT_TARGET {

// Each block processes `tile` entries, and writes the row and the stripe of each.
template <class Ptr, class Col>
struct StripesOfEntries {
  simt::Array<const Ptr> row_ptr;
  simt::Array<const Col> columns;
  simt::Array<std::int32_t> rows, stripes;
  std::int64_t last_row;
  Col width;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(std::int64_t, ends, 2);
    const std::int64_t first = t.block * tile, past = first + tile < rows.size ? first + tile : rows.size;
    const Between near = rows_between(t, ends, row_ptr, last_row, first, past);
    for (std::int64_t k = first + t.thread; k < past; k += threads) {
      simt::st(rows, k, static_cast<std::int32_t>(row_of(row_ptr, near.low, near.high, k)));
      simt::st(stripes, k, static_cast<std::int32_t>(simt::ld(columns, k) / width));
    }
  }
};

// Writes where each stripe begins among the sorted entries, and the end of the last one.
struct BeginsOfStripes {
  simt::Array<const std::int32_t> stripes;  // sorted
  simt::Array<std::int64_t> begins;
  std::int64_t grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (std::int64_t k = t.block * threads + t.thread; k <= stripes.size; k += grid * threads) {
      const std::int64_t before = k > 0 ? static_cast<std::int64_t>(simt::ld(stripes, k - 1)) : -1;
      const std::int64_t own = k < stripes.size ? static_cast<std::int64_t>(simt::ld(stripes, k)) : begins.size - 1;
      for (std::int64_t s = before + 1; s <= own; ++s) simt::st(begins, s, k);
    }
  }
};

// Writes how many tiles of `entries` entries each stripe takes. The last element is 0; the prefix sum then puts the sum
// of all there.
struct TilesOfStripes {
  simt::Array<const std::int64_t> begins;
  simt::Array<std::int64_t> tiles;
  std::int64_t grid;
  int entries;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (std::int64_t s = t.block * threads + t.thread; s < tiles.size; s += grid * threads) {
      const std::int64_t count = s + 1 < tiles.size ? simt::ld(begins, s + 1) - simt::ld(begins, s) : 0;
      simt::st(tiles, s, (count + entries - 1) / entries);
    }
  }
};

// The sorted entries, and where a lane's own entries stand in the padded stripes.
template <class Order>
struct SortedEntries {
  static constexpr int items = 8, entries_of_tile = items * simt::warp_size;
  simt::Array<const Order> order;
  simt::Array<const std::int32_t> rows;  // of the entries in the order of the CSR
  simt::Array<const std::int64_t> begins;
  simt::Array<const std::int32_t> stripe_tiles;

  struct Own {
    std::int64_t stripe, first, end;  // the lane's first entry among the sorted ones; the end of its stripe's
    std::int64_t left;                // places to the end of the padded stripe
  };
  SIMT_DEVICE Own own(std::int64_t lane) const {
    const std::int64_t at = lane / simt::warp_size;
    const std::int64_t stripe = row_of(stripe_tiles, std::int64_t{0}, stripe_tiles.size - 2, at);
    const std::int64_t place = lane * items - simt::ld(stripe_tiles, stripe) * std::int64_t{entries_of_tile};
    return {stripe, simt::ld(begins, stripe) + place, simt::ld(begins, stripe + 1),
            (simt::ld(stripe_tiles, stripe + 1) - at) * entries_of_tile - lane % simt::warp_size * items};
  }
  SIMT_DEVICE std::int32_t row(std::int64_t sorted, simt::Where where = simt::Where::current()) const {
    return simt::ld(rows, simt::ld(order, sorted, where), where);
  }
};

// Each lane gets a thread. It writes the lane's entries in lane order, and which of them end a piece. Padding belongs
// to the last piece of its stripe.
template <class T, class Col, class Order>
struct FillStripes {
  SortedEntries<Order> sorted;
  simt::Array<const Col> columns;
  simt::Array<const T> values;
  simt::Array<T> to_values;
  simt::Array<std::uint16_t> to_columns, flags;
  simt::Array<std::int64_t> ended;  // of each tile: pieces that end in it
  Col width;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    constexpr int items = SortedEntries<Order>::items;
    const std::int64_t at = t.block * threads + t.thread;
    std::uint32_t ends = 0;
    if (at < flags.size) {
      const auto own = sorted.own(at);
      std::int32_t row = own.first < own.end ? sorted.row(own.first) : -1;
      for (int i = 0; i < items; ++i) {
        const std::int64_t k = own.first + i;
        const std::int32_t next = k + 1 < own.end ? sorted.row(k + 1) : -1;
        if ((next >= 0 && next != row) || own.left == i + 1) ends |= 1u << i;
        row = next;
        const bool entry = k < own.end;
        const std::int64_t from = entry ? static_cast<std::int64_t>(simt::ld(sorted.order, k)) : 0;
        const Col column = entry ? static_cast<Col>(simt::ld(columns, from) - own.stripe * width) : width;
        simt::st(to_values, place<T>(at, i), entry ? simt::ld(values, from) : T{0});
        simt::st(to_columns, place<std::uint16_t>(at, i),
                 static_cast<std::uint16_t>(TurnedLines<T>::place_of(static_cast<int>(column))));
      }
    }
    const int lane = t.thread % simt::warp_size, count = simt::count_bits(ends);
    const int before = counts_before(lane, count);
    if (at >= flags.size) return;
    simt::st(flags, at, static_cast<std::uint16_t>(ends | static_cast<std::uint32_t>(before) << items));
    if (lane == simt::warp_size - 1) simt::st(ended, at / simt::warp_size, before + count);
  }
  // The place of the lane's entry i, as LaneOrder::place_of computes it.
  template <class E>
  SIMT_DEVICE static std::int64_t place(std::int64_t at, int i) {
    constexpr int pack = LaneOrder<E, SortedEntries<Order>::items>::pack;
    const std::int64_t first = at / simt::warp_size * SortedEntries<Order>::entries_of_tile;
    return first + (i / pack * simt::warp_size + at % simt::warp_size) * pack + i % pack;
  }
};

// Each lane gets a thread, which writes the rows of the pieces that end there.
template <class Order>
struct RowsOfPieces {
  SortedEntries<Order> sorted;
  simt::Array<const std::uint16_t> flags;
  simt::Array<const std::int32_t> first_ends;
  simt::Array<std::int32_t> rows;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    constexpr int items = SortedEntries<Order>::items;
    const std::int64_t at = t.block * threads + t.thread;
    if (at >= flags.size) return;
    const std::uint32_t own_flags = simt::ld(flags, at);
    const auto own = sorted.own(at);
    std::int64_t piece = simt::ld(first_ends, at / simt::warp_size) + static_cast<std::int64_t>(own_flags >> items);
    for (int i = 0; i < items; ++i) {
      if (!(own_flags >> i & 1)) continue;
      const std::int64_t k = own.first + i < own.end ? own.first + i : own.end - 1;
      simt::st(rows, piece++, sorted.row(k));
    }
  }
};

// The arrays that the launches fill.
template <class T>
struct StripedArrays {
  simt::Array<T> values;
  simt::Array<std::uint16_t> columns, flags;
  simt::Array<std::int32_t> first_ends, rows;
  std::vector<index_t> stripe_tiles;
};

}  // namespace SIMT_TARGET

// Lays out the launches and returns the arrays. `foreseen` computes on the host what launches will count, for an
// emulator in which no launch has run yet.
template <class Stage, class Foreseen, class T = typename Stage::Value>
StripedArrays<T> lay_out_striped(Stage& stage, const CsrFormat& a, index_t width, const Foreseen& foreseen) {
  const index_t stripes = std::max<index_t>(1, (a.cols() + width - 1) / width);
  StripedArrays<T> made{};
  stage.typed(a, [&]<class Ptr, class Col>(const TypedArrays<T, Ptr, Col>& csr) {
    using Entries = SortedEntries<Ptr>;
    const auto rows = stage.template scratch<std::int32_t>("rows of entries", a.nnz());
    const auto keys = stage.template scratch<std::int32_t>("stripes of entries", a.nnz());
    if (a.nnz() > 0)
      stage.launch(
          {.grid = (a.nnz() + tile - 1) / tile, .block = threads},
          StripesOfEntries<Ptr, Col>{csr.row_ptr, csr.columns, rows, keys, a.rows() - 1, static_cast<Col>(width)});
    const Sorted<Ptr, std::int32_t> sorted = stage.template sorted<Ptr>(as_const(keys), stripes);
    const auto begins = stage.template scratch<std::int64_t>("stripes begin", stripes + 1);
    const auto tiles = stage.template scratch<std::int64_t>("tiles of stripes", stripes + 1);
    const auto stripe_tiles = stage.template out<std::int32_t>("stripe_tiles", stripes + 1);
    const LaunchSpec entries = strided_grid(a.nnz() + 1), each = strided_grid(stripes + 1);
    stage.launch(entries, BeginsOfStripes{as_const(sorted.keys), begins, entries.grid});
    stage.launch(each, TilesOfStripes{as_const(begins), tiles, each.grid, Entries::entries_of_tile});
    const index_t all = lay_out_sums(stage, tiles, [&] { return index_t{foreseen().stripe_tiles.back()}; });
    stage.launch(each, Copy<std::int64_t, std::int32_t>{as_const(tiles), stripe_tiles, each.grid});
    made.stripe_tiles = stage.counted_all(stripe_tiles, [&] {
      const std::vector<std::int32_t> host = foreseen().stripe_tiles;
      return std::vector<index_t>(host.begin(), host.end());
    });
    made.values = stage.template out<T>("values", all * Entries::entries_of_tile);
    made.columns = stage.template out<std::uint16_t>("columns", all * Entries::entries_of_tile);
    made.flags = stage.template out<std::uint16_t>("flags", all * simt::warp_size);
    made.first_ends = stage.template out<std::int32_t>("first_ends", all);
    if (all == 0) return;
    const auto ended = stage.template scratch<std::int64_t>("pieces that end", all);
    const Entries of{as_const(sorted.order), as_const(rows), as_const(begins), as_const(stripe_tiles)};
    const LaunchSpec lanes = item_grid(made.flags.size, threads), of_tiles = strided_grid(all);
    stage.launch(lanes, FillStripes<T, Col, Ptr>{of, csr.columns, csr.values, made.values, made.columns, made.flags,
                                                 ended, static_cast<Col>(width)});
    const index_t pieces = lay_out_sums(stage, ended, [&] { return static_cast<index_t>(foreseen().rows.size()); });
    stage.launch(of_tiles, Copy<std::int64_t, std::int32_t>{as_const(ended), made.first_ends, of_tiles.grid});
    made.rows = stage.template out<std::int32_t>("rows", pieces);
    stage.launch(lanes, RowsOfPieces<Ptr>{of, as_const(made.flags), as_const(made.first_ends), made.rows});
  });
  return made;
}

// A conversion for tests: it runs only this preparation, from a CSR.
struct ToStripedEntries {
  static constexpr const char* format = "striped_entries";
  static constexpr bool sorts = true;
  struct Params {
    int width = 96;
    bool operator==(const Params&) const = default;
  };
  static Fields<Params> fields() {
    return {{&Params::width,
             {.id = "width", .label = {}, .help = {}, .type = ParamSpec::Type::integer, .min = 32, .max = 65472}}};
  }
  template <class T>
  static StripedEntries<T> made_by_host(const CsrFormat& a, index_t width) {
    return StripedEntriesOf<T>{"striped_entries", a, width}();
  }
  static std::vector<MadeArray> on_host(const CsrFormat& a, const Params& p) {
    const auto of = [&]<class T>(T) -> std::vector<MadeArray> {
      const StripedEntries<T> s = made_by_host<T>(a, p.width);
      return {made_array("values", s.values), made_array("columns", s.columns),
              made_array("flags", s.flags),   made_array("first_ends", s.first_ends),
              made_array("rows", s.rows),     made_array("stripe_tiles", s.stripe_tiles)};
    };
    return a.precision() == Precision::f32 ? of(float{}) : of(double{});
  }
  template <class Stage, class T = typename Stage::Value>
  static void lay_out(const CsrFormat& a, const FormatFacts&, const Params& p, Stage& stage) {
    lay_out_striped(stage, a, p.width, [&] { return made_by_host<T>(a, p.width); });
  }
};

}  // namespace warpspy::convert
