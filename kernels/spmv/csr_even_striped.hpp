// Product with a matrix in CSR by stripes; a stripe is a range of neighbouring columns. It suits matrices with
// scattered columns whose rows have a few entries in each stripe. The entries are sorted by stripes once, before the
// first product. A thread block processes some of the entries of one stripe. It first loads that stripe of x into
// shared memory, in order; csr_slots gathers only the elements that a block needs. A piece is the part of a row in one
// stripe. The block adds up pieces as csr_even adds up rows: every lane has the same number of entries. Then
// neighbouring lanes add the sums of neighbouring pieces to y by atomics. An earlier launch therefore computes y = beta
// y. This is the cache blocking of Im & Yelick 2001 with stripes as wide as shared memory. For long pieces use
// csr_striped.
#pragma once

#include <algorithm>

#include "kernels/spmv/csr_even.hpp"
#include "kernels/spmv/csr_slots.hpp"
#include "kernels/spmv/striped_entries.hpp"

namespace warpspy::inline SIMT_TARGET {

struct CsrEvenStriped {
  using Input = CsrFormat;
  static constexpr bool overlaps = true, reads_pointers = false, reads_indices = false;
  struct Params {
    int blocks = 132;
    int x_kib = 64;
    int block_size = 512;
    bool operator==(const Params&) const = default;
  };

  template <class T>
  struct XInStripe : XInSlots<T, std::uint16_t> {
    // In a block of 1024 threads each thread has 64 registers. In f64 none of them is free for additional steps that
    // save time in f32.
    static constexpr bool has_registers = sizeof(T) == 4;
    // The place in shared memory for the sum of piece e of a tile. If every piece has one entry, the lanes' sums are
    // eight places apart, and many lanes would use the same bank. This permutation avoids that; sums of neighbouring
    // pieces stay within 128 bytes.
    SIMT_DEVICE static int sum_place(int e) { return has_registers ? e ^ (e >> 5 & 7) : e; }
  };

  template <class T, class Cached>
  struct Code {
    static constexpr bool awaits_previous = true;
    static constexpr int threads_at_most = 1024, blocks_at_least = 1;
    using Even = CsrEven::Code<T, std::uint16_t, StripedEntries<T>::items, Cached, PlainValues<T>, XInStripe<T>>;
    static constexpr int items = StripedEntries<T>::items, tile = StripedEntries<T>::tile;
    static constexpr bool has_registers = XInStripe<T>::has_registers;
    static constexpr int pack = 16 / sizeof(T), at_once = 4;  // neighbouring elements of x in one load, and how many
                                                              // loads are in flight

    Even even;  // how a tile is loaded and added up
    simt::Array<const std::int32_t> piece_rows;
    simt::Array<const std::int32_t> stripes;
    simt::Array<const std::int32_t> tiles;
    simt::Array<const T> x;  // of whole stripes
    simt::Array<T> y;
    int width;  // columns of a stripe
    T alpha;
    Cached cached;

    // Elements of shared memory for a stripe of x, and for one more that is 0. Padding entries use that one.
    SIMT_ANYWHERE static constexpr int near_size(int width) { return TurnedLines<T>::size_for(width + 1); }

    SIMT_DEVICE void operator()(simt::Thread t) const {
      simt::PreviousLaunch previous;
      const int lane = t.thread % simt::warp_size, warp = t.thread / simt::warp_size;
      const int warps = t.block_size / simt::warp_size, mine = warp * tile;
      SIMT_DYNAMIC_SHARED(T, staged, 0, t.block_size * items);
      SIMT_DYNAMIC_SHARED(T, near, t.block_size * items * static_cast<int>(sizeof(T)), near_size(width));
      // A warp has neighbouring tiles, so that few pieces continue in another warp.
      const int begin = simt::ld(tiles, t.block), count = simt::ld(tiles, t.block + 1) - begin;
      const int first = begin + static_cast<int>(std::int64_t{warp} * count / warps);
      const int last = begin + static_cast<int>(std::int64_t{warp + 1} * count / warps);
      typename Even::Part part;
      if (first < last) even.load(part, first, lane);
      const std::int64_t origin = std::int64_t{simt::ld(stripes, t.block)} * width;
      previous.await();
      const int step = t.block_size * pack;
      for (int first = t.thread * pack; first < width; first += at_once * step) {
        simt::Pack<T, pack> some[at_once]{};
        SIMT_UNROLL
        for (int u = 0; u < at_once; ++u)
          if (first + u * step < width) some[u] = simt::ld_pack<pack>(cached.x, x, origin + first + u * step);
        SIMT_UNROLL
        for (int u = 0; u < at_once; ++u) {
          if (first + u * step >= width) break;
          SIMT_UNROLL
          for (int i = 0; i < pack; ++i) simt::st(near, TurnedLines<T>::place_of(first + u * step + i), some[u].v[i]);
        }
      }
      if (t.thread == 0) simt::st(near, TurnedLines<T>::place_of(width), T{0});
      simt::sync_block();

      T open = 0;  // sum of the piece that the tiles so far have not finished
      int next_piece = 0;
      for (int at = first; at < last; ++at) {
        T product[items];
        SIMT_UNROLL
        for (int i = 0; i < items; ++i) product[i] = part.own.raw(i) * simt::ld(near, part.columns.at(i));
        const std::uint32_t ends = part.ends();
        const int ends_before = part.ends_before(), first_end = part.first_end;
        const std::uint32_t enders = simt::ballot(ends != 0);
        if (enders == 0) {
          T sum = 0;
          SIMT_UNROLL
          for (int i = 0; i < items; ++i) sum += product[i];
          if (at + 1 < last) even.load(part, at + 1, lane);
          open += simt::sum_xor(sum);
          next_piece = first_end;
          continue;
        }
        if (at + 1 < last) even.load(part, at + 1, lane);

        int ended = 0;
        std::int32_t rows[items];
        if constexpr (has_registers) {
          ended = simt::shfl(ends_before + simt::count_bits(ends), simt::warp_size - 1);
          load_rows(rows, first_end, ended, lane);
        }
        T sum = lane == 0 ? open : T{0}, head = 0;
        const int end = even.add_up(product, ends, ends_before, sum, head, staged, mine);
        const T up_to_here = simt::sum_segments(sum, lane, enders | 1u);
        const T before = simt::shfl_up(up_to_here, 1);
        open = simt::shfl(up_to_here, simt::warp_size - 1);
        if (ends != 0) simt::st(staged, mine + XInStripe<T>::sum_place(ends_before), lane > 0 ? head + before : head);
        if constexpr (!has_registers) {
          ended = simt::shfl(end, simt::warp_size - 1);
          load_rows(rows, first_end, ended, lane);
        }
        simt::syncwarp();
        add_pieces(rows, staged, mine, ended, lane);
        simt::syncwarp();
        next_piece = first_end + ended;
        if ((simt::shfl(ends, simt::warp_size - 1) >> (items - 1) & 1) != 0) next_piece = -1;  // no row goes on
      }
      if (lane == 0 && first < last && next_piece >= 0)
        simt::atomic_add(y, simt::ld(cached.pointers, piece_rows, next_piece), alpha * open);
    }

    // Loads the rows of the pieces that end in a tile; each lane loads every 32nd. All loads start together, since a
    // lane would wait for each one otherwise.
    SIMT_DEVICE void load_rows(std::int32_t (&rows)[items], int first, int count, int lane) const {
      SIMT_UNROLL
      for (int i = 0; i < items; ++i) {
        const int e = i * simt::warp_size + lane;
        rows[i] = e < count ? simt::ld(cached.pointers, piece_rows, first + e) : 0;
      }
    }
    SIMT_DEVICE void add_pieces(const std::int32_t (&rows)[items], const simt::SharedArray<T>& staged, int mine,
                                int count, int lane) const {
      SIMT_UNROLL
      for (int i = 0; i < items; ++i) {
        const int e = i * simt::warp_size + lane;
        if (e < count) simt::atomic_add(y, rows[i], alpha * simt::ld(staged, mine + XInStripe<T>::sum_place(e)));
      }
    }
  };

  // A parameter that the transposed kernel has too.
  static ParamSpec blocks_spec(const std::string& they) {
    return {.id = "blocks",
            .label = "Blocks",
            .help = "The entries are dealt out to about so many blocks, or to one for each stripe. " + they,
            .type = ParamSpec::Type::integer,
            .min = 1,
            .max = 65536,
            .scale = ParamSpec::Scale::per_sm,
            .tried = {1, 2}};
  }
  static ParamSpec kib_spec(const char* id, const char* label, const std::string& what) {
    return {.id = id,
            .label = label,
            .help = what + " Wider stripes cut rows into fewer pieces.",
            .type = ParamSpec::Type::integer,
            .min = 1,
            .max = 208,
            .scale = ParamSpec::Scale::of_shared,
            .tried = {0.29, 0.64, 0.71}};
  }
  static Fields<Params> fields() {
    ParamSpec block_size = block_size_spec();
    block_size.min = 2 * simt::warp_size;
    block_size.tried = {512, 1024};
    return {{&Params::blocks, blocks_spec("They should fill the GPU once.")},
            {&Params::x_kib,
             kib_spec("x_kib", "Stripe of x in KiB",
                      "Shared memory that a block fills with its stripe of x, beside that for products on their way.")},
            {&Params::block_size, block_size}};
  }
  static constexpr Tags tags = Tag::splits_rows | Tag::vector_in_shared | Tag::stripes | Tag::atomics;
  static constexpr Slowdown slowdown = {1, not_measured};
  static std::vector<Start> starts() {
    return {{.params = {{"blocks", 1}}, .first = true},
            {.params = {{"x_kib", 0.71}, {"blocks", 1}, {"block_size", 1024}}, .first = true, .least_shared_kib = 224},
            {.params = {{"x_kib", 0.29}, {"blocks", 1}, {"block_size", 1024}}},
            {.params = {{"x_kib", 0.29}, {"blocks", 2}, {"block_size", 512}}}};
  }
  static KernelInfo info() {
    return {"csr_even_striped", "CSR even striped",
            "CSR even by stripes of x in shared memory: each block has entries of one stripe, and adds pieces of rows "
            "to y. For columns all over the place.",
            "after Im & Yelick 2001 and Liu & Vinter 2015", "csr"};
  }

  // The number of columns of a stripe. There are as few stripes as shared memory allows, all of one width, and each
  // begins at a sector of x.
  static index_t width_of(int kib, index_t cols, index_t value_bytes) {
    constexpr index_t line = 32, most = (1 << 16) - 2 * line;
    const index_t room = std::clamp<index_t>(index_t{kib} * 1024 / value_bytes / line * line, line, most);
    const index_t stripes = std::max<index_t>(1, (cols + room - 1) / room);
    return std::clamp<index_t>(((cols + stripes - 1) / stripes + line - 1) / line * line, line, room);
  }

  // The data of a product that all blocks use. Entries is StripedEntries, or the same arrays made by a device.
  template <class Entries>
  struct Shares {
    const Entries& entries;  // both live as long as the layout
    const StripeShares& blocks;
    index_t stripes() const { return static_cast<index_t>(entries.stripe_tiles.size()) - 1; }
  };
  // Throws Error if rows or columns are too many for 32-bit indices; the message names the kernel to use `instead`.
  template <class Layout, class T = typename Layout::Value>
  static auto shares_of(const char* kernel, const char* instead, const Input& a, index_t width, int blocks,
                        Layout& layout) {
    constexpr index_t most = INT32_MAX;
    if (a.rows() > most || a.cols() > most)
      throw Error(std::string("kernel ") + kernel + " cannot count more than 2147483647 rows or columns", {},
                  std::string("use ") + instead);
    const auto& entries = layout.prepare(StripedEntriesOf<T>{kernel, a, width});
    return Shares<std::remove_cvref_t<decltype(entries)>>{
        entries, layout.prepare([&] { return stripe_shares(entries.stripe_tiles, blocks); })};
  }
  // Lays out the entries of a kernel that uses stripes. `columns_for` tells whether columns are indices of x or of y.
  template <class Even, class Entries, class Cached, class Layout>
  static Even even_of(const Entries& entries, Role columns_for, const Cached& cached, Layout& layout) {
    Even even{};
    even.columns = layout.made("columns", columns_for, entries.columns);
    even.values = {layout.made("values", Role::matrix, entries.values)};
    even.flags = layout.made("flags", Role::matrix, entries.flags);
    even.first_ends = layout.made("first_ends", Role::matrix, entries.first_ends);
    even.entries = static_cast<std::int64_t>(entries.values.size());
    even.cached = cached;
    return even;
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    const index_t width = width_of(p.x_kib, a.cols(), sizeof(T));
    const auto shares = shares_of("csr_even_striped", "csr_even", a, width, p.blocks, layout);
    scale_y_first(layout, a.rows());
    layout.with_caches([&]<class Cached>(const Cached& cached) {
      using Its = Code<T, Cached>;
      layout.launch(
          {.grid = static_cast<index_t>(shares.blocks.stripes.size()),
           .block = p.block_size,
           .shared_bytes =
               (p.block_size * Its::items + Its::near_size(static_cast<int>(width))) * static_cast<int>(sizeof(T)),
           .loads_in_flight = Its::items},
          Its{even_of<typename Its::Even>(shares.entries, Role::x_index, cached, layout),
              layout.made("piece_rows", Role::matrix, shares.entries.rows),
              layout.made("stripes", Role::x_index, shares.blocks.stripes),
              layout.made("tiles", Role::matrix_index, shares.blocks.tiles), layout.x(shares.stripes() * width),
              layout.y(), static_cast<int>(width), layout.scale().alpha, cached});
    });
  }
};

}  // namespace warpspy::inline SIMT_TARGET
