// Tiles of whole rows (kernels/spmv/row_tiles.hpp). Launches on a device make it, byte for byte as row_tiles() makes it
// on the host.
//
// Each tile begins where the previous tile ends, so tiles form a chain that begins at row 0. Where a tile would end can
// be computed for any first row. Each thread block has a segment of rows, and a tile has at most as many rows as a
// segment. So the chain enters a segment at one of its first rows, but it is not known at which. From each of these
// rows the block follows its chain to the next segment. That gives a map from the row where the chain enters to the row
// where it leaves. Applied one after another, the maps of all segments tell where the chain from row 0 enters each.
#pragma once

#include <algorithm>

#include "kernels/convert/conversion.hpp"
#include "kernels/convert/steps.hpp"
#include "kernels/spmv/row_tiles.hpp"

namespace warpspy::convert {

inline constexpr int most_segment_rows = 4096;
inline constexpr int followers = 512;                                // threads of a block that has a segment
inline constexpr int followed_rows = most_segment_rows / followers;  // rows of each of these threads
inline constexpr index_t maps_at_once = 16;                          // maps that a thread applies one after another

inline namespace SIMT_TARGET {

// Computes where a tile ends that begins at a given row.
template <class Ptr>
struct TileEnds {
  simt::Array<const Ptr> row_ptr;
  std::int64_t entries, rows;  // of a tile at most

  SIMT_DEVICE std::int64_t count() const { return row_ptr.size - 1; }
  SIMT_DEVICE std::int64_t of(std::int64_t row, simt::Where where = simt::Where::current()) const {
    const std::int64_t last = row + rows < count() ? row + rows : count();
    return row_of(row_ptr, row + 1, last, simt::ld(row_ptr, row, where) + entries, where);
  }
};

// The chains within a block's segment. Rows count from the segment's first row.
template <class Ptr>
struct SegmentChains {
  TileEnds<Ptr> ends;
  int segment;  // rows of each segment; the last one may have fewer

  SIMT_DEVICE int rows_here(std::int64_t block) const {
    const std::int64_t left = ends.count() - block * segment;
    return static_cast<int>(left < segment ? left : segment);
  }
  // All threads of the block call it. It sets next[i] to the first row behind the segment on the chain from row i. It
  // marks all rows of the segment on the chain from row `entry`, unless `entry` lies behind the segment. Each step
  // doubles how far the chains are known.
  SIMT_DEVICE void follow(simt::Thread t, std::int64_t entry, const simt::SharedArray<std::uint16_t>& next,
                          const simt::SharedArray<std::uint8_t>& marks) const {
    const std::int64_t first = t.block * segment;
    const int rows = rows_here(t.block);
    for (int at = t.thread; at < most_segment_rows; at += followers) {
      const std::int64_t end = at < rows ? ends.of(first + at) - first : at;
      simt::st(next, at, static_cast<std::uint16_t>(end));
      simt::st(marks, at, at < rows && at == entry ? 1 : 0);
    }
    simt::sync_block();
    for (int steps = 1; steps < segment; steps *= 2) {
      int to[followed_rows], beyond[followed_rows];
      bool marked[followed_rows];
      SIMT_UNROLL
      for (int i = 0; i < followed_rows; ++i) {
        const int at = i * followers + t.thread;
        to[i] = simt::ld(next, at);
        beyond[i] = to[i] < rows ? simt::ld(next, to[i]) : to[i];
        marked[i] = simt::ld(marks, at) != 0;
      }
      simt::sync_block();
      SIMT_UNROLL
      for (int i = 0; i < followed_rows; ++i) {
        simt::st(next, i * followers + t.thread, static_cast<std::uint16_t>(beyond[i]));
        if (marked[i] && to[i] < rows) simt::st(marks, to[i], 1);
      }
      simt::sync_block();
    }
  }
};

// Each segment but the last gets a block. It writes where the chain from each of its first rows enters the next
// segment.
template <class Ptr>
struct MapsOfSegments {
  SegmentChains<Ptr> chains;
  simt::Array<std::int32_t> maps;  // as many as a tile has rows at most, of each segment
  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(std::uint16_t, next, most_segment_rows);
    SIMT_SHARED(std::uint8_t, marks, most_segment_rows);
    chains.follow(t, most_segment_rows, next, marks);
    const int window = static_cast<int>(chains.ends.rows);
    for (int at = t.thread; at < window; at += followers)
      simt::st(maps, t.block * window + at, static_cast<std::int32_t>(simt::ld(next, at)) - chains.segment);
  }
};

// Joins the maps of maps_at_once neighbouring segments to one map, with a thread for each of its elements.
struct JoinMaps {
  simt::Array<const std::int32_t> maps;
  simt::Array<std::int32_t> joined;
  std::int64_t window;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t at = t.block * threads + t.thread;
    if (at >= joined.size) return;
    std::int64_t row = at % window;
    for (std::int64_t i = 0; i < maps_at_once; ++i)
      row = simt::ld(maps, (at / window * maps_at_once + i) * window + row);
    simt::st(joined, at, static_cast<std::int32_t>(row));
  }
};

// Each group of maps_at_once segments gets a thread. It writes where the chain enters each of them.
struct EntriesOfSegments {
  simt::Array<const std::int32_t> maps;
  simt::Array<const std::int32_t> joined_entries;  // where it enters each thread's first one; none: at row 0
  simt::Array<std::int32_t> entries;
  std::int64_t window;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t joined = t.block * threads + t.thread, first = joined * maps_at_once;
    if (first >= entries.size) return;
    const std::int64_t end = first + maps_at_once < entries.size ? first + maps_at_once : entries.size;
    std::int32_t row = joined_entries.size > 0 ? simt::ld(joined_entries, joined) : 0;
    for (std::int64_t s = first; s < end; ++s) {
      simt::st(entries, s, row);
      if (s + 1 < end) row = simt::ld(maps, s * window + row);
    }
  }
};

// Each segment gets a block, which lists the rows at which tiles begin, and counts them.
template <class Ptr>
struct BeginsOfTiles {
  static constexpr int words = most_segment_rows / simt::warp_size;
  SegmentChains<Ptr> chains;
  simt::Array<const std::int32_t> entries;
  simt::Array<std::uint16_t> begins;  // segment by segment, as many as it has rows
  simt::Array<std::int64_t> counts;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(std::uint16_t, next, most_segment_rows);
    SIMT_SHARED(std::uint8_t, marks, most_segment_rows);
    SIMT_SHARED(std::uint32_t, bits, words);
    SIMT_SHARED(int, before, words);
    chains.follow(t, simt::ld(entries, t.block), next, marks);
    const int lane = t.thread % simt::warp_size;
    SIMT_UNROLL
    for (int i = 0; i < followed_rows; ++i) {
      const int at = i * followers + t.thread;
      const std::uint32_t marked = simt::ballot(simt::ld(marks, at) != 0);
      if (lane == 0) simt::st(bits, at / simt::warp_size, marked);
    }
    simt::sync_block();
    if (t.thread < simt::warp_size) {
      constexpr int own = words / simt::warp_size;
      int count = 0;
      for (int w = lane * own; w < (lane + 1) * own; ++w) count += simt::count_bits(simt::ld(bits, w));
      int sum = counts_before(lane, count);
      for (int w = lane * own; w < (lane + 1) * own; ++w) {
        simt::st(before, w, sum);
        sum += simt::count_bits(simt::ld(bits, w));
      }
      if (lane == simt::warp_size - 1) simt::st(counts, t.block, sum);
    }
    simt::sync_block();
    SIMT_UNROLL
    for (int i = 0; i < followed_rows; ++i) {
      const int at = i * followers + t.thread;
      const std::uint32_t marked = simt::ld(bits, at / simt::warp_size);
      if (!(marked >> lane & 1)) continue;
      const int earlier = simt::ld(before, at / simt::warp_size) + simt::count_bits(marked & ((1u << lane) - 1));
      simt::st(begins, t.block * chains.segment + earlier, static_cast<std::uint16_t>(at));
    }
  }
};

// Each tile gets a thread, which writes the tile's numbers.
template <class Ptr>
struct FillRowTiles {
  TileEnds<Ptr> ends;
  simt::Array<const std::uint16_t> begins;
  simt::Array<const std::int64_t> before;  // tiles before each segment
  simt::Array<Ptr> tiles;
  std::int64_t segment;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t at = t.block * threads + t.thread;
    if (at * row_tile_numbers >= tiles.size) return;
    const std::int64_t of = row_of(before, std::int64_t{0}, before.size - 1, at);
    const std::int64_t row = of * segment + simt::ld(begins, of * segment + at - simt::ld(before, of));
    const std::int64_t end = ends.of(row);
    simt::st(tiles, at * row_tile_numbers, static_cast<Ptr>(row));
    simt::st(tiles, at * row_tile_numbers + 1, static_cast<Ptr>(end));
    simt::st(tiles, at * row_tile_numbers + 2, simt::ld(ends.row_ptr, row));
    simt::st(tiles, at * row_tile_numbers + 3, simt::ld(ends.row_ptr, end));
  }
};

}  // namespace SIMT_TARGET

// Lays out the launches that find where the chain enters each segment. All segments but the last have maps.
template <class Stage>
simt::Array<const std::int32_t> lay_out_entries(Stage& stage, const simt::Array<const std::int32_t>& maps,
                                                index_t segments, index_t window) {
  const index_t joined = (segments + maps_at_once - 1) / maps_at_once;
  simt::Array<const std::int32_t> joined_entries{};
  if (joined > 1) {
    const auto joined_maps = stage.template scratch<std::int32_t>("joined maps", (joined - 1) * window);
    stage.launch(item_grid(joined_maps.size, threads), JoinMaps{maps, joined_maps, window});
    joined_entries = lay_out_entries(stage, as_const(joined_maps), joined, window);
  }
  const auto entries = stage.template scratch<std::int32_t>("where the chain enters", segments);
  stage.launch(item_grid(joined, threads), EntriesOfSegments{maps, joined_entries, entries, window});
  return as_const(entries);
}

// `rows`: at most those of a segment, which are at most most_segment_rows. `foreseen`: the number of tiles, where
// nothing has run yet.
template <class Stage, class Ptr, class Foreseen>
simt::Array<Ptr> lay_out_row_tiles(Stage& stage, const simt::Array<const Ptr>& row_ptr, index_t entries, index_t rows,
                                   int segment, const Foreseen& foreseen) {
  const index_t count = row_ptr.size - 1, segments = (count + segment - 1) / segment;
  if (count == 0) {
    const auto none = stage.template out<Ptr>("tiles", row_tile_numbers);
    stage.launch({.grid = 1, .block = threads}, Clear<Ptr>{none, 1});
    return none;
  }
  const TileEnds<Ptr> ends{row_ptr, entries, rows};
  const SegmentChains<Ptr> chains{ends, segment};
  const auto maps = stage.template scratch<std::int32_t>("maps of segments", (segments - 1) * rows);
  if (segments > 1) stage.launch({.grid = segments - 1, .block = followers}, MapsOfSegments<Ptr>{chains, maps});
  const auto chain_entries = lay_out_entries(stage, as_const(maps), segments, rows);
  const auto begins = stage.template scratch<std::uint16_t>("where tiles begin", segments * segment);
  const auto before = stage.template scratch<std::int64_t>("tiles of segments", segments);
  stage.launch({.grid = segments, .block = followers}, BeginsOfTiles<Ptr>{chains, chain_entries, begins, before});
  const index_t all = lay_out_sums(stage, before, foreseen);
  const auto tiles = stage.template out<Ptr>("tiles", all * row_tile_numbers);
  stage.launch(item_grid(all, threads), FillRowTiles<Ptr>{ends, as_const(begins), as_const(before), tiles, segment});
  return tiles;
}

// A conversion for tests: it runs only this preparation, from a CSR. Segments may be smaller than those of products.
struct ToRowTiles {
  static constexpr const char* format = "row_tiles";
  struct Params {
    int entries = 64, rows = 24, segment = 32;
    bool operator==(const Params&) const = default;
  };
  static Fields<Params> fields() {
    return {
        {&Params::entries,
         {.id = "entries", .label = {}, .help = {}, .type = ParamSpec::Type::integer, .min = 1, .max = 4096}},
        {&Params::rows,
         {.id = "rows", .label = {}, .help = {}, .type = ParamSpec::Type::integer, .min = 1, .max = most_segment_rows}},
        {&Params::segment,
         {.id = "segment",
          .label = {},
          .help = {},
          .type = ParamSpec::Type::integer,
          .min = 32,
          .max = most_segment_rows}}};
  }
  static std::vector<MadeArray> on_host(const CsrFormat& a, const Params& p) {
    return a.row_ptr().visit([&]<class Ptr>(std::span<const Ptr> row_ptr) -> std::vector<MadeArray> {
      return {made_array("tiles", RowTilesOf<Ptr>{row_ptr, p.entries, p.rows}().tiles)};
    });
  }
  template <class Stage, class T = typename Stage::Value>
  static void lay_out(const CsrFormat& a, const FormatFacts&, const Params& p, Stage& stage) {
    stage.typed(a, [&]<class Ptr, class Col>(const TypedArrays<T, Ptr, Col>& csr) {
      lay_out_row_tiles(stage, csr.row_ptr, p.entries, p.rows, std::max(p.segment, p.rows), [&] {
        const std::vector<MadeArray> host = on_host(a, p);
        return static_cast<index_t>(host.front().bytes.size() / (row_tile_numbers * sizeof(Ptr)));
      });
    });
  }
};

}  // namespace warpspy::convert
