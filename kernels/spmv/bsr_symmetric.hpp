// A symmetric matrix of which half of the blocks are stored (core/formats/bsr_symmetric.hpp): each is read once and
// used twice, for its row and for its column. A thread block has a share of the blocks, one in each lane at a time. It
// first gathers x for the block rows and columns of its share into shared memory, and adds up y for the same ones
// beside it; what neighbouring lanes have of a row meets before that. In the end each element goes to y by an atomic,
// side by side with its neighbours. Other thread blocks add there too, so y is scaled by a launch before. Additions
// meet as in csr_slots_transposed, but there are r of them for r * r values.
#pragma once

#include <algorithm>

#include "core/formats/bsr_symmetric.hpp"
#include "kernels/spmv/block_slots.hpp"
#include "kernels/spmv/spmv.hpp"

namespace warpspy::inline SIMT_TARGET {

struct BsrSymmetric {
  using Input = BsrSymmetricFormat;
  static constexpr bool overlaps = true;
  struct Params {
    int blocks = 264;
    int share_kib = 96;
    int block_size = 512;
    bool operator==(const Params&) const = default;
  };
  static constexpr int tile = static_cast<int>(BsrSymmetricFormat::tile);
  static_assert(tile == simt::warp_size);

  template <class T, int side, class Cached>
  struct Code {
    static constexpr bool awaits_previous = true;
    static constexpr int threads_at_most = 1024, blocks_at_least = 1;
    static constexpr int in_block = side * side;
    // Whether a tile is asked for before the one at hand is added: two of 3 x 3 in f64 do not fit into the registers.
    static constexpr bool ahead = in_block * sizeof(T) <= 36;
    static constexpr int at_once = 4;  // elements of x and y of a thread in flight

    simt::Array<const T> values;
    simt::Array<const std::uint16_t> slots;
    simt::Array<const std::int32_t> lines;
    simt::Array<const std::int32_t> begins;
    simt::Array<const std::int32_t> tiles;
    simt::Array<const T> x;  // of whole blocks
    simt::Array<T> y;
    std::int64_t rows;
    int largest;  // slots of a share
    T alpha;
    Cached cached;

    // What a lane has of a tile: a block.
    struct Part {
      T value[in_block];
      simt::Pack<std::uint16_t, 2> slot;
    };
    SIMT_DEVICE void load(Part& part, int at, int lane) const {
      const std::int64_t first = std::int64_t{at} * tile + lane;
      part.slot = simt::ld_pack<2>(cached.columns, slots, first * 2);
      SIMT_UNROLL
      for (int e = 0; e < in_block; ++e)
        part.value[e] = simt::ld(cached.values, values, (std::int64_t{at} * in_block + e) * tile + lane);
    }

    // Elements of the block rows and columns of a share; neighbouring lanes have neighbours.
    SIMT_DEVICE void load_elements(std::int64_t (&element)[at_once], int begin, int first, int count, int step) const {
      SIMT_UNROLL
      for (int u = 0; u < at_once; ++u) {
        const int i = first + u * step;
        if (i < count) element[u] = std::int64_t{simt::ld(cached.pointers, lines, begin + i / side)} * side + i % side;
      }
    }
    // Element i of the blocks' rows and columns at i * largest, so that neighbouring slots are neighbours.
    SIMT_DEVICE int place_of(int i) const { return i % side * largest + i / side; }

    SIMT_DEVICE void operator()(simt::Thread t) const {
      simt::PreviousLaunch previous;
      const int lane = t.thread % simt::warp_size, warp = t.thread / simt::warp_size;
      const int warps = t.block_size / simt::warp_size;
      const int last = simt::ld(tiles, t.block + 1);
      int at = simt::ld(tiles, t.block) + warp;
      Part part;
      if (at < last) load(part, at, lane);
      const int begin = simt::ld(begins, t.block), count = (simt::ld(begins, t.block + 1) - begin) * side;
      SIMT_DYNAMIC_SHARED(T, near, 0, largest * side);
      SIMT_DYNAMIC_SHARED(T, sums, largest * side * static_cast<int>(sizeof(T)), largest * side);
      for (int i = t.thread; i < largest * side; i += t.block_size) simt::st(sums, i, T{0});
      // The block rows and columns are there before the launch before has ended; x is not.
      std::int64_t element[at_once]{};
      load_elements(element, begin, t.thread, count, t.block_size);
      previous.await();
      for (int first = t.thread; first < count;) {
        T value[at_once]{};
        SIMT_UNROLL
        for (int u = 0; u < at_once; ++u)
          if (first + u * t.block_size < count) value[u] = simt::ld(cached.x, x, element[u]);
        const int next = first + at_once * t.block_size;
        load_elements(element, begin, next, count, t.block_size);
        SIMT_UNROLL
        for (int u = 0; u < at_once; ++u)
          if (first + u * t.block_size < count) simt::st(near, place_of(first + u * t.block_size), value[u]);
        first = next;
      }
      simt::sync_block();

      while (at < last) {
        const Part now = part;
        at += warps;
        if (ahead && at < last) load(part, at, lane);
        add(now, near, sums, lane);
        if (!ahead && at < last) load(part, at, lane);
      }
      simt::sync_block();
      for (int first = t.thread; first < count; first += at_once * t.block_size) {
        load_elements(element, begin, first, count, t.block_size);
        SIMT_UNROLL
        for (int u = 0; u < at_once; ++u) {
          const int i = first + u * t.block_size;
          if (i < count && element[u] < rows) simt::atomic_add(y, element[u], alpha * simt::ld(sums, place_of(i)));
        }
      }
    }

    // A tile, into the sums of the share.
    SIMT_DEVICE void add(const Part& part, const simt::SharedArray<T>& near, const simt::SharedArray<T>& sums,
                         int lane) const {
      const int row = part.slot.v[0], column = part.slot.v[1];
      T of_row[side], of_column[side];
      SIMT_UNROLL
      for (int i = 0; i < side; ++i) of_row[i] = simt::ld(near, i * largest + row);
      SIMT_UNROLL
      for (int j = 0; j < side; ++j) of_column[j] = simt::ld(near, j * largest + column);
      if (row != column) {  // one on the diagonal has both triangles
        SIMT_UNROLL
        for (int j = 0; j < side; ++j) {
          T sum = 0;
          SIMT_UNROLL
          for (int i = 0; i < side; ++i) sum += part.value[i * side + j] * of_row[i];
          simt::atomic_add(sums, j * largest + column, sum);
        }
      }
      // Neighbouring lanes have blocks of a row.
      const int before = simt::shfl_up(row, 1);
      const std::uint32_t heads = simt::ballot(lane == 0 || before != row);
      const bool ends = lane == simt::warp_size - 1 || (heads >> (lane + 1) & 1) != 0;
      SIMT_UNROLL
      for (int i = 0; i < side; ++i) {
        T sum = 0;
        SIMT_UNROLL
        for (int j = 0; j < side; ++j) sum += part.value[i * side + j] * of_column[j];
        sum = simt::sum_segments(sum, lane, heads);
        if (ends) simt::atomic_add(sums, i * largest + row, sum);
      }
    }
  };

  static Fields<Params> fields() {
    ParamSpec block_size = block_size_spec();
    block_size.tried = {512};
    return {
        {&Params::blocks,
         {.id = "blocks",
          .label = "Blocks at a time",
          .help = "The blocks of the matrix are dealt out to so many thread blocks, or to more where their rows and "
                  "columns find no room. So many should fill the GPU.",
          .type = ParamSpec::Type::integer,
          .min = 1,
          .max = 65536,
          // An H100 and an H200 have 132 SMs.
          .tried = {264, 528}}},
        {&Params::share_kib,
         {.id = "share_kib",
          .label = "Shared memory in KiB",
          .help = "Of a thread block at most, for x and y of its share. Larger shares meet more before they add to y.",
          .type = ParamSpec::Type::integer,
          .min = 4,
          .max = 220,
          .tried = {96}}},
        {&Params::block_size, block_size}};
  }
  static KernelInfo info() {
    return {
        "bsr_symmetric", "BSR symmetric",
        "Each stored block is used twice, for its row and for its column, with x and y of a share in shared memory: "
        "half of the matrix is read, and added to y by atomics.",
        "after Gkountouvas et al. 2013", "bsr_symmetric"};
  }

  // Block rows and columns of a share.
  static index_t room_of(const Params& p, index_t bytes_of_line) {
    return std::clamp<index_t>(index_t{p.share_kib} * 1024 / (2 * bytes_of_line), 2 * tile, BlockSlots::most_slots);
  }

  // Of a thread (LaunchSpec::registers).
  template <class T, int side>
  static constexpr int registers_of() {
    if (sizeof(T) == 4) return side == 2 ? 48 : 56;
    return side == 2 ? 56 : 64;
  }

  template <class Plan, class T = typename Plan::Value>
  static void plan(const Input& a, const Params& p, Plan& plan) {
    const index_t side_of = a.block_rows(), bytes_of_line = side_of * index_t{sizeof(T)};
    const BlockSlots& made = plan.prepare([&] {
      BlockSlots slots;
      visit_all(
          [&](const auto& block_ptr, const auto& block_columns) {
            slots = block_slots("bsr_symmetric", block_ptr, block_columns, &BsrSymmetricFormat::row_at, tile, p.blocks,
                                room_of(p, bytes_of_line));
          },
          a.block_ptr(), a.block_columns());
      return slots;
    });
    scale_y_first(plan, a.rows());
    plan.with_caches([&]<class Cached>(const Cached& cached) {
      with_value<2, 3>(static_cast<int>(side_of), [&]<int side>() {
        plan.launch({.grid = static_cast<index_t>(made.tiles.size()) - 1,
                     .block = p.block_size,
                     .shared_bytes = static_cast<int>(2 * made.largest * bytes_of_line),
                     .registers = registers_of<T, side>()},
                    Code<T, side, Cached>{plan.in("values", Role::matrix, a.values().template as<T>()),
                                          plan.made("slots", Role::leads_to_x, made.slots),
                                          plan.made("lines", Role::leads_to_x, made.lines),
                                          plan.made("begins", Role::leads_to_x, made.begins),
                                          plan.made("tiles", Role::leads_to_matrix, made.tiles),
                                          plan.x((a.cols() + side - 1) / side * side), plan.y(), a.rows(), made.largest,
                                          plan.scale().alpha, cached});
      });
    });
  }
};

}  // namespace warpspy::inline SIMT_TARGET
