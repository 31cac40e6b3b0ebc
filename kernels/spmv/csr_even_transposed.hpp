// Computes y = A^T x from a matrix in CSR without storing A^T. Every thread block has an equal share of the entries,
// whatever the lengths of rows and columns. It writes the products of its share to shared memory, in the order of the
// entries, and reads them in the order of their columns. That order is made once, before the first product (16 bits for
// each entry, read in place of the column). The block adds up the products of each column. A bit for each product, the
// flag, tells whether a column ends there. Then neighbouring lanes add the sums of neighbouring columns to y by
// atomics. So a column needs one atomic per share, and one more where a warp ends within the column. Steinberger et al.
// 2016, section IV, need one for each entry. Atomics add in any order, so the last bits of y may differ from run to
// run. For the same bits every time, each sum can get a place in memory of its own, and a second launch adds up the
// sums of each column.
#pragma once

#include <algorithm>
#include <limits>

#include "core/formats/csr.hpp"
#include "kernels/spmv/column_order.hpp"
#include "kernels/spmv/row_marks.hpp"
#include "kernels/spmv/spmv.hpp"

namespace warpspy::inline SIMT_TARGET {

struct CsrEvenTransposed {
  using Input = CsrFormat;
  static constexpr bool overlaps = true, reads_pointers = false, reads_indices = false;
  struct Params {
    int blocks = 264;
    int share_kib = 108;
    int block_size = 512;
    int sums = 0;  // one of `choices`
    bool operator==(const Params&) const = default;
  };
  static constexpr int items = ColumnOrder::items;

  template <class T, class Cached>
  struct Code {
    static constexpr bool awaits_previous = true;
    static constexpr int threads_at_most = 1024, blocks_at_least = 1;
    static constexpr int pack = 16 / sizeof(T), packs = items / pack;

    simt::Array<const T> values;
    simt::Array<const std::int32_t> marks;
    simt::Array<const std::int32_t> rows;
    simt::Array<const std::uint16_t> order;
    simt::Array<const std::uint16_t> flags;
    simt::Array<const std::int64_t> first_ends;
    simt::Array<const std::int32_t> columns;
    simt::Array<const T> x;
    simt::Array<T> y;
    // The place in memory for each sum; empty if sums are added to y by atomics.
    simt::Array<const std::int32_t> places;
    simt::Array<const std::int32_t> open_places;
    simt::Array<T> parts;
    std::int64_t entries;
    int tiles, tiles_per_share;
    T alpha;
    Cached cached;

    // Holds what a lane loads of a tile: packs of neighbouring entries. Neighbouring lanes have neighbouring packs.
    struct Part {
      T value[items];
      simt::Pack<std::int32_t, 2> mark[packs];
    };
    // Holds what a lane adds up of a tile: products that are neighbours in the order of columns.
    struct Sorted {
      simt::Pack<std::uint16_t, items> from;
      std::uint32_t flags = 0;

      SIMT_DEVICE std::uint32_t ends() const { return flags & ((1u << items) - 1); }
      SIMT_DEVICE int ends_before() const { return static_cast<int>(flags >> items); }
    };

    SIMT_DEVICE void load(Part& part, std::int64_t begin, int lane) const {
      const bool whole = begin + ColumnOrder::tile <= entries;
      SIMT_UNROLL
      for (int p = 0; p < packs; ++p) {
        const std::int64_t k = begin + (p * simt::warp_size + lane) * pack;
        part.mark[p] = simt::ld_pack<2>(cached.columns, marks, k / 32 * 2);
        if (whole) {
          const auto v = simt::ld_pack<pack>(cached.values, values, k);
          SIMT_UNROLL
          for (int i = 0; i < pack; ++i) part.value[p * pack + i] = v.v[i];
          continue;
        }
        SIMT_UNROLL
        for (int i = 0; i < pack; ++i)
          part.value[p * pack + i] = k + i < entries ? simt::ld(cached.values, values, k + i) : T{0};
      }
    }
    SIMT_DEVICE Sorted load_sorted(std::int64_t tile, int lane) const {
      const std::int64_t at = tile * simt::warp_size + lane;
      return {simt::ld_pack<items>(cached.pointers, order, at * items), simt::ld(cached.pointers, flags, at)};
    }
    SIMT_DEVICE int row_of(int n) const { return rows.size == 0 ? n : static_cast<int>(simt::ld(rows, n)); }

    // Writes the products of the tile that begins at `mine` to shared memory, in the order in which they were loaded.
    SIMT_DEVICE void multiply(const Part& part, const simt::SharedArray<T>& products, int mine, int lane) const {
      SIMT_UNROLL
      for (int p = 0; p < packs; ++p) {
        const int bit = lane * pack % 32;
        const auto ends = static_cast<std::uint32_t>(part.mark[p].v[0]);
        int row = part.mark[p].v[1] + simt::count_bits(ends & ((1u << bit) - 1));
        simt::Pack<T, pack> product;
        SIMT_UNROLL
        for (int i = 0; i < pack; ++i) {
          product.v[i] = part.value[p * pack + i] * simt::ld(cached.x, x, row_of(row));
          row += static_cast<int>(ends >> (bit + i) & 1);
        }
        simt::st_pack(products, mine + (p * simt::warp_size + lane) * pack, product);
      }
    }

    SIMT_DEVICE void operator()(simt::Thread t) const {
      simt::PreviousLaunch previous;
      const int lane = t.thread % simt::warp_size, warp = t.thread / simt::warp_size;
      const int warps = t.block_size / simt::warp_size;
      SIMT_DYNAMIC_SHARED(T, products, 0, tiles_per_share * ColumnOrder::tile);
      SIMT_DYNAMIC_SHARED(T, sums, tiles_per_share * ColumnOrder::tile * static_cast<int>(sizeof(T)),
                          t.block_size * items);
      const int first_tile = static_cast<int>(t.block) * tiles_per_share;
      const int count = tiles - first_tile < tiles_per_share ? tiles - first_tile : tiles_per_share;

      Part part;
      if (warp < count) load(part, std::int64_t{first_tile + warp} * ColumnOrder::tile, lane);
      previous.await();
      for (int tile = warp; tile < count;) {
        const Part now = part;
        const int next = tile + warps;
        if (next < count) load(part, std::int64_t{first_tile + next} * ColumnOrder::tile, lane);
        multiply(now, products, tile * ColumnOrder::tile, lane);
        tile = next;
      }
      // In the order of columns a warp has neighbouring tiles, so that few columns continue in another warp.
      const int from = first_tile + warp * count / warps, to = first_tile + (warp + 1) * count / warps;
      Sorted sorted;
      if (from < to) sorted = load_sorted(from, lane);
      simt::sync_block();
      T open = 0;  // sum of the column that the tiles so far have not finished
      for (int tile = from; tile < to; ++tile) {
        T product[items];
        SIMT_UNROLL
        for (int i = 0; i < items; ++i) product[i] = simt::ld(products, sorted.from.v[i]);
        const std::uint32_t ends = sorted.ends();
        const int ends_before = sorted.ends_before();
        if (tile + 1 < to) sorted = load_sorted(tile + 1, lane);
        open = add_columns(product, ends, ends_before, open, tile, lane, sums, warp * ColumnOrder::tile, tile + 1 == to,
                           static_cast<int>(t.block) * warps + warp);
      }
    }

    // Adds up the products of a tile by columns. The sum of each column that ends in the tile is added to y, or is
    // written to its place. So is the sum of the last column if no other warp continues it (`closes`); its place is the
    // warp's `own`. Returns the sum of the last column.
    SIMT_DEVICE T add_columns(const T (&product)[items], std::uint32_t ends, int ends_before, T open, int tile,
                              int lane, const simt::SharedArray<T>& sums, int mine, bool closes, int own) const {
      T sum = lane == 0 ? open : T{0}, head = 0;
      int end = ends_before;
      SIMT_UNROLL
      for (int i = 0; i < items; ++i) {
        sum += product[i];
        if (!(ends >> i & 1)) continue;
        if (end == ends_before)
          head = sum;
        else
          simt::st(sums, mine + end, sum);
        ++end;
        sum = 0;
      }
      const T up_to_here = simt::sum_segments(sum, lane, simt::ballot(ends != 0) | 1u);
      const T before = simt::shfl_up(up_to_here, 1);
      if (ends != 0) simt::st(sums, mine + ends_before, lane > 0 ? head + before : head);
      int count = simt::shfl(end, simt::warp_size - 1);
      const bool goes_on = simt::shfl(ends >> (items - 1), simt::warp_size - 1) == 0;
      const T left = simt::shfl(up_to_here, simt::warp_size - 1);
      if (closes && goes_on) {
        if (lane == 0) simt::st(sums, mine + count, left);
        ++count;
      }
      simt::syncwarp();
      const std::int64_t first = count > 0 ? simt::ld(first_ends, tile) : 0;
      for (int e = lane; e < count; e += simt::warp_size) {
        const T total = simt::ld(sums, mine + e);
        if (open_places.size == 0)
          simt::atomic_add(y, simt::ld(cached.pointers, columns, first + e), alpha * total);
        else if (closes && goes_on && e == count - 1)
          simt::st(parts, simt::ld(open_places, own), total);
        else
          simt::st(parts, simt::ld(cached.pointers, places, first + e), total);
      }
      simt::syncwarp();
      return left;
    }
  };

  // The second launch: `coop` threads add up the sums that the shares have left for a column.
  template <class T>
  struct AddParts {
    simt::Array<const std::int32_t> begin;
    simt::Array<T> parts;
    simt::Array<T> y;
    std::int64_t columns;
    int coop;
    Scale<T> scale;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      const std::int64_t column = (t.block * t.block_size + t.thread) / coop;
      T sum = 0;
      if (column < columns) {
        const int end = simt::ld(begin, column + 1);
        for (int k = simt::ld(begin, column) + t.thread % coop; k < end; k += coop) sum += simt::ld(parts, k);
      }
      sum = simt::sum_down(sum, coop);  // outside the condition: every lane takes part
      if (column < columns && t.thread % coop == 0) scale.store(y, column, sum);
    }
  };

  static Fields<Params> fields() {
    ParamSpec block_size = block_size_spec();
    block_size.tried = {256, 512};
    return {
        {&Params::blocks,
         {.id = "blocks",
          .label = "Blocks at a time",
          .help = "The entries are dealt out to a multiple of so many blocks; they should fill the GPU.",
          .type = ParamSpec::Type::integer,
          .min = 1,
          .max = 65536,
          .scale = ParamSpec::Scale::per_sm,
          .tried = {2, 4}}},
        {&Params::share_kib,
         {.id = "share_kib",
          .label = "Share in KiB",
          .help = "Shared memory of a block at most, for its products and their sums, one tile in any case. Larger "
                  "shares gather more before they add to y.",
          .type = ParamSpec::Type::integer,
          .min = 2,
          .max = 220,
          .scale = ParamSpec::Scale::of_shared,
          .tried = {0.48, 0.96}}},
        {&Params::block_size, block_size},
        {&Params::sums,
         {.id = "sums",
          .label = "Sums of columns",
          .help = "Added to y by atomics, in the order of the day; or in one order, which gives the same bits every "
                  "time and takes a second launch.",
          .type = ParamSpec::Type::choice,
          .min = 0,
          .max = 1,
          .choices = {"by atomics", "in one order"}}}};
  }
  static constexpr Tags tags = Tag::splits_rows | Tag::sums_in_shared | Tag::vector_in_shared | Tag::atomics;
  static constexpr Slowdown slowdown = {1, not_measured};
  static std::vector<Start> starts() {
    return {{.params = {{"blocks", 2}}, .first = true},
            {.params = {{"share_kib", 0.96}, {"blocks", 4}, {"block_size", 256}}}};
  }
  static KernelInfo info() {
    KernelInfo info{
        "csr_even_transposed", "CSR even transposed",
        "y = A^T x from the CSR of A: blocks sort equal shares of products by columns before they add to y, "
        "for uneven rows and full columns.",
        "after Steinberger et al. 2016 and Liu & Vinter 2015", "csr"};
    info.operation = Operation::transposed_product;
    return info;
  }

  // Chooses the tiles per share. There are `blocks` shares, or a multiple of that if the products of a share would not
  // fit into shared memory.
  static index_t tiles_per_share(index_t tiles, const Params& p, index_t value_bytes) {
    const index_t bytes = index_t{p.share_kib} * 1024 - p.block_size * items * value_bytes;
    const index_t most = std::clamp<index_t>(bytes / value_bytes / ColumnOrder::tile, 1, ColumnOrder::most_tiles);
    const index_t waves = std::max<index_t>(1, (tiles + most * p.blocks - 1) / (most * p.blocks));
    return std::max<index_t>(1, (tiles + waves * p.blocks - 1) / (waves * p.blocks));
  }

  // The places of sums that are always added up in the same order; empty if sums are added to y by atomics.
  template <class T>
  struct InOrder {
    simt::Array<const std::int32_t> places, open_places, begin;
    simt::Array<T> parts;
  };
  template <class Sorted, class Layout, class T = typename Layout::Value>
  static InOrder<T> in_order(const Sorted& sorted, index_t cols, index_t share, index_t warps, Layout& layout) {
    const auto& sums = layout.prepare(ColumnPartsOf<Sorted>{sorted, cols, share, warps});
    return {layout.made("places", Role::matrix, sums.places),
            layout.made("open_places", Role::matrix, sums.open_places),
            layout.made("part_begin", Role::matrix, sums.begin), layout.template scratch<T>("parts", sums.count())};
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    constexpr index_t most = std::numeric_limits<std::int32_t>::max();
    const index_t tiles = (a.nnz() + ColumnOrder::tile - 1) / ColumnOrder::tile;
    if (a.rows() > most || a.cols() > most || tiles > most)
      throw Error("kernel csr_even_transposed cannot count more than 2147483647 rows or columns", {},
                  "use csr_transposed");
    const index_t share = tiles_per_share(tiles, p, sizeof(T));
    visit_all(
        [&]<class Ptr, class Col>(std::span<const Ptr> row_ptr, std::span<const Col> columns) {
          const auto& sorted = layout.prepare(ColumnOrderOf<Col>{columns, a.cols(), share});
          const auto& marks = layout.prepare(RowMarksOf<Ptr>{row_ptr, tiles * ColumnOrder::tile});
          InOrder<T> sums{};
          if (p.sums != 0)
            sums = in_order(sorted, a.cols(), share, p.block_size / simt::warp_size, layout);
          else
            scale_y_first(layout, a.cols());
          layout.with_caches([&]<class Cached>(const Cached& cached) {
            layout.launch({.grid = std::max<index_t>(1, (tiles + share - 1) / share),
                           .block = p.block_size,
                           .shared_bytes = static_cast<int>((share * ColumnOrder::tile + p.block_size * items) *
                                                            static_cast<index_t>(sizeof(T)))},
                          Code<T, Cached>{layout.in("values", Role::matrix, a.values().template as<T>()),
                                          layout.made("row_marks", Role::x_index, marks.marks),
                                          layout.made("rows", Role::x_index, marks.rows),
                                          layout.made("order", Role::matrix, sorted.order),
                                          layout.made("flags", Role::matrix, sorted.flags),
                                          layout.made("first_ends", Role::matrix, sorted.first_ends),
                                          layout.made("columns", Role::matrix, sorted.columns), layout.x(), layout.y(),
                                          sums.places, sums.open_places, sums.parts, a.nnz(), static_cast<int>(tiles),
                                          static_cast<int>(share), layout.scale().alpha, cached});
          });
          if (p.sums == 0) return;
          // As many threads as a column has parts on average, up to a warp.
          int coop = 1;
          while (coop < simt::warp_size && index_t{coop} * a.cols() < sums.parts.size) coop *= 2;
          layout.launch(item_grid(a.cols() * coop, p.block_size),
                        AddParts<T>{sums.begin, sums.parts, layout.y(), a.cols(), coop, layout.scale()});
        },
        a.row_ptr(), a.columns());
  }
};

}  // namespace warpspy::inline SIMT_TARGET
