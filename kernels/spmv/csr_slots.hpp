// Product with a matrix in CSR that keeps the needed elements of x in shared memory. It suits matrices with scattered
// columns, in which nearly every load of x would need a sector of its own (32 bytes, of which 4 or 8 are used). Every
// thread block has an equal share of the entries. It first gathers x for all columns of the share into shared memory,
// each column once and in ascending order, so that neighbours come in one sector. Then it multiplies and adds up rows
// as csr_even does, and reads 16-bit slots (places in shared memory) in place of columns. If a share has more columns
// than there is room for, the columns with most entries get slots, and x for the others is read from memory. Slots and
// values are copied once into lane order (lane_order.hpp). Im & Yelick 2001 block the matrix for a cache by columns;
// here it is blocked by entries. PKT (Bell & Garland 2008, section 4.6) copies x to shared memory too, but needs rows
// in clusters.
#pragma once

#include "kernels/spmv/csr_even.hpp"
#include "kernels/spmv/lane_order.hpp"
#include "kernels/spmv/x_slots.hpp"
#include "kernels/spmv/x_slots_share.hpp"

namespace warpspy::inline SIMT_TARGET {

// Reads x for csr_even from shared memory, in place of CsrEven::PlainX. A slot has 16 bits. It has 32 bits if some
// columns have no slot; numbers from `room` on then mean columns.
template <class T, class Slot>
struct XInSlots {
  static constexpr bool gathers = true, in_lane_order = true;
  static constexpr int threads_at_most = 1024;
  static constexpr int blocks_at_least(int) { return 1; }
  static constexpr bool ahead(int) { return true; }
  static constexpr int at_once = 4;  // loads of x of a thread in flight

  simt::Array<const T> x;
  simt::Array<const std::int32_t> begins, columns;
  int room, largest;  // slots that fit into shared memory, and the most slots of any share; both in whole lines of 128
                      // bytes

  SIMT_DEVICE int slots() const { return largest; }
  SIMT_DEVICE static int sum_place(int e) { return e; }

  // Columns can be loaded before the previous launch has ended; x cannot.
  template <class Cached>
  SIMT_DEVICE void gather(const Cached& cached, const simt::SharedArray<T>& near, simt::Thread t,
                          simt::PreviousLaunch& previous) const {
    if (simt::is_constant(cached.x)) return previous.await();
    const int begin = simt::ld(begins, t.block), count = simt::ld(begins, t.block + 1) - begin;
    std::int32_t column[at_once]{};
    load_columns(column, cached, begin, t.thread, count, t.block_size);
    previous.await();
    for (int first = t.thread; first < count;) {
      T value[at_once]{};
      SIMT_UNROLL
      for (int u = 0; u < at_once; ++u)
        if (first + u * t.block_size < count) value[u] = simt::ld(cached.x, x, column[u]);
      const int next = first + at_once * t.block_size;
      load_columns(column, cached, begin, next, count, t.block_size);
      SIMT_UNROLL
      for (int u = 0; u < at_once; ++u)
        if (first + u * t.block_size < count) simt::st(near, place_of(first + u * t.block_size), value[u]);
      first = next;
    }
    simt::sync_block();
  }

  // Loads of x from memory start before any wait for x in shared memory.
  template <int items, class Policy>
  SIMT_DEVICE void load(T (&to)[items], const Policy& policy, const simt::SharedArray<T>& near,
                        const LaneColumns<Slot, items>& slots, simt::Where where = simt::Where::current()) const {
    constexpr bool has_far = sizeof(Slot) > 2;
    SIMT_UNROLL
    for (int i = 0; i < items; ++i) {
      to[i] = simt::constant_of<T>;
      if (has_far && slots.at(i) >= room) to[i] = simt::ld(policy, x, slots.at(i) - room, where);
    }
    if (simt::is_constant(policy)) return;
    SIMT_UNROLL
    for (int i = 0; i < items; ++i)
      if (!has_far || slots.at(i) < room) to[i] = simt::ld(near, slots.at(i), where);
  }

  // The place in shared memory for x of the s-th column of a share. The array `slots` has such a place for each entry.
  SIMT_DEVICE static int place_of(int s) { return TurnedLines<T>::place_of(s); }

 private:
  template <class Cached>
  SIMT_DEVICE void load_columns(std::int32_t (&column)[at_once], const Cached& cached, int begin, int first, int count,
                                int step) const {
    SIMT_UNROLL
    for (int u = 0; u < at_once; ++u)
      if (first + u * step < count) column[u] = simt::ld(cached.pointers, columns, begin + first + u * step);
  }
};

struct CsrSlots {
  using Input = CsrFormat;
  static constexpr bool overlaps = true, reads_pointers = false, reads_indices = false;
  struct Params {
    int blocks = 264;
    int share_kib = 96;
    int block_size = 512;
    bool operator==(const Params&) const = default;
  };
  static constexpr int items = 8, tile = items * simt::warp_size;

  static Fields<Params> fields() {
    ParamSpec block_size = block_size_spec();
    block_size.min = 2 * simt::warp_size;
    block_size.tried = {512, 1024};
    return {{&Params::blocks,
             {.id = "blocks",
              .label = "Blocks at a time",
              .help = "The entries are dealt out to so many blocks, or 2, 4, 8 ... times as many where their columns "
                      "find more room then. So many should fill the GPU.",
              .type = ParamSpec::Type::integer,
              .min = 1,
              .max = 65536,
              .scale = ParamSpec::Scale::per_sm,
              .tried = {1, 2, 4}}},
            {&Params::share_kib,
             {.id = "share_kib",
              .label = "Shared memory in KiB",
              .help = "Of a block at most, for x and for products on their way. Columns of a share that find no room "
                      "are read where they are.",
              .type = ParamSpec::Type::integer,
              .min = 2,
              .max = 220,
              .scale = ParamSpec::Scale::of_shared,
              .tried = {0.22, 0.43, 0.96}}},
            {&Params::block_size, block_size}};
  }
  static constexpr Tags tags = Tag::splits_rows | Tag::vector_in_shared | Tag::many_in_flight;
  static constexpr Slowdown slowdown = {1, not_measured};
  // A table of 79 matrices (H200, 2026-11-26, 128 blocks) shows where this kernel is the fastest. Of these products
  // large blocks won 13 of 17 in f32 and 2 of 15 in f64, and the other starts most of the rest. The defaults are for
  // devices with less shared memory.
  static std::vector<Start> starts() {
    return {{.params = {{"blocks", 2}}, .first = true},
            {.params = {{"share_kib", 0.96}, {"blocks", 1}, {"block_size", 1024}},
             .first = true,
             .least_shared_kib = 216,
             .only_value_bytes = 4},
            {.params = {{"share_kib", 0.43}, {"blocks", 2}, {"block_size", 512}}},
            {.params = {{"share_kib", 0.43}, {"blocks", 1}, {"block_size", 1024}}},
            {.params = {{"share_kib", 0.96}, {"blocks", 4}, {"block_size", 512}}}};
  }
  static KernelInfo info() {
    return {"csr_slots", "CSR slots",
            "CSR even with x at hand: blocks first gather x for the columns of their share, each once, into shared "
            "memory. For columns all over the place.",
            "after Im & Yelick 2001 and Liu & Vinter 2015", "csr"};
  }

  // Returns how many values of x a block has room for, besides its products.
  static index_t room_of(const Params& p, index_t value_bytes) {
    constexpr index_t line_bytes = 128;
    const index_t bytes = index_t{p.share_kib} * 1024 - index_t{p.block_size} * items * value_bytes;
    return std::clamp<index_t>(bytes / line_bytes, 1, XSlots::most_slots * value_bytes / line_bytes) * line_bytes /
           value_bytes;
  }

  static constexpr InLaneOrder<items> lay{};
  // Lays out the product. `values()` lays out the values in the order `lay`: PlainValues, or another accessor of
  // value_arrays.hpp.
  template <class Ptr, class Col, class Values, class Layout>
  static void launch(const char* kernel, std::span<const Ptr> row_ptr, std::span<const Col> columns, index_t cols,
                     const Values& values, const Params& p, Layout& layout) {
    using T = typename Layout::Value;
    require_columns_for_slots(kernel, cols);
    const auto entries = static_cast<index_t>(columns.size());
    const index_t room = room_of(p, sizeof(T));
    const index_t share =
        layout.prepare(XSlotsShareOf<Col>{columns, cols, tile, p.blocks, room, index_t{sizeof(T)}}).tiles;
    auto shares = CsrEven::shares_of(kernel, row_ptr, items, p.block_size, share, layout);
    const auto& slots = layout.prepare(XSlotsOf<Col, T, items>{kernel, columns, cols, share * tile, room});
    const int largest = TurnedLines<T>::size_for(slots.largest);
    shares.spec.shared_bytes += largest * static_cast<int>(sizeof(T));
    layout.with_caches([&](const auto& cached) {
      const auto with = [&]<class Slot>(Slot, const auto& of_entries) {
        const auto at_hand = layout.made("slots", Role::x_index, of_entries);
        const XInSlots<T, Slot> x{layout.x(), layout.made("slot_begins", Role::x_index, slots.begins),
                                  layout.made("slot_columns", Role::x_index, slots.columns), static_cast<int>(room),
                                  largest};
        layout.launch(shares.spec, CsrEven::code_with<items>(entries, shares, layout, at_hand, values(), x, cached));
      };
      if (slots.wide.empty())
        with(std::uint16_t{}, slots.narrow);
      else
        with(std::int32_t{}, slots.wide);
    });
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    visit_all(
        [&]<class Ptr, class Col>(std::span<const Ptr> row_ptr, std::span<const Col> columns) {
          const auto values = [&] { return plain_values(layout, a.values().template as<T>(), lay); };
          if constexpr (compiled_indices<Ptr, Col>) launch("csr_slots", row_ptr, columns, a.cols(), values, p, layout);
        },
        a.row_ptr(), a.columns());
  }
};

}  // namespace warpspy::inline SIMT_TARGET
