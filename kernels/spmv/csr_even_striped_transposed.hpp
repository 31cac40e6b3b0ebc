// Computes y = A^T x from a matrix in CSR by stripes, with the arrays of csr_even_striped. A stripe is a range of
// neighbouring columns, so it is also a range of y. It suits matrices with scattered columns whose rows have a few
// entries in each stripe. In csr_transposed every entry of such a matrix would be an atomic in L2. Here a thread block
// processes some of the entries of one stripe. It adds up that stripe of y in shared memory. At the end neighbouring
// lanes add neighbouring sums to y by atomics. The pieces of rows in a tile come in the order of rows; warps load x for
// them and exchange it through shared memory. csr_striped_transposed is for long pieces (after Im & Yelick 2001 and
// Steinberger et al. 2016, section IV).
#pragma once

#include "kernels/spmv/csr_even_striped.hpp"

namespace warpspy::inline SIMT_TARGET {

struct CsrEvenStripedTransposed {
  using Input = CsrFormat;
  static constexpr bool overlaps = true, reads_pointers = false, reads_indices = false;
  struct Params {
    int blocks = 132;
    int y_kib = 64;
    int block_size = 512;
    bool operator==(const Params&) const = default;
  };

  template <class T, class Cached>
  struct Code {
    static constexpr bool awaits_previous = true;
    static constexpr int threads_at_most = 1024, blocks_at_least = 1;
    // Columns are indices of y, so they are read even if x is not.
    using Loads =
        Caches<decltype(Cached::x), decltype(Cached::values), decltype(Cached::pointers), decltype(Cached::pointers)>;
    using Stripe = CsrEvenStriped::XInStripe<T>;
    using Even = CsrEven::Code<T, std::uint16_t, StripedEntries<T>::items, Loads, PlainValues<T>, Stripe>;
    static constexpr int items = StripedEntries<T>::items, tile = StripedEntries<T>::tile;

    Even even;  // how a tile is loaded
    simt::Array<const std::int32_t> piece_rows;
    simt::Array<const std::int32_t> stripes;
    simt::Array<const std::int32_t> tiles;
    simt::Array<const T> x;
    simt::Array<T> y;
    std::int64_t cols;
    int width;  // columns of a stripe
    T alpha;
    Cached cached;

    // Elements of shared memory for a stripe of y, and for one more that padding entries add to.
    SIMT_ANYWHERE static constexpr int sums_size(int width) { return TurnedLines<T>::size_for(width + 1); }

    SIMT_DEVICE void operator()(simt::Thread t) const {
      simt::PreviousLaunch previous;
      const int lane = t.thread % simt::warp_size, warp = t.thread / simt::warp_size;
      const int warps = t.block_size / simt::warp_size, mine = warp * tile;
      SIMT_DYNAMIC_SHARED(T, staged, 0, t.block_size * items);
      SIMT_DYNAMIC_SHARED(T, sums, t.block_size * items * static_cast<int>(sizeof(T)), sums_size(width));
      const int begin = simt::ld(tiles, t.block), count = simt::ld(tiles, t.block + 1) - begin;
      const int first = begin + static_cast<int>(std::int64_t{warp} * count / warps);
      const int last = begin + static_cast<int>(std::int64_t{warp + 1} * count / warps);
      typename Even::Part part;
      if (first < last) even.load(part, first, lane);
      for (int i = t.thread; i < sums_size(width); i += t.block_size) simt::st(sums, i, T{0});
      simt::sync_block();
      previous.await();

      for (int at = first; at < last; ++at) {
        const std::uint32_t ends = part.ends();
        const int ends_before = part.ends_before();
        load_x(part.first_end, pieces_of(ends, ends_before), staged, mine, lane);
        simt::syncwarp();
        T product[items], factor = simt::ld(staged, mine + Stripe::sum_place(ends_before));
        int piece = ends_before;
        SIMT_UNROLL
        for (int i = 0; i < items; ++i) {
          product[i] = part.own.raw(i) * factor;
          if (i + 1 < items && (ends >> i & 1) != 0) factor = simt::ld(staged, mine + Stripe::sum_place(++piece));
        }
        // The next tile is loaded while this one is added up, if registers have room for both.
        const auto columns = part.columns;
        if (Stripe::has_registers && at + 1 < last) even.load(part, at + 1, lane);
        SIMT_UNROLL
        for (int i = 0; i < items; ++i) simt::atomic_add(sums, columns.at(i), product[i]);
        if (!Stripe::has_registers && at + 1 < last) even.load(part, at + 1, lane);
        simt::syncwarp();
      }
      simt::sync_block();

      const std::int64_t origin = std::int64_t{simt::ld(stripes, t.block)} * width;
      const int here = cols - origin < width ? static_cast<int>(cols - origin) : width;
      for (int i = t.thread; i < here; i += t.block_size) {
        const T sum = simt::ld(sums, TurnedLines<T>::place_of(i));
        if (sum != T{0}) simt::atomic_add(y, origin + i, sum);
      }
    }

    // The number of pieces with entries in a tile: those that end there, and the last one if it continues.
    SIMT_DEVICE static int pieces_of(std::uint32_t ends, int ends_before) {
      const int up_to_here = ends_before + simt::count_bits(ends) + (ends >> (items - 1) & 1 ? 0 : 1);
      return simt::shfl(up_to_here, simt::warp_size - 1);
    }
    // Loads alpha x for the rows of these pieces (a piece is the part of a row in one stripe). It loads as many row
    // numbers at once as registers allow, then the elements of x.
    SIMT_DEVICE void load_x(int first, int count, const simt::SharedArray<T>& staged, int mine, int lane) const {
      constexpr int at_once = 32 / sizeof(T);
      for (int begin = lane; begin < count; begin += at_once * simt::warp_size) {
        std::int32_t rows[at_once];
        SIMT_UNROLL
        for (int u = 0; u < at_once; ++u) {
          const int e = begin + u * simt::warp_size;
          rows[u] = e < count ? simt::ld(cached.columns, piece_rows, first + e) : 0;
        }
        T value[at_once];
        SIMT_UNROLL
        for (int u = 0; u < at_once; ++u)
          value[u] = begin + u * simt::warp_size < count ? simt::ld(cached.x, x, rows[u]) : T{0};
        SIMT_UNROLL
        for (int u = 0; u < at_once; ++u) {
          const int e = begin + u * simt::warp_size;
          if (e < count) simt::st(staged, mine + Stripe::sum_place(e), alpha * value[u]);
        }
      }
    }
  };

  static Fields<Params> fields() {
    ParamSpec block_size = block_size_spec();
    block_size.tried = {512, 1024};
    return {{&Params::blocks, CsrEvenStriped::blocks_spec("Each adds its stripe to y in the end.")},
            {&Params::y_kib, CsrEvenStriped::kib_spec("y_kib", "Stripe of y in KiB",
                                                      "Shared memory in which a block adds up its stripe of y, beside "
                                                      "that for x on its way.")},
            {&Params::block_size, block_size}};
  }
  static constexpr Tags tags = Tag::splits_rows | Tag::vector_in_shared | Tag::stripes | Tag::atomics;
  static constexpr Slowdown slowdown = {1, not_measured};
  static std::vector<Start> starts() {
    return {{.params = {{"blocks", 1}}, .first = true},
            {.params = {{"y_kib", 0.71}, {"blocks", 1}, {"block_size", 1024}}, .first = true, .least_shared_kib = 224},
            {.params = {{"y_kib", 0.29}, {"blocks", 2}, {"block_size", 512}}}};
  }
  static KernelInfo info() {
    KernelInfo info{
        "csr_even_striped_transposed", "CSR even striped transposed",
        "y = A^T x from the CSR of A: each block has entries of one stripe of y, and adds them up in shared "
        "memory. For columns all over the place.",
        "after Im & Yelick 2001 and Steinberger et al. 2016", "csr"};
    info.operation = Operation::transposed_product;
    return info;
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    const index_t width = CsrEvenStriped::width_of(p.y_kib, a.cols(), sizeof(T));
    const auto shares =
        CsrEvenStriped::shares_of("csr_even_striped_transposed", "csr_transposed", a, width, p.blocks, layout);
    scale_y_first(layout, a.cols());
    layout.with_caches([&]<class Cached>(const Cached& cached) {
      using Its = Code<T, Cached>;
      const typename Its::Loads loads{cached.x, cached.values, cached.pointers, cached.pointers};
      layout.launch({.grid = static_cast<index_t>(shares.blocks.stripes.size()),
                     .block = p.block_size,
                     .shared_bytes = (p.block_size * Its::items + Its::sums_size(static_cast<int>(width))) *
                                     static_cast<int>(sizeof(T)),
                     .loads_in_flight = Its::items},
                    Its{CsrEvenStriped::even_of<typename Its::Even>(shares.entries, Role::matrix, loads, layout),
                        layout.made("piece_rows", Role::x_index, shares.entries.rows),
                        layout.made("stripes", Role::matrix_index, shares.blocks.stripes),
                        layout.made("tiles", Role::matrix_index, shares.blocks.tiles), layout.x(), layout.y(), a.cols(),
                        static_cast<int>(width), layout.scale().alpha, cached});
    });
  }
};

}  // namespace warpspy::inline SIMT_TARGET
