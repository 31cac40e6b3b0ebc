// Computes y = A^T x from a matrix in CSR without storing A^T. Every thread block has an equal share of the entries,
// whatever the lengths of rows and columns. Each column of the share has a slot, a place in shared memory where the
// block adds up its products. Then the block adds every slot to y by one atomic, in the order of the columns. So
// entries of a column are added up before they reach L2, and neighbouring columns go there together. A column with many
// entries in a share (dense) has a slot for every lane. A bit for each entry tells whether a row ends there. The kernel
// reads 16-bit slots in place of columns. So most atomics of Steinberger et al. 2016, section IV, are in shared memory
// here. If columns are scattered, a share in the order of rows has nearly as many columns as entries, and little is
// saved. The entries can then be sorted by stripes of y once. A stripe is a range of neighbouring columns. A share then
// lies in one stripe, and adds to neighbouring elements of y.
#pragma once

#include <algorithm>
#include <limits>

#include "core/formats/csr.hpp"
#include "kernels/spmv/column_slots.hpp"
#include "kernels/spmv/row_marks.hpp"
#include "kernels/spmv/spmv.hpp"
#include "kernels/spmv/stripe_pieces.hpp"

namespace warpspy::inline SIMT_TARGET {

struct CsrSlotsTransposed {
  using Input = CsrFormat;
  static constexpr bool overlaps = true, reads_pointers = false, reads_indices = false;
  struct Params {
    int blocks = 264;
    int slots_kib = 96;
    int block_size = 512;
    int entries_by = by_rows;  // one of `choices`
    bool operator==(const Params&) const = default;
  };
  static constexpr int by_rows = 0, by_stripes = 1;
  static constexpr int items = ColumnSlots::tile / simt::warp_size;  // entries of a lane at a time
  template <class T>
  static constexpr int pack_of = 16 / sizeof(T);  // neighbouring entries that a lane loads at once

  template <class T, class Cached>
  struct Code {
    static constexpr bool awaits_previous = true;
    static constexpr int threads_at_most = 1024, blocks_at_least = 1;
    static constexpr int pack = pack_of<T>, packs = items / pack;
    // Whether the next tile is loaded before the present one is added: two tiles in f64 do not fit into registers.
    static constexpr bool ahead = sizeof(T) == 4;
    static constexpr int at_once = 4;  // columns that a thread adds to y at the same time

    simt::Array<const T> values;
    simt::Array<const std::uint16_t> slots;
    simt::Array<const std::int32_t> marks;
    simt::Array<const std::int32_t> rows;
    simt::Array<const std::int32_t> shares;
    simt::Array<const std::int32_t> slot_columns;
    simt::Array<const T> x;
    simt::Array<T> y;
    std::int64_t entries;
    T alpha;
    Cached cached;

    // Holds what a lane loads of a tile: packs of neighbouring entries. Neighbouring lanes have neighbouring packs.
    struct Part {
      T value[items];  // products later
      simt::Pack<std::uint16_t, pack> slot[packs];
      simt::Pack<std::int32_t, 2> mark[packs];
    };
    SIMT_DEVICE void load(Part& part, int tile, int lane) const {
      const std::int64_t begin = std::int64_t{tile} * ColumnSlots::tile;
      const bool whole = begin + ColumnSlots::tile <= entries;
      SIMT_UNROLL
      for (int p = 0; p < packs; ++p) {
        const std::int64_t k = begin + (p * simt::warp_size + lane) * pack;
        part.slot[p] = simt::ld_pack<pack>(cached.pointers, slots, k);
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
    SIMT_DEVICE int row_of(int n) const { return rows.size == 0 ? n : static_cast<int>(simt::ld(rows, n)); }
    SIMT_DEVICE void multiply(Part& part, int lane) const {
      SIMT_UNROLL
      for (int p = 0; p < packs; ++p) {
        const int bit = lane * pack % 32;
        const auto ends = static_cast<std::uint32_t>(part.mark[p].v[0]);
        int row = part.mark[p].v[1] + simt::count_bits(ends & ((1u << bit) - 1));
        SIMT_UNROLL
        for (int i = 0; i < pack; ++i) {
          part.value[p * pack + i] *= simt::ld(cached.x, x, row_of(row));
          row += static_cast<int>(ends >> (bit + i) & 1);
        }
      }
    }

    SIMT_DEVICE void operator()(simt::Thread t) const {
      simt::PreviousLaunch previous;
      const int lane = t.thread % simt::warp_size, warp = t.thread / simt::warp_size;
      const int warps = t.block_size / simt::warp_size;
      const std::int64_t share = t.block * ColumnSlots::share_ints;
      const int last = simt::ld(shares, share + ColumnSlots::share_ints);
      int tile = simt::ld(shares, share) + warp;
      Part part;
      if (tile < last) load(part, tile, lane);
      const int first_column = simt::ld(shares, share + 1), dense = simt::ld(shares, share + 2);
      const int others = simt::ld(shares, share + ColumnSlots::share_ints + 1) - first_column - dense;
      const int of_dense = dense * simt::warp_size;
      SIMT_DYNAMIC_SHARED(T, sums, 0, of_dense + others);
      for (int i = t.thread; i < of_dense + others; i += t.block_size) simt::st(sums, i, T{0});
      simt::sync_block();
      previous.await();

      while (tile < last) {
        multiply(part, lane);
        const Part products = part;
        tile += warps;
        if (ahead && tile < last) load(part, tile, lane);
        SIMT_UNROLL
        for (int i = 0; i < items; ++i) simt::atomic_add(sums, products.slot[i / pack].v[i % pack], products.value[i]);
        if (!ahead && tile < last) load(part, tile, lane);
      }
      simt::sync_block();
      for (int h = warp; h < dense; h += warps) {
        const T sum = simt::sum_xor(simt::ld(sums, h * simt::warp_size + lane));
        if (lane == 0) simt::atomic_add(y, simt::ld(cached.pointers, slot_columns, first_column + h), alpha * sum);
      }
      for (int first = t.thread; first < others; first += at_once * t.block_size) {
        int column[at_once]{};
        SIMT_UNROLL
        for (int u = 0; u < at_once; ++u) {
          const int i = first + u * t.block_size;
          if (i < others) column[u] = simt::ld(cached.pointers, slot_columns, first_column + dense + i);
        }
        SIMT_UNROLL
        for (int u = 0; u < at_once; ++u) {
          const int i = first + u * t.block_size;
          if (i < others) simt::atomic_add(y, column[u], alpha * simt::ld(sums, of_dense + i));
        }
      }
    }
  };

  static Fields<Params> fields() {
    ParamSpec block_size = block_size_spec();
    block_size.tried = {256, 512};
    return {
        {&Params::blocks,
         {.id = "blocks",
          .label = "Blocks",
          .help = "Shares that the entries are dealt out to. Fewer of them gather more before they add to y; they "
                  "should fill the GPU.",
          .type = ParamSpec::Type::integer,
          .min = 1,
          .max = 65536,
          .scale = ParamSpec::Scale::per_sm,
          .tried = {2, 4, 8}}},
        {&Params::slots_kib,
         {.id = "slots_kib",
          .label = "Slots in KiB",
          .help = "Shared memory of a block at most. A share with more columns than there is room for is cut.",
          .type = ParamSpec::Type::integer,
          .min = 2,
          .max = 220}},
        {&Params::block_size, block_size},
        {&Params::entries_by,
         {.id = "entries_by",
          .label = "Order of entries",
          .help = "By rows, as in the matrix; or by stripes of y as wide as there are slots, which is made once and "
                  "gains where columns lie anywhere.",
          .type = ParamSpec::Type::choice,
          .min = 0,
          .max = 1,
          .choices = {"by rows", "by stripes of y"}}}};
  }
  static constexpr Tags tags = Tag::splits_rows | Tag::vector_in_shared | Tag::atomics;
  static constexpr Slowdown slowdown = {1, not_measured};
  static std::vector<Start> starts() {
    return {{.params = {{"blocks", 2}}, .first = true},
            {.params = {{"blocks", 8}, {"block_size", 512}, {"entries_by", 0}}},
            {.params = {{"blocks", 4}, {"block_size", 256}, {"entries_by", 0}}}};
  }
  static KernelInfo info() {
    KernelInfo info{"csr_slots_transposed", "CSR slots transposed",
                    "y = A^T x from the CSR of A: blocks add up equal shares of entries in shared memory, a slot for "
                    "each of a share's columns, for uneven rows and full columns.",
                    "after Steinberger et al. 2016 and Liu & Vinter 2015", "csr"};
    info.operation = Operation::transposed_product;
    return info;
  }

  // Lays out the launch of the product. `columns` are the columns of the entries, in the order of `values`. `marks` and
  // `rows` tell the row of each entry. These arrays lie on the host or on a device.
  template <class Columns, class Numbers, class Layout, class T = typename Layout::Value>
  static void launch(const Input& a, const Params& p, const simt::Array<const T>& values, const Columns& columns,
                     const Numbers& marks, const Numbers& rows, Layout& layout) {
    const index_t tiles = tiles_of(a), share = std::max<index_t>(1, (tiles + p.blocks - 1) / p.blocks);
    const auto& made =
        layout.prepare(ColumnSlotsOf<Columns>{columns, a.cols(), share, room_of(p, sizeof(T)), pack_of<T>});
    const auto count = static_cast<std::int64_t>(made.shares.size()) / ColumnSlots::share_ints - 1;
    scale_y_first(layout, a.cols());
    layout.with_caches([&]<class Cached>(const Cached& cached) {
      layout.launch(
          {.grid = count, .block = p.block_size, .shared_bytes = made.largest * static_cast<int>(sizeof(T))},
          Code<T, Cached>{values, layout.made("slots", Role::matrix, made.slots),
                          layout.made("row_marks", Role::x_index, marks), layout.made("rows", Role::x_index, rows),
                          layout.made("shares", Role::matrix_index, made.shares),
                          layout.made("slot_columns", Role::matrix, made.columns), layout.x(), layout.y(), a.nnz(),
                          layout.scale().alpha, cached});
    });
  }
  static index_t tiles_of(const Input& a) { return (a.nnz() + ColumnSlots::tile - 1) / ColumnSlots::tile; }
  static index_t room_of(const Params& p, std::size_t value_bytes) {
    return std::min<index_t>(index_t{p.slots_kib} * 1024 / static_cast<index_t>(value_bytes), ColumnSlots::most_slots);
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    constexpr index_t most = std::numeric_limits<std::int32_t>::max();
    const index_t tiles = tiles_of(a), padded = tiles * ColumnSlots::tile;
    if (a.rows() > most || a.cols() > most || tiles > most)
      throw Error("kernel csr_slots_transposed cannot count more than 2147483647 rows or columns", {},
                  "use csr_transposed");
    if (p.entries_by == by_stripes) {
      const auto& pieces = layout.prepare(StripePiecesOf<T>{"csr_slots_transposed", a, room_of(p, sizeof(T)), padded});
      const auto of = [&](const auto& columns) {
        launch(a, p, layout.made("values", Role::matrix, pieces.values), columns, pieces.marks, pieces.rows, layout);
      };
      if constexpr (requires { pieces.columns.begin(); })
        of(std::span(pieces.columns));
      else  // on a device
        of(pieces.columns);
      return;
    }
    visit_all(
        [&]<class Ptr, class Col>(std::span<const Ptr> row_ptr, std::span<const Col> columns) {
          if constexpr (compiled_indices<Ptr, Col>) {
            const auto& marks = layout.prepare(RowMarksOf<Ptr>{row_ptr, padded});
            launch(a, p, layout.in("values", Role::matrix, a.values().template as<T>()), columns, marks.marks,
                   marks.rows, layout);
          }
        },
        a.row_ptr(), a.columns());
  }
};

}  // namespace warpspy::inline SIMT_TARGET
