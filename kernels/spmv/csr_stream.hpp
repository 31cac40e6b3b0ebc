// Product with a matrix in CSR that is cut into tiles of whole rows, one tile for each thread block. Neighbouring
// threads multiply neighbouring entries of the tile, whatever their rows. They write the products to shared memory, and
// add up the rows there (the CSR-Stream of Greathouse & Daga 2014, with their CSR-Vector for rows that fill a block
// alone). Loads of columns and values are coalesced for rows of any length, so short and uneven rows cost no more than
// long ones. The beginnings of tiles are found once, before the first product.
#pragma once

#include "core/formats/csr.hpp"
#include "kernels/spmv/adaptive.hpp"
#include "kernels/spmv/row_tiles.hpp"
#include "kernels/spmv/spmv.hpp"
#include "kernels/spmv/staged_products.hpp"

namespace warpspy {

inline namespace SIMT_TARGET {

struct CsrStream {
  using Input = CsrFormat;
  static constexpr bool overlaps = true;
  struct Params {
    int items = 4;
    int block_size = 256;
    bool operator==(const Params&) const = default;
  };
  // The most rows that a thread adds up, one after another.
  static constexpr int rows_per_thread = 4;
  // One thread adds up a row of at most this many entries; a whole warp adds up a longer row.
  static constexpr int longest_of_thread = 32;

  template <class T, class Ptr, class Col, int items, class Cached, class Values = PlainValues<T>>
  struct Code {
    static constexpr bool awaits_previous = true;
    simt::Array<const Ptr> tiles;
    simt::Array<const Ptr> row_ptr;
    ProductArrays<T, Col, Values> arrays;
    simt::Array<T> y;
    Scale<T> scale;
    Cached cached;

    // Tells where the products of a row lie in shared memory.
    struct Range {
      int begin = 0, end = 0;
    };
    SIMT_DEVICE Range range_of_row(Ptr row, Ptr origin, simt::Where where = simt::Where::current()) const {
      return {static_cast<int>(simt::ld(cached.pointers, row_ptr, row, where) - origin),
              static_cast<int>(simt::ld(cached.pointers, row_ptr, row + 1, where) - origin)};
    }

    SIMT_DEVICE void operator()(simt::Thread t) const {
      constexpr int pack = 16 / sizeof(Ptr);
      Ptr tile[4];
      SIMT_UNROLL
      for (int i = 0; i < 4; i += pack) {
        const auto loaded = simt::ld_pack<pack>(simt::Fixed<simt::CachePolicy::plain>{}, tiles, 4 * t.block + i);
        SIMT_UNROLL
        for (int j = 0; j < pack; ++j) tile[i + j] = loaded.v[j];
      }
      simt::PreviousLaunch previous;
      const Ptr row = tile[0], last_row = tile[1], begin = tile[2], end = tile[3];
      const int capacity = t.block_size * items;
      if (end - begin > capacity) {
        long_row(t, row, begin, end, previous);
        return;
      }
      SIMT_DYNAMIC_SHARED(T, products, 0, capacity);
      const int rows = static_cast<int>(last_row - row), entries = static_cast<int>(end - begin);
      // Each row gets as many threads as the block has when it adds up all rows at once. The range is loaded before it
      // is needed.
      static_assert(simt::warp_size == 32);
      int share = 5;  // 2^share threads per row
      while (share > 0 && rows << share > t.block_size) --share;
      const int coop = 1 << share, own = t.thread >> share, lane = t.thread % simt::warp_size;
      Range range;
      if (own < rows) range = range_of_row(row + own, begin);
      arrays.template stage<items>(t, cached, products, begin, entries, previous);
      previous.await();  // threads without entries
      simt::sync_block();
      if (share > 0) {
        const int part = t.thread & (coop - 1);
        T sum = 0;
        for (int k = range.begin + part; k < range.end; k += coop) sum += simt::ld(products, k);
        sum = simt::sum_down(sum, coop);
        if (own < rows && part == 0) scale.store(y, row + own, sum);
        return;
      }
      for (int first = 0; first < rows; first += t.block_size) {
        const int here = first + t.thread;
        Range next;
        if (here + t.block_size < rows) next = range_of_row(row + here + t.block_size, begin);
        const T sum = row_of_thread(products, lane, range);
        if (here < rows) scale.store(y, row + here, sum);
        range = next;
      }
    }

    // Returns the sum of each lane's row. A lane adds up a short row alone; the whole warp adds up the long rows, one
    // after another.
    template <class Products>
    SIMT_DEVICE T row_of_thread(const Products& products, int lane, Range range,
                                simt::Where where = simt::Where::current()) const {
      T sum = 0;
      const bool is_long = range.end - range.begin > longest_of_thread;
      if (!is_long)
        for (int k = range.begin; k < range.end; ++k) sum += simt::ld(products, k, where);
      for (std::uint32_t left = simt::ballot(is_long, where); left; left &= left - 1) {
        int owner = 0;  // nvcc 13.0 makes the constant 32 of std::countr_zero in device code
        while (!(left >> owner & 1)) ++owner;
        const auto [begin, end] = simt::shfl_pair(range.begin, range.end, owner, where);
        T part = 0;
        for (int k = begin + lane; k < end; k += simt::warp_size) part += simt::ld(products, k, where);
        part = simt::sum_xor(part, where);
        if (lane == owner) sum = part;
      }
      return sum;
    }

    SIMT_DEVICE void long_row(simt::Thread t, Ptr row, Ptr begin, Ptr end, simt::PreviousLaunch& previous,
                              simt::Where where = simt::Where::current()) const {
      T sum = 0;
      // Unsigned, so that a step past the last of almost 2^31 entries does not overflow.
      using Position = std::make_unsigned_t<Ptr>;
      for (Position first = begin; first < static_cast<Position>(end); first += t.block_size * items) {
        SIMT_UNROLL
        for (int i = 0; i < items; ++i) {
          const Position k = first + i * t.block_size + t.thread;
          if (k < static_cast<Position>(end)) {
            const Col column = simt::ld(cached.columns, arrays.columns, k, where);
            const auto raw = arrays.values.at(cached.values, k, where);
            previous.await();
            sum += arrays.values.value(cached.values, raw, where) * simt::ld(cached.x, arrays.x, column, where);
          }
        }
      }
      int range = 0;
      while (1 << range < t.block_size) ++range;
      sum = sum_over_group(sum, t, range, where);
      previous.await();
      if (t.thread == 0) scale.store(y, row, sum, where);
    }
  };

  static Fields<Params> fields() {
    return {{&Params::items,
             {.id = "items",
              .label = "Entries per thread",
              .help = "Entries that each thread multiplies, all in flight at once. A tile holds this many for each "
                      "thread of the block.",
              .type = ParamSpec::Type::power_of_two,
              .min = 4,
              .max = 8,
              .tried = {4, 8}}},
            {&Params::block_size, block_size_spec()}};
  }
  static constexpr Tags tags = Tag::sums_in_shared | Tag::many_in_flight;
  static constexpr Slowdown slowdown = {1, not_measured};
  static KernelInfo info() {
    return {"csr_stream", "CSR stream",
            "Blocks multiply tiles of entries side by side and add up their rows in shared memory: for short and "
            "uneven rows.",
            "Greathouse & Daga 2014", "csr"};
  }

  // The tiles of a product and its launch. They must live as long as the layout.
  template <class Made>
  struct Tiles {
    const Made& made;
    LaunchSpec spec;
  };
  template <class Ptr, class Layout>
  static auto tiles_of(std::span<const Ptr> row_ptr, const Params& p, Layout& layout) {
    using T = typename Layout::Value;
    const auto& made = layout.prepare(
        RowTilesOf<Ptr>{row_ptr, index_t{p.block_size} * p.items, index_t{p.block_size} * rows_per_thread});
    const std::size_t count = made.tiles.size() / row_tile_numbers;
    LaunchSpec spec{.grid = static_cast<std::int64_t>(count),
                    .block = p.block_size,
                    .shared_bytes = p.block_size * p.items * static_cast<int>(sizeof(T))};
    if constexpr (requires { made.tiles[0]; })  // on a device nobody asks
      spec.longest = longest_of(
          count, [&](std::size_t tile) { return made.tiles[4 * tile + 3] - made.tiles[4 * tile + 2]; },
          [](std::size_t tile) { return tile; });
    return Tiles<std::decay_t<decltype(made)>>{made, std::move(spec)};
  }
  // Returns the product's code with its arrays. `values()` lays out the values: PlainValues, or another accessor of
  // value_arrays.hpp.
  template <int items, class Made, class Layout, class Ptr, class Col, class Values, class Cached>
  static auto code_of(const Tiles<Made>& t, Layout& layout, std::span<const Ptr> row_ptr, std::span<const Col> columns,
                      const Values& values, const Cached& cached) {
    return Code<typename Layout::Value, Ptr, Col, items, Cached, decltype(values())>{
        layout.made("tiles", Role::pointer_index, t.made.tiles),
        layout.in("row_ptr", Role::matrix_index, row_ptr),
        {layout.in("columns", Role::x_index, columns), values(), layout.x()},
        layout.y(),
        layout.scale(),
        cached};
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    visit_all(
        [&]<class Ptr, class Col>(std::span<const Ptr> row_ptr, std::span<const Col> columns) {
          if constexpr (compiled_indices<Ptr, Col>) {
            const auto tiles = tiles_of(row_ptr, p, layout);
            const auto values = [&] { return plain_values(layout, a.values().template as<T>()); };
            layout.with_caches([&]<class Cached>(const Cached& cached) {
              with_value<4, 8>(p.items, [&]<int items>() {
                layout.launch(tiles.spec, code_of<items>(tiles, layout, row_ptr, columns, values, cached));
              });
            });
          }
        },
        a.row_ptr(), a.columns());
  }
};

}  // namespace SIMT_TARGET
}  // namespace warpspy
