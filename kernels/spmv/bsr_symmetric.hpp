// Product with a symmetric matrix of which half of the blocks are stored (core/formats/bsr_symmetric.hpp). Each stored
// block is read once and used twice, for its row and for its column. A tile has 32 blocks, one for each lane of a warp,
// each from another block row. A thread block processes a share of the tiles, and each of its warps an equal number of
// neighbouring tiles. A lane stays in the same block row over several tiles (a slice), so its sum for the row stays in
// registers. The thread block first copies the needed elements of x into shared memory, and adds up the elements of y
// there. At the end neighbouring lanes add neighbouring elements of these sums to y by atomics. Several thread blocks
// add to the same elements, so an earlier launch computes y = beta y.
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
    // Whether the next tile is loaded before the present one is added: two blocks of 3 x 3 in f64 do not fit into
    // registers.
    static constexpr bool ahead = in_block * sizeof(T) <= 36;
    static constexpr int at_once = sizeof(T) > 4 ? 2 : 4;  // elements of x and y that a thread loads or adds at the
                                                           // same time

    simt::Array<const T> values;
    simt::Array<const std::uint16_t> columns, rows;
    simt::Array<const std::int32_t> heads;
    simt::Array<const std::int32_t> lines;
    simt::Array<const std::uint16_t> slots;
    simt::Array<const std::int32_t> begins;
    simt::Array<const std::int32_t> tiles;
    simt::Array<const T> x;  // of whole blocks
    simt::Array<T> y;
    std::int64_t height;
    int largest;  // slots of a share
    T alpha;
    Cached cached;

    // Holds what a lane loads of a tile: one block or none, and where the slots (places in shared memory) of the tile's
    // rows begin.
    struct Part {
      T value[in_block];
      std::uint16_t column;
      std::int32_t rows;
    };
    SIMT_DEVICE void load(Part& part, int at, int lane) const {
      constexpr simt::Fixed<simt::CachePolicy::plain> plain{};
      const auto head = simt::ld_pack<BlockSlots::head_ints>(plain, heads, std::int64_t{at} * BlockSlots::head_ints);
      const int blocks = head.v[1];
      part.rows = head.v[0];
      part.column = BlockSlots::none;
      SIMT_UNROLL
      for (int e = 0; e < in_block; ++e) part.value[e] = 0;
      if (lane >= blocks) return;
      part.column = simt::ld(cached.columns, columns, std::int64_t{at} * tile + lane);
      SIMT_UNROLL
      for (int e = 0; e < in_block; ++e)
        part.value[e] = simt::ld(cached.values, values, (std::int64_t{at} * in_block + e) * tile + lane);
    }

    // Returns an element of x from shared memory. If the user chose a constant x, nothing was copied there, and the
    // constant is returned.
    SIMT_DEVICE T x_at(const simt::SharedArray<T>& near, int place) const {
      return simt::is_constant(cached.x) ? simt::constant_of<T> : simt::ld(near, place);
    }

    // Holds what a lane keeps in registers for its block row.
    struct Row {
      int slot = BlockSlots::none;
      T x[side]{}, sum[side]{};
    };
    SIMT_DEVICE void begin(Row& row, int of_rows, const simt::SharedArray<T>& near, int lane) const {
      row.slot = simt::ld(cached.pointers, rows, of_rows + lane);
      SIMT_UNROLL
      for (int i = 0; i < side; ++i) {
        row.x[i] = row.slot == BlockSlots::none ? T{0} : x_at(near, i * largest + row.slot);
        row.sum[i] = 0;
      }
    }
    SIMT_DEVICE void end(const Row& row, const simt::SharedArray<T>& sums) const {
      if (row.slot == BlockSlots::none) return;
      SIMT_UNROLL
      for (int i = 0; i < side; ++i) simt::atomic_add(sums, i * largest + row.slot, row.sum[i]);
    }

    // The elements of x and y that belong to the block rows and columns of a share, and their places in shared memory.
    // Neighbouring lanes have neighbouring elements of x and y.
    struct Elements {
      std::int64_t at[at_once]{};
      int place[at_once]{};
    };
    SIMT_DEVICE void load_elements(Elements& to, int begin, int first, int count, int step) const {
      SIMT_UNROLL
      for (int u = 0; u < at_once; ++u) {
        const int i = first + u * step;
        if (i >= count) continue;
        to.at[u] = std::int64_t{simt::ld(cached.pointers, lines, begin + i / side)} * side + i % side;
        to.place[u] = i % side * largest + simt::ld(cached.pointers, slots, begin + i / side);
      }
    }

    SIMT_DEVICE void operator()(simt::Thread t) const {
      simt::PreviousLaunch previous;
      const int lane = t.thread % simt::warp_size, warp = t.thread / simt::warp_size;
      const int warps = t.block_size / simt::warp_size;
      const int first_tile = simt::ld(tiles, t.block), count_tiles = simt::ld(tiles, t.block + 1) - first_tile;
      int at = first_tile + static_cast<int>(std::int64_t{count_tiles} * warp / warps);
      const int last = first_tile + static_cast<int>(std::int64_t{count_tiles} * (warp + 1) / warps);
      Part part;
      if (ahead && at < last) load(part, at, lane);
      const int of_lines = simt::ld(begins, t.block), count = (simt::ld(begins, t.block + 1) - of_lines) * side;
      SIMT_DYNAMIC_SHARED(T, near, 0, largest * side);
      SIMT_DYNAMIC_SHARED(T, sums, largest * side * static_cast<int>(sizeof(T)), largest * side);
      for (int i = t.thread; i < largest * side; i += t.block_size) simt::st(sums, i, T{0});
      // Block rows and columns can be loaded before the previous launch has ended; x cannot.
      Elements elements;
      load_elements(elements, of_lines, t.thread, count, t.block_size);
      previous.await();
      for (int first = simt::is_constant(cached.x) ? count : t.thread; first < count;) {
        T value[at_once]{};
        SIMT_UNROLL
        for (int u = 0; u < at_once; ++u)
          if (first + u * t.block_size < count) value[u] = simt::ld(cached.x, x, elements.at[u]);
        const Elements these = elements;
        const int next = first + at_once * t.block_size;
        load_elements(elements, of_lines, next, count, t.block_size);
        SIMT_UNROLL
        for (int u = 0; u < at_once; ++u)
          if (first + u * t.block_size < count) simt::st(near, these.place[u], value[u]);
        first = next;
      }
      simt::sync_block();

      Row row;
      int of_rows = -1;
      while (at < last) {
        if (!ahead) load(part, at, lane);
        const Part now = part;
        ++at;
        if (ahead && at < last) load(part, at, lane);
        if (now.rows != of_rows) {
          end(row, sums);
          begin(row, of_rows = now.rows, near, lane);
        }
        add(now, row, near, sums);
      }
      end(row, sums);
      simt::sync_block();
      for (int first = t.thread; first < count; first += at_once * t.block_size) {
        load_elements(elements, of_lines, first, count, t.block_size);
        SIMT_UNROLL
        for (int u = 0; u < at_once; ++u) {
          if (first + u * t.block_size >= count || elements.at[u] >= height) continue;
          simt::atomic_add(y, elements.at[u], alpha * simt::ld(sums, elements.place[u]));
        }
      }
    }

    // Adds a block's products to the sums of its block row. Adds the products of the transposed block to the sums of
    // its block column. A block on the diagonal is stored whole, so it is used only once.
    SIMT_DEVICE void add(const Part& part, Row& row, const simt::SharedArray<T>& near,
                         const simt::SharedArray<T>& sums) const {
      if (part.column == BlockSlots::none) return;
      SIMT_UNROLL
      for (int j = 0; j < side; ++j) {
        const T of_column = x_at(near, j * largest + part.column);
        T sum = 0;
        SIMT_UNROLL
        for (int i = 0; i < side; ++i) {
          row.sum[i] += part.value[i * side + j] * of_column;
          sum += part.value[i * side + j] * row.x[i];
        }
        if (part.column != row.slot) simt::atomic_add(sums, j * largest + part.column, sum);
      }
    }
  };

  static Fields<Params> fields() {
    ParamSpec block_size = block_size_spec();
    block_size.tried = {512, 1024};
    return {
        {&Params::blocks,
         {.id = "blocks",
          .label = "Blocks at a time",
          .help = "The blocks of the matrix are dealt out to so many thread blocks, or to more where their rows and "
                  "columns find no room. So many should fill the GPU.",
          .type = ParamSpec::Type::integer,
          .min = 1,
          .max = 65536,
          .scale = ParamSpec::Scale::per_sm,
          .tried = {1, 2}}},
        {&Params::share_kib,
         {.id = "share_kib",
          .label = "Shared memory in KiB",
          .help = "Of a thread block at most, for x and y of its share. Larger shares meet more before they add to y.",
          .type = ParamSpec::Type::integer,
          .min = 4,
          .max = 220,
          .scale = ParamSpec::Scale::of_shared,
          .tried = {0.43, 0.96}}},
        {&Params::block_size, block_size}};
  }
  static constexpr Tags tags = Tag::blocks | Tag::vector_in_shared | Tag::atomics;
  static constexpr Slowdown slowdown = {1.2, "what six meshes took, 2.4 to 3.7 TB/s (H200, 2026-11-26)"};
  static std::vector<Start> starts() {
    return {{.params = {{"blocks", 2}}, .first = true},
            {.params = {{"share_kib", 0.96}, {"blocks", 1}, {"block_size", 1024}}}};
  }
  static KernelInfo info() {
    return {
        "bsr_symmetric", "BSR symmetric",
        "Each stored block is used twice, for its row and for its column, with x and y of a share in shared memory: "
        "half of the matrix is read, and added to y by atomics.",
        "after Gkountouvas et al. 2013", "bsr_symmetric"};
  }

  // The most slots of a share: how many block rows and columns fit into shared memory.
  static index_t room_of(const Params& p, index_t bytes_of_line) {
    return std::clamp<index_t>(index_t{p.share_kib} * 1024 / (2 * bytes_of_line), 2 * tile, BlockSlots::most_slots);
  }

  // Lays out the launch of the product. `made` has the slots, on the host or on a device.
  template <class Made, class Layout, class T = typename Layout::Value>
  static void launch(const Input& a, const Params& p, const Made& made, Layout& layout) {
    const index_t side_of = a.block_rows(), bytes_of_line = side_of * index_t{sizeof(T)};
    scale_y_first(layout, a.rows());
    layout.with_caches([&]<class Cached>(const Cached& cached) {
      with_value<2, 3>(static_cast<int>(side_of), [&]<int side>() {
        layout.launch(
            {.grid = static_cast<index_t>(made.tiles.size()) - 1,
             .block = p.block_size,
             .shared_bytes = static_cast<int>(2 * made.largest * bytes_of_line)},
            Code<T, side, Cached>{
                layout.in("values", Role::matrix, a.values().template as<T>()),
                layout.made("columns", Role::x_index, made.columns), layout.made("rows", Role::x_index, made.rows),
                layout.made("heads", Role::matrix_index, made.heads), layout.made("lines", Role::x_index, made.lines),
                layout.made("slots", Role::x_index, made.slots), layout.made("begins", Role::x_index, made.begins),
                layout.made("tiles", Role::matrix_index, made.tiles), layout.x((a.cols() + side - 1) / side * side),
                layout.y(), a.rows(), made.largest, layout.scale().alpha, cached});
      });
    });
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    const index_t room = room_of(p, a.block_rows() * index_t{sizeof(T)});
    visit_all(
        [&]<class Ptr, class Row, class Col>(std::span<const Ptr> slice_ptr, std::span<const Row> rows,
                                             std::span<const Col> columns) {
          if constexpr (compiled_indices<Ptr, Row> && compiled_indices<Ptr, Col>) {
            const BlockSlices slices{slice_ptr, rows, columns};
            launch(a, p,
                   layout.prepare(BlockSlotsOf<std::decay_t<decltype(slices)>>{
                       "bsr_symmetric", slices, static_cast<index_t>(rows.size()), p.blocks, room}),
                   layout);
          }
        },
        a.slice_ptr(), a.permutation(), a.block_columns());
  }
};

}  // namespace warpspy::inline SIMT_TARGET
