// Product with a matrix in CSR by merge path (Merrill & Garland, "Merge-based parallel sparse matrix-vector
// multiplication", SC 2016). The ends of rows and the entries are merged as two sorted lists. This merge has rows +
// entries steps. They are divided evenly, first among blocks (a tile each), then among threads. A step over an entry
// adds its product to the present row; a step over a row's end stores the row. So all threads have equal work, whatever
// the row lengths, even with empty rows. A search along a diagonal finds the place in both lists where a step begins
// (section 3, figure 5, algorithm 2). For tiles the search is done once, before the first product (the paper's blocks
// search in every product); for threads it is done in shared memory. Neighbouring threads read neighbouring entries of
// a tile, and write the products to shared memory. A row that continues in the next tile leaves a sum, which a second
// launch adds. So there are no atomics, and the result is always the same.
#pragma once

#include <limits>

#include "core/formats/csr.hpp"
#include "kernels/spmv/coo_warp.hpp"
#include "kernels/spmv/merge_tiles.hpp"
#include "kernels/spmv/spmv.hpp"
#include "kernels/spmv/staged_products.hpp"

namespace warpspy {

inline namespace SIMT_TARGET {

struct CsrMerge {
  using Input = CsrFormat;
  struct Params {
    int steps = 1;
    int block_size = 256;
    bool operator==(const Params&) const = default;
  };
  // The number of merge steps per thread, by the parameter `steps`. Lanes read words of shared memory that are this
  // number apart. It is odd, so that they use different banks.
  static constexpr int steps_of(int choice) {
    constexpr int steps[] = {5, 7, 11};
    return steps[choice];
  }
  // Stands for the end of a row that does not end in this tile.
  static constexpr int elsewhere = std::numeric_limits<int>::max();
  // Tells how many ends of rows a thread loads before its products. Tiles have fewer rows per thread unless rows are
  // short.
  static constexpr int ahead = 2;

  template <class T, class Ptr, class Col, int items, class Cached>
  struct Code {
    // Unsigned, since rows and entries are each below 2^31, and their sum is below 2^32.
    using Position = std::make_unsigned_t<Ptr>;
    simt::Array<const Position> first_rows;
    simt::Array<const Ptr> row_ptr;
    ProductArrays<T, Col> arrays;
    simt::Array<T> y;
    simt::Array<T> carries;
    Position path;  // steps of all tiles
    Scale<T> scale;
    Cached cached;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      const Position row = simt::ld(cached.pointers, first_rows, t.block);
      const Position last_row = simt::ld(cached.pointers, first_rows, t.block + 1);
      const Position tile = static_cast<Position>(t.block_size) * items;
      const Position diagonal = static_cast<Position>(t.block) * tile, begin = diagonal - row;
      const int steps = static_cast<int>(path - diagonal < tile ? path - diagonal : tile);
      const int rows = static_cast<int>(last_row - row), entries = steps - rows;
      const int bytes = entries * static_cast<int>(sizeof(T));
      // row_ends: where rows end, counted from the tile's first entry; the last one ends in a later tile.
      SIMT_DYNAMIC_SHARED(T, products, 0, entries);
      SIMT_DYNAMIC_SHARED(int, row_ends, bytes, rows + 1);

      // In most tiles the ends of rows are loaded before the products, and stored after them.
      const auto end_of = [&](int r, simt::Where where = simt::Where::current()) {
        if (r >= rows) return elsewhere;
        return static_cast<int>(simt::ld(cached.pointers, row_ptr, row + r + 1, where) - begin);
      };
      int own_ends[ahead];
      SIMT_UNROLL
      for (int i = 0; i < ahead; ++i) own_ends[i] = end_of(i * t.block_size + t.thread);
      simt::PreviousLaunch previous;  // never overlaps: a second launch reads what this one leaves
      arrays.template stage<items>(t, cached, products, begin, entries, previous);
      SIMT_UNROLL
      for (int i = 0; i < ahead; ++i) {
        const int r = i * t.block_size + t.thread;
        if (r <= rows) simt::st(row_ends, r, own_ends[i]);
      }
      for (int r = ahead * t.block_size + t.thread; r <= rows; r += t.block_size) simt::st(row_ends, r, end_of(r));
      simt::sync_block();

      add_share(
          t, walk(row_ends, products, row, t.thread * items < steps ? t.thread * items : steps, steps, rows, entries),
          row);
    }

    // The sums that a thread's steps leave: the sum after its last end of a row, and the sum before its first end,
    // which may be only a part of that row (-1: no row ended).
    struct Share {
      T sum = 0, first_sum = 0;
      int first_ended = -1;
    };

    // Returns how many rows of the tile end before this step. It searches as rows_ended does, but in shared memory.
    SIMT_DEVICE static int ended_before(const simt::SharedArray<int>& row_ends, int step, int rows, int entries) {
      int ended = step > entries ? step - entries : 0;
      for (int most = step < rows ? step : rows; ended < most;) {
        const int middle = (ended + most) / 2;
        if (simt::ld(row_ends, middle) < step - middle)
          ended = middle + 1;
        else
          most = middle;
      }
      return ended;
    }

    // Executes the thread's merge steps. A row is stored if this thread has all its entries.
    SIMT_DEVICE Share walk(const simt::SharedArray<int>& row_ends, const simt::SharedArray<T>& products, Position row,
                           int first_step, int steps, int rows, int entries) const {
      int ended = ended_before(row_ends, first_step, rows, entries);
      int k = first_step - ended, end = simt::ld(row_ends, ended);
      Share share;
      SIMT_UNROLL
      for (int i = 0; i < items; ++i) {
        if (first_step + i >= steps) continue;
        if (k < end) {
          share.sum += simt::ld(products, k);
          ++k;
        } else {
          if (share.first_ended < 0)
            share.first_ended = ended, share.first_sum = share.sum;
          else
            scale.store(y, row + ended, share.sum);
          share.sum = 0;
          ++ended;
          end = simt::ld(row_ends, ended);
        }
      }
      return share;
    }

    // Adds the sums of earlier threads to a thread's first row. The sum of a row that continues after the tile is left
    // for the second launch, AddCarries.
    SIMT_DEVICE void add_share(simt::Thread t, const Share& share, Position row) const {
      const int lane = t.thread % simt::warp_size, warp = t.thread / simt::warp_size;
      const std::uint32_t enders = simt::ballot(share.first_ended >= 0);
      const T up_to_here = simt::sum_segments(share.sum, lane, enders | 1u);
      SIMT_SHARED(T, warp_sums, simt::warp_size);
      SIMT_SHARED(int, warp_ends, simt::warp_size);
      if (lane == simt::warp_size - 1) {
        simt::st(warp_sums, warp, up_to_here);
        simt::st(warp_ends, warp, enders != 0);
      }
      simt::sync_block();
      T before = 0;
      for (int w = warp - 1; w >= 0; --w) {
        before += simt::ld(warp_sums, w);
        if (simt::ld(warp_ends, w)) break;
      }
      const T of_lanes = simt::shfl_up(up_to_here, 1);
      if (share.first_ended >= 0) {
        T carry = lane > 0 ? of_lanes : T{0};
        if ((enders & ((1u << lane) - 1)) == 0) carry += before;
        scale.store(y, row + share.first_ended, share.first_sum + carry);
      }
      if (t.thread == t.block_size - 1) simt::st(carries, t.block, enders ? up_to_here : up_to_here + before);
    }
  };

  // The second launch, with one thread per tile. If a row lies in several tiles, the thread of its first tile adds the
  // sums of all of them.
  template <class T, class Ptr, class Cached>
  struct AddCarries {
    using Position = std::make_unsigned_t<Ptr>;
    simt::Array<const Position> first_rows;
    simt::Array<const Ptr> row_ptr;
    simt::Array<T> carries;
    simt::Array<T> y;
    Position rows, tile_steps;
    int tiles;
    Scale<T> scale;
    Cached cached;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      const int tile = static_cast<int>(t.block) * t.block_size + t.thread, lane = t.thread % simt::warp_size;
      Position row = rows;
      int end = tile;  // the tile that ends the row
      if (tile < tiles) {
        row = simt::ld(cached.pointers, first_rows, tile + 1);
        const bool goes_on = tile > 0 && simt::ld(cached.pointers, first_rows, tile) == row;
        if (row < rows && !goes_on)
          end =
              static_cast<int>((static_cast<Position>(simt::ld(cached.pointers, row_ptr, row + 1)) + row) / tile_steps);
      }
      T sum = 0;
      const bool is_long = end - tile > simt::warp_size;
      if (!is_long)
        for (int k = tile; k < end; ++k) sum += simt::ld(carries, k);
      // The whole warp adds up each row that lies in many tiles, one row after another.
      for (std::uint32_t left = simt::ballot(is_long); left; left &= left - 1) {
        int owner = 0;  // nvcc 13.0 makes the constant 32 of std::countr_zero in device code
        while (!(left >> owner & 1)) ++owner;
        const auto [first, last] = simt::shfl_pair(tile, end, owner);
        T part = 0;
        for (int k = first + lane; k < last; k += simt::warp_size) part += simt::ld(carries, k);
        part = simt::sum_xor(part);
        if (lane == owner) sum = part;
      }
      if (end > tile) simt::st(y, row, simt::ld(y, row) + scale.scaled(sum));
    }
  };

  static Fields<Params> fields() {
    return {{&Params::steps,
             {.id = "steps",
              .label = "Steps per thread",
              .help = "Steps of the merge (entries and ends of rows) that each thread walks. More of them cost fewer "
                      "searches and leave fewer rows that go on in another tile; each keeps an entry in registers.",
              .type = ParamSpec::Type::choice,
              .min = 0,
              .max = 2,
              .choices = {"5", "7", "11"},
              .tried = {0, 1, 2}}},
            {&Params::block_size, block_size_spec()}};
  }
  static constexpr Tags tags = Tag::splits_rows | Tag::sums_in_shared | Tag::several_launches;
  static constexpr Slowdown slowdown = {1.3, of_eight_draws};
  static KernelInfo info() {
    return {"csr_merge", "CSR merge",
            "Every thread walks the same number of steps through rows and entries: whatever the row lengths, the same "
            "work, also for empty rows.",
            "Merrill & Garland 2016", "csr"};
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    visit_all(
        [&]<class Ptr, class Col>(std::span<const Ptr> row_ptr, std::span<const Col> columns) {
          if constexpr (compiled_indices<Ptr, Col>) {
            using Position = std::make_unsigned_t<Ptr>;
            if (a.rows() > std::numeric_limits<Ptr>::max())
              throw Error("kernel csr_merge cannot count " + std::to_string(a.rows()) + " rows", {}, "use csr_scalar");
            const int tile = p.block_size * steps_of(p.steps);
            const auto path = static_cast<Position>(a.rows() + a.nnz());
            const auto& starts = layout.prepare(MergeTilesOf<Ptr>{row_ptr, tile}).first_rows;
            const auto tiles = static_cast<index_t>(starts.size()) - 1;
            const auto carries = layout.template scratch<T>("carries", tiles);
            const auto first_rows = layout.made("first_rows", Role::pointer_index, starts);
            const auto pointers = layout.in("row_ptr", Role::matrix_index, row_ptr);
            // A step is a product or the end of a row. The tile needs room for one more end.
            const LaunchSpec spec{.grid = tiles,
                                  .block = p.block_size,
                                  .shared_bytes = tile * static_cast<int>(sizeof(T)) + static_cast<int>(sizeof(int)),
                                  .loads_in_flight = steps_of(p.steps)};
            layout.with_caches([&]<class Cached>(const Cached& cached) {
              with_value<0, 1, 2>(p.steps, [&]<int choice>() {
                layout.launch(spec, Code<T, Ptr, Col, steps_of(choice), Cached>{
                                        first_rows,
                                        pointers,
                                        {layout.in("columns", Role::x_index, columns),
                                         layout.in("values", Role::matrix, a.values().template as<T>()), layout.x()},
                                        layout.y(),
                                        carries,
                                        path,
                                        layout.scale(),
                                        cached});
              });
              constexpr int block_size = 128;
              if (tiles > 1)
                layout.launch(item_grid(tiles, block_size),
                              AddCarries<T, Ptr, Cached>{first_rows, pointers, carries, layout.y(),
                                                         static_cast<Position>(a.rows()), static_cast<Position>(tile),
                                                         static_cast<int>(tiles), layout.scale(), cached});
            });
          }
        },
        a.row_ptr(), a.columns());
  }
};

}  // namespace SIMT_TARGET
}  // namespace warpspy
