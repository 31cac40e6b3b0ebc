// Product with a matrix in CSR in which every lane of every warp multiplies the same number of entries, however long
// the rows are. Lanes add up rows with the help of flags, which are made once before the first product. A bit for each
// entry tells whether a row ends there (the bit flags of CSR5, Liu & Vinter 2015). Eight more bits for each lane count
// the rows that end in the warp's earlier lanes. So no row pointer is read, and no search is needed. Long rows are
// split like all others, and empty rows cost only their store.
//
// A tile is the entries that a warp reads at a time. Its lanes load neighbouring packs of 16 bytes, and exchange
// products through shared memory, so that each lane adds up neighbouring entries. (In csr_slots the entries are in lane
// order already.) One segmented sum over the lanes then completes the rows of the tile. If no lane ends more than one
// row, each lane stores its row. If rows are short, lanes write sums to shared memory, and neighbouring lanes store
// neighbouring rows. At the end the warps of a block add up rows that cross their borders. A row that crosses borders
// of blocks has a partial sum in each of several blocks. Each block writes its partial sum to memory, and the block
// that comes last adds up all of them (last_of_all). That takes one launch, and no block waits. The order of additions
// is fixed, so the result is always the same.
#pragma once

#include <limits>

#include "core/formats/csr.hpp"
#include "kernels/spmv/even_split.hpp"
#include "kernels/spmv/spmv.hpp"
#include "kernels/spmv/value_arrays.hpp"

namespace warpspy::inline SIMT_TARGET {

struct CsrEven {
  using Input = CsrFormat;
  static constexpr bool overlaps = true, reads_pointers = false;
  struct Params {
    int items = 8;
    int run = 2;
    int block_size = 128;
    bool operator==(const Params&) const = default;
  };
  static constexpr int most_threads = 256;
  // Empty rows have no entries, so additional blocks store their elements of y. Each thread of these blocks checks this
  // many rows.
  static constexpr int empties_per_thread = 8;

  // Reads x from its array in memory, by column number.
  template <class T>
  struct PlainX {
    static constexpr bool gathers = false;
    static constexpr bool in_lane_order = false;  // whether columns and values are stored in lane order
                                                  // (lane_order.hpp)
    static constexpr int threads_at_most = most_threads;
    // More warps than the compiler would choose, since warps wait for x most of the time.
    static constexpr int blocks_at_least(int items) { return items == 8 ? 4 : sizeof(T) == 4 ? 6 : 5; }
    // Whether the next tile is loaded while the present one is added up. With fewer entries per lane an SM holds more
    // warps instead.
    static constexpr bool ahead(int items) { return items == 8; }
    simt::Array<const T> x;

    SIMT_DEVICE int slots() const { return 0; }
    // The place in shared memory for the sum of row e of a tile.
    SIMT_DEVICE static int sum_place(int e) { return e; }
    template <int items, class Policy, class Col>
    SIMT_DEVICE void load(T (&to)[items], const Policy& policy, const simt::SharedArray<T>&,
                          const LaneColumns<Col, items>& columns, simt::Where where = simt::Where::current()) const {
      SIMT_UNROLL
      for (int i = 0; i < items; ++i) to[i] = simt::ld(policy, x, columns.at(i), where);
    }
  };

  // X decides how x is read: PlainX from memory, or XInSlots of csr_slots from shared memory.
  template <class T, class Col, int items, class Cached, class Values = PlainValues<T>, class X = PlainX<T>>
  struct Code {
    static constexpr bool awaits_previous = true;
    static constexpr int threads_at_most = X::threads_at_most, blocks_at_least = X::blocks_at_least(items);
    static constexpr bool ahead = X::ahead(items);
    static constexpr int pack = 16 / sizeof(T), packs = items / pack, tile_size = items * simt::warp_size;

    simt::Array<const Col> columns;
    Values values;
    X x;
    simt::Array<T> y;
    simt::Array<const std::uint16_t> flags;
    simt::Array<const std::int32_t> first_ends;
    simt::Array<const std::int32_t> rows;
    simt::Array<const std::uint32_t> present;
    simt::Array<const std::int32_t> borders;
    simt::Array<T> slots;
    simt::Array<std::int32_t> counters;
    std::int64_t entries;
    int tiles, shares;
    int share;  // number of tiles, which are divided among the block's warps
    Scale<T> scale;
    Cached cached;

    // Holds what a lane loads of a tile: its values and columns, and the flags that tell where rows end.
    struct Part {
      LaneColumns<Col, items> columns;
      LaneProducts<T, typename Values::Raw, items> own;
      std::uint32_t flags = 0;
      int first_end = 0;

      SIMT_DEVICE std::uint32_t ends() const { return flags & ((1u << items) - 1); }
      SIMT_DEVICE int ends_before() const { return static_cast<int>(flags >> items); }
    };

    SIMT_DEVICE void load(Part& part, int tile, int lane) const {
      part.flags = simt::ld(flags, std::int64_t{tile} * simt::warp_size + lane);
      part.first_end = simt::ld(first_ends, tile);
      if constexpr (X::in_lane_order) {
        ld_of_lane<items>(cached.columns, columns, tile, lane, [&](int i, Col c) { part.columns.set(i, c); });
        values.template of_lane<items>(cached.values, tile, lane, part.own);
      } else {
        load_packs(part, std::int64_t{tile} * tile_size, lane);
      }
    }
    SIMT_DEVICE void load_packs(Part& part, std::int64_t begin, int lane) const {
      if (begin + tile_size <= entries) {
        SIMT_UNROLL
        for (int p = 0; p < packs; ++p) {
          const std::int64_t k = begin + (p * simt::warp_size + lane) * pack;
          const auto c = simt::ld_pack<pack>(cached.columns, columns, k);
          const auto v = values.template pack<pack>(cached.values, k);
          SIMT_UNROLL
          for (int i = 0; i < pack; ++i) part.columns.set(p * pack + i, c.v[i]), part.own.raw(p * pack + i) = v.v[i];
        }
        return;
      }
      SIMT_UNROLL
      for (int i = 0; i < items; ++i) {
        const std::int64_t k = begin + (i / pack * simt::warp_size + lane) * pack + i % pack;
        part.columns.set(i, 0);
        part.own.raw(i) = {};  // their products do not matter, since no row ends after the last entry
        if (k >= entries) continue;
        part.columns.set(i, simt::ld(cached.columns, columns, k));
        part.own.raw(i) = values.at(cached.values, k);
      }
    }

    // The place of pack q of a tile in shared memory, chosen so that lanes that read their own packs use different
    // banks.
    SIMT_DEVICE static int place_of(int q) { return (q ^ (q >> 3 & (packs - 1))) * pack; }
    SIMT_DEVICE int row_of(int end) const { return rows.size == 0 ? end : static_cast<int>(simt::ld(rows, end)); }

    // NOLINTNEXTLINE(readability-function-size): a way from end to end; either half would take a dozen arguments
    SIMT_DEVICE void operator()(simt::Thread t) const {
      simt::PreviousLaunch previous;
      if (t.block >= shares) {
        previous.await();
        store_empty_rows(t);
        return;
      }
      const int lane = t.thread % simt::warp_size, warp = t.thread / simt::warp_size;
      const int warps = t.block_size / simt::warp_size, mine = warp * tile_size;
      SIMT_DYNAMIC_SHARED(T, staged, 0, t.block_size * items);
      SIMT_DYNAMIC_SHARED(T, near, t.block_size * items * static_cast<int>(sizeof(T)), x.slots());
      // For each warp: the row that ends first in it, or -1; the warp's sum of that row; and its sum of the row that
      // continues.
      SIMT_SHARED(int, head_rows, threads_at_most / simt::warp_size);
      SIMT_SHARED(T, heads, threads_at_most / simt::warp_size);
      SIMT_SHARED(T, tails, threads_at_most / simt::warp_size);
      SIMT_SHARED(std::int32_t, border, EvenSplit::border_ints);

      const int share_begin = static_cast<int>(t.block) * share, doublings = simt::count_bits(warps - 1);
      const int first = share_begin + (warp * share >> doublings);
      const int its_end = share_begin + ((warp + 1) * share >> doublings), last = its_end < tiles ? its_end : tiles;
      Part part;
      if (first < last) load(part, first, lane);
      if (t.thread < EvenSplit::border_ints)
        simt::st(border, t.thread, simt::ld(borders, t.block * EvenSplit::border_ints + t.thread));
      if constexpr (X::gathers) {
        x.gather(cached, near, t, previous);
      } else {
        previous.await();
      }

      T open = 0;  // sum of the row that the tiles so far have not finished
      bool ended = false;
      for (int tile = first; tile < last; ++tile) {
        if (!ahead && tile > first) load(part, tile, lane);
        T factor[items];
        x.load(factor, cached.x, near, part.columns);
        SIMT_UNROLL
        for (int i = 0; i < items; ++i) part.own.value[i] = values.value(cached.values, part.own.raw(i)) * factor[i];
        const std::uint32_t ends = part.ends();
        const int ends_before = part.ends_before(), first_end = part.first_end;
        const std::uint32_t enders = simt::ballot(ends != 0);
        if (enders == 0) {
          T sum = 0;
          SIMT_UNROLL
          for (int i = 0; i < items; ++i) sum += part.own.value[i];
          if (ahead && tile + 1 < last) load(part, tile + 1, lane);
          open += simt::sum_xor(sum);
          continue;
        }
        T product[items];
        if constexpr (X::in_lane_order) {
          SIMT_UNROLL
          for (int i = 0; i < items; ++i) product[i] = part.own.value[i];
          if (ahead && tile + 1 < last) load(part, tile + 1, lane);
        } else {
          lay_out(part, staged, mine, lane);
          if (ahead && tile + 1 < last) load(part, tile + 1, lane);
          simt::syncwarp();
          pick_up(product, staged, mine, lane);
        }
        const bool short_rows = simt::ballot((ends & (ends - 1)) != 0) != 0;
        if (short_rows && !X::in_lane_order) simt::syncwarp();  // sums will overwrite the products

        T sum = lane == 0 ? open : T{0}, head = 0;
        const int end = add_up(product, ends, ends_before, sum, head, staged, mine);
        const T up_to_here = simt::sum_segments(sum, lane, enders | 1u);
        const T before = simt::shfl_up(up_to_here, 1);
        open = simt::shfl(up_to_here, simt::warp_size - 1);
        if (lane > 0) head += before;

        const auto put = [&](int e, T total, simt::Where where = simt::Where::current()) {
          const int row = row_of(first_end + e);
          if (ended || e > 0) {
            scale.store(y, row, total, where);
          } else {  // the row may have begun in another warp
            simt::st(head_rows, warp, row, where);
            simt::st(heads, warp, total, where);
          }
        };
        if (short_rows) {
          if (ends != 0) simt::st(staged, mine + X::sum_place(ends_before), head);
          const int count = simt::shfl(end, simt::warp_size - 1);
          simt::syncwarp();
          for (int e = lane; e < count; e += simt::warp_size) put(e, simt::ld(staged, mine + X::sum_place(e)));
        } else if (ends != 0) {
          put(ends_before, head);
        }
        simt::syncwarp();
        ended = true;
      }
      if (lane == 0) {
        simt::st(tails, warp, open);
        if (!ended) simt::st(head_rows, warp, -1);
      }
      simt::sync_block();
      if (warp < 2) join_warps(lane, warp, warps, head_rows, heads, tails, border);
    }

    // Writes the products of a tile to shared memory in the order of the loads, in which neighbouring lanes have
    // neighbouring packs. Then each lane reads the products of its own neighbouring entries, which it adds up.
    SIMT_DEVICE void lay_out(const Part& part, const simt::SharedArray<T>& staged, int mine, int lane) const {
      SIMT_UNROLL
      for (int p = 0; p < packs; ++p) {
        simt::Pack<T, pack> products;
        SIMT_UNROLL
        for (int i = 0; i < pack; ++i) products.v[i] = part.own.value[p * pack + i];
        simt::st_pack(staged, mine + place_of(p * simt::warp_size + lane), products);
      }
    }
    SIMT_DEVICE void pick_up(T (&product)[items], const simt::SharedArray<T>& staged, int mine, int lane) const {
      SIMT_UNROLL
      for (int p = 0; p < packs; ++p) {
        const auto products = simt::ld_pack<pack>(staged, mine + place_of(lane * packs + p));
        SIMT_UNROLL
        for (int i = 0; i < pack; ++i) product[p * pack + i] = products.v[i];
      }
    }

    // Adds up a lane's own products. Sums of rows that begin and end among them are written to shared memory. `head`:
    // the sum of the first row that ends there; `sum`: the sum of the row that continues. Returns how many rows of the
    // tile have ended after them.
    SIMT_DEVICE int add_up(const T (&product)[items], std::uint32_t ends, int ends_before, T& sum, T& head,
                           const simt::SharedArray<T>& staged, int mine) const {
      int end = ends_before;
      SIMT_UNROLL
      for (int i = 0; i < items; ++i) {
        sum += product[i];
        if (!(ends >> i & 1)) continue;
        if (end == ends_before)
          head = sum;
        else
          simt::st(staged, mine + X::sum_place(end), sum);
        ++end;
        sum = 0;
      }
      return end;
    }

    // Adds up rows that continue from warp to warp, with a lane for each row. For rows that cross the block's borders,
    // the first warp finishes the row that began earlier, and the second passes on the row that continues.
    SIMT_DEVICE void join_warps(int lane, int warp, int warps, const simt::SharedArray<int>& head_rows,
                                const simt::SharedArray<T>& heads, const simt::SharedArray<T>& tails,
                                const simt::SharedArray<std::int32_t>& border) const {
      const int parts = simt::ld(border, warp == 0 ? 1 : 4);
      if (warp > 0 && parts == 0) return;
      const bool has_warp = lane < warps;
      int row = has_warp ? simt::ld(head_rows, lane) : -1;
      const std::uint32_t enders = simt::ballot(row >= 0);
      const T tail = has_warp ? simt::ld(tails, lane) : T{0};
      const T up_to_here = simt::sum_segments(tail, lane, enders | 1u);
      if (warp > 0) {
        join(simt::ld(border, 2), simt::ld(border, 3), parts, simt::ld(border, 5),
             simt::shfl(up_to_here, simt::warp_size - 1), lane);
        return;
      }
      const T before = simt::shfl_up(up_to_here, 1);
      const T total = row >= 0 ? simt::ld(heads, lane) + (lane > 0 ? before : T{0}) : T{0};
      const std::uint32_t first = parts > 0 ? enders & -enders : 0;  // the row began before this block
      if (row >= 0 && (first >> lane & 1) == 0) scale.store(y, row, total);
      if (parts == 0) return;
      const int its_lane = simt::count_bits(first - 1);
      row = simt::shfl(row, its_lane);
      join(simt::ld(border, 0), parts - 1, parts, row, simt::shfl(total, its_lane), lane);
    }

    // Adds up the `parts` partial sums of a row that several blocks share; this block has number `index`. Partial sums
    // are added in groups. The block that comes last in its group goes on with the group's sum, until the row is
    // complete.
    SIMT_DEVICE void join(int slot, int index, int parts, int row, T sum, int lane) const {
      while (parts > 1) {
        const int begin = index & -simt::most_parts;
        const int group = parts - begin < simt::most_parts ? parts - begin : simt::most_parts;
        if (group > 1 && !simt::last_of_all(slots, counters, slot + begin, index - begin, group, sum, lane)) return;
        slot += parts;
        parts = (parts + simt::most_parts - 1) / simt::most_parts;
        index /= simt::most_parts;
      }
      if (lane == 0) scale.store(y, row, sum);
    }

    SIMT_DEVICE void store_empty_rows(simt::Thread t) const {
      for (int i = 0; i < empties_per_thread; ++i) {
        const std::int64_t row = ((t.block - shares) * empties_per_thread + i) * t.block_size + t.thread;
        if (row < y.size && !(simt::ld(present, row >> 5) >> (row & 31) & 1)) scale.store(y, row, T{0});
      }
    }
  };

  static Fields<Params> fields() {
    ParamSpec block_size = block_size_spec();
    block_size.min = 2 * simt::warp_size;
    block_size.max = most_threads;
    return {{&Params::items,
             {.id = "items",
              .label = "Entries per lane",
              .help = "Entries of a lane at a time, all in flight at once. With 8 the next ones are on their way while "
                      "these are summed up; 4 leave room for more warps.",
              .type = ParamSpec::Type::power_of_two,
              .min = 4,
              .max = 8,
              .tried = {4, 8}}},
            {&Params::run,
             {.id = "run",
              .label = "Tiles per warp",
              .help = "Tiles that a warp takes one after another. More of them leave fewer rows that go on in another "
                      "block, and fewer blocks to fill the device.",
              .type = ParamSpec::Type::power_of_two,
              .min = 1,
              .max = 16,
              .tried = {1, 2, 4}}},
            {&Params::block_size, block_size}};
  }
  static constexpr Tags tags = Tag::splits_rows | Tag::sums_in_shared | Tag::many_in_flight;
  static constexpr Slowdown slowdown = {1, "others are held against it"};
  static std::vector<Start> starts() { return {{.params = {{"items", 4}, {"run", 1}, {"block_size", 256}}}}; }
  static KernelInfo info() {
    return {
        "csr_even", "CSR even",
        "Every lane multiplies the same number of entries and sums up by flags that say where rows end: for uneven, "
        "long and empty rows.",
        "after Liu & Vinter 2015", "csr"};
  }

  static index_t tiles_per_share(const Params& p) { return index_t{p.block_size} / simt::warp_size * p.run; }

  // Lays out the arrays that divide the entries equally among blocks. Throws Error if there are too many rows. Split is
  // an EvenSplit, or the same arrays made by a device.
  template <class Split>
  struct Shares {
    const Split& split;  // lives as long as the layout
    std::int64_t shares;
    index_t tiles;  // of a share
    LaunchSpec spec;
  };
  template <class Ptr, class Layout>
  static auto shares_of(const char* kernel, std::span<const Ptr> row_ptr, int items, int block_size,
                        index_t tiles_per_share, Layout& layout) {
    using T = typename Layout::Value;
    const auto rows = static_cast<index_t>(row_ptr.size()) - 1;
    if (rows > std::numeric_limits<std::int32_t>::max())
      throw Error(std::string("kernel ") + kernel + " cannot count " + std::to_string(rows) + " rows", {},
                  "use csr_scalar");
    const auto& split = layout.prepare(EvenSplitOf<Ptr>{row_ptr, items, tiles_per_share});
    const auto shares = static_cast<std::int64_t>(split.borders.size()) / EvenSplit::border_ints;
    const auto empties =
        split.present.empty() ? LaunchSpec{} : row_grid(rows, index_t{block_size} * empties_per_thread, block_size);
    return Shares<std::remove_cvref_t<decltype(split)>>{
        split, shares, tiles_per_share,
        LaunchSpec{.grid = std::max<std::int64_t>(1, shares + empties.grid),
                   .block = block_size,
                   .shared_bytes = block_size * items * static_cast<int>(sizeof(T)),
                   .loads_in_flight = items}};
  }
  // Returns the product's code with its arrays. `values()` lays out the values: PlainValues, or another accessor of
  // value_arrays.hpp.
  template <int items, class Split, class Layout, class Col, class Values, class Cached>
  static auto code_of(index_t entries, const Shares<Split>& s, Layout& layout, std::span<const Col> columns,
                      const Values& values, const Cached& cached) {
    const auto laid_out = layout.in("columns", Role::x_index, columns);
    return code_with<items>(entries, s, layout, laid_out, values(), PlainX<typename Layout::Value>{layout.x()}, cached);
  }
  template <int items, class Split, class Layout, class Col, class Values, class X, class Cached>
  static auto code_with(index_t entries, const Shares<Split>& s, Layout& layout, const simt::Array<const Col>& columns,
                        const Values& values, const X& x, const Cached& cached) {
    using T = typename Layout::Value;
    return Code<T, Col, items, Cached, Values, X>{columns,
                                                  values,
                                                  x,
                                                  layout.y(),
                                                  layout.made("flags", Role::matrix, s.split.flags),
                                                  layout.made("first_ends", Role::matrix, s.split.first_ends),
                                                  layout.made("rows", Role::matrix, s.split.rows),
                                                  layout.made("present", Role::matrix, s.split.present),
                                                  layout.made("borders", Role::matrix, s.split.borders),
                                                  layout.template scratch<T>("slots", s.split.slots),
                                                  layout.template scratch<std::int32_t>("counters", s.split.slots),
                                                  entries,
                                                  static_cast<int>(s.split.first_ends.size()),
                                                  static_cast<int>(s.shares),
                                                  static_cast<int>(s.tiles),
                                                  layout.scale(),
                                                  cached};
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    visit_all(
        [&]<class Ptr, class Col>(std::span<const Ptr> row_ptr, std::span<const Col> columns) {
          if constexpr (compiled_indices<Ptr, Col>) {
            const auto shares = shares_of("csr_even", row_ptr, p.items, p.block_size, tiles_per_share(p), layout);
            const auto values = [&] { return plain_values(layout, a.values().template as<T>()); };
            layout.with_caches([&]<class Cached>(const Cached& cached) {
              with_value<4, 8>(p.items, [&]<int items>() {
                layout.launch(shares.spec, code_of<items>(a.nnz(), shares, layout, columns, values, cached));
              });
            });
          }
        },
        a.row_ptr(), a.columns());
  }
};

}  // namespace warpspy::inline SIMT_TARGET
