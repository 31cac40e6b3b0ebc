// Tells what csr_slots reads in place of columns (kernels/spmv/x_slots.hpp). Launches on a device make it, byte for
// byte as x_slots() makes it on the host.
#pragma once

#include <cstdint>

#include "kernels/convert/conversion.hpp"
#include "kernels/convert/share_keys.hpp"
#include "kernels/convert/sorted_share.hpp"

namespace warpspy::convert {
inline namespace SIMT_TARGET {

// Each share gets a block, which chooses the columns that get slots.
template <class Key>
struct ChooseColumns {
  simt::Array<const Key> keys;
  simt::Array<std::int32_t> choices;  // 3 numbers for each share
  std::int64_t share_entries, room;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t begin = t.block * share_entries, end = begin + share_entries;
    const SortedShare<Key> share{keys, begin, end < keys.size ? end : keys.size};
    const SlotChoice choice = share.choose(t, room);
    if (t.thread > 0) return;
    simt::st(choices, 3 * t.block, choice.listed);
    simt::st(choices, 3 * t.block + 1, choice.least);
    simt::st(choices, 3 * t.block + 2, choice.of_least);
  }
};

// One block writes where the list of each share begins. It also writes three numbers: how many columns are listed (-1
// if that exceeds 32 bits), the length of the longest list, and whether a column of any share has no slot.
struct BeginsOfLists {
  simt::Array<const std::int32_t> choices;
  simt::Array<std::int32_t> begins, counted;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(std::int64_t, space, threads / simt::warp_size);
    SIMT_SHARED(std::int64_t, space_of_largest, threads / simt::warp_size);
    SIMT_SHARED(std::int64_t, space_of_left, threads / simt::warp_size);
    std::int64_t done = 0, largest = 0, left = 0;
    for (std::int64_t first = 0; first < begins.size; first += threads) {
      const std::int64_t share = first + t.thread;
      const bool is_share = share < begins.size - 1;
      const std::int64_t listed = is_share ? simt::ld(choices, 3 * share) : 0;
      if (is_share && simt::ld(choices, 3 * share + 1) > 0) left = 1;
      largest = listed > largest ? listed : largest;
      std::int64_t all = 0;
      const std::int64_t before = sum_before(t, space, listed, all);
      if (share < begins.size) simt::st(begins, share, static_cast<std::int32_t>(done + before));
      done += all;
    }
    largest = block_largest(t, space_of_largest, largest);
    left = block_largest(t, space_of_left, left);
    if (t.thread > 0) return;
    simt::st(counted, 0, static_cast<std::int32_t>(done > INT32_MAX ? -1 : done));
    simt::st(counted, 1, static_cast<std::int32_t>(largest));
    simt::st(counted, 2, static_cast<std::int32_t>(left));
  }
};

// Each share gets a block, which writes its list of columns, and the slots of its entries.
template <class Key, class Order, class Slot, int items>
struct FillSlots {
  static constexpr int threads_at_most = walkers, blocks_at_least = 2;
  Sorted<const Order, const Key> sorted;
  simt::Array<const std::int32_t> choices, begins;
  simt::Array<std::int32_t> columns;
  simt::Array<Slot> slots;
  std::int64_t cols, share_entries, room;
  int line;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t entries = sorted.keys.size, begin = t.block * share_entries;
    const std::int64_t end = begin + share_entries < entries ? begin + share_entries : entries;
    const SlotChoice choice{simt::ld(choices, 3 * t.block), simt::ld(choices, 3 * t.block + 1),
                            simt::ld(choices, 3 * t.block + 2)};
    const std::int64_t list = simt::ld(begins, t.block), key_of_first = t.block * cols;
    const SortedShare<Key> share{sorted.keys, begin, end};
    share.number(t, choice, [&](std::int64_t k, Key key, int slot, bool begins_column) {
      const std::int64_t column = static_cast<std::int64_t>(key) - key_of_first;
      if (slot >= 0 && begins_column) simt::st(columns, list + slot, static_cast<std::int32_t>(column));
      put(simt::ld(sorted.order, k), slot >= 0 ? turned_place(slot, line) : room + column);
    });
    if (end < entries) return;
    for (std::int64_t k = entries + t.thread; k < slots.size; k += walkers) put(k, 0);  // up to whole tiles
  }

 private:
  SIMT_DEVICE void put(std::int64_t entry, std::int64_t slot) const {
    const std::size_t place = LaneOrder<Slot, items>::place_of(static_cast<std::size_t>(entry));
    simt::st(slots, static_cast<std::int64_t>(place), static_cast<Slot>(slot));
  }
};

}  // namespace SIMT_TARGET

struct SlotSizes {
  index_t cols, share_entries, room;
  int line;  // of TurnedLines
};

// The arrays that the launches fill, and the most slots of any share.
struct XSlotsArrays {
  simt::Array<std::uint16_t> narrow;
  simt::Array<std::int32_t> wide, columns, begins;
  index_t largest;
};

// Lays out the launches and returns the arrays. `foreseen` computes on the host what launches will count, for an
// emulator in which no launch has run yet.
template <int items, class Key, class Order, class Stage, class Col, class Foreseen>
XSlotsArrays lay_out_x_slots_by(Stage& stage, const char* kernel, const simt::Array<const Col>& columns,
                                const SlotSizes& of, const Foreseen& foreseen) {
  const index_t entries = columns.size, shares = (entries + of.share_entries - 1) / of.share_entries;
  const LaunchSpec each_share{.grid = shares, .block = walkers};
  const auto keys = stage.template scratch<Key>("keys", entries);
  const auto choices = stage.template scratch<std::int32_t>("choices", 3 * shares);
  const auto counted = stage.template scratch<std::int32_t>("counted", 3);
  XSlotsArrays made{};
  made.begins = stage.template out<std::int32_t>("begins", shares + 1);
  Sorted<Order, Key> sorted{};
  if (entries > 0) {
    stage.launch({.grid = (entries + tile - 1) / tile, .block = threads},
                 KeysOfShares<Col, Key>{columns, keys, of.cols, of.share_entries});
    sorted = stage.template sorted<Order>(as_const(keys), shares * of.cols);
    stage.launch(each_share, ChooseColumns<Key>{as_const(sorted.keys), choices, of.share_entries, of.room});
  }
  stage.launch({.grid = 1, .block = threads}, BeginsOfLists{as_const(choices), made.begins, counted});
  const std::vector<index_t> numbers = stage.counted_all(counted, [&] {
    const XSlots host = foreseen();
    return std::vector<index_t>{static_cast<index_t>(host.columns.size()), host.largest, host.wide.empty() ? 0 : 1};
  });
  if (numbers[0] < 0) refuse_to_list(kernel);
  made.largest = numbers[1];
  made.columns = stage.template out<std::int32_t>("columns", numbers[0]);
  const auto fill = [&]<class Slot>(simt::Array<Slot>& slots, const char* name) {
    const std::size_t places = LaneOrder<Slot, items>::places(static_cast<std::size_t>(entries));
    slots = stage.template out<Slot>(name, static_cast<index_t>(places));
    if (entries == 0) return;
    stage.launch(each_share, FillSlots<Key, Order, Slot, items>{{as_const(sorted.order), as_const(sorted.keys)},
                                                                as_const(choices),
                                                                as_const(made.begins),
                                                                made.columns,
                                                                slots,
                                                                of.cols,
                                                                of.share_entries,
                                                                of.room,
                                                                of.line});
  };
  if (numbers[2] == 0)
    fill(made.narrow, "narrow");
  else
    fill(made.wide, "wide");
  return made;
}

// Sorts by keys of 32 bits where they have room, since that takes half the memory and fewer passes.
template <int items, class Stage, class Col, class Foreseen>
XSlotsArrays lay_out_x_slots(Stage& stage, const char* kernel, const simt::Array<const Col>& columns,
                             const SlotSizes& of, const Foreseen& foreseen) {
  const index_t shares = (columns.size + of.share_entries - 1) / of.share_entries;
  if (!Indices::fits32(columns.size))
    return lay_out_x_slots_by<items, std::uint64_t, std::int64_t>(stage, kernel, columns, of, foreseen);
  if (shares * of.cols > index_t{UINT32_MAX})
    return lay_out_x_slots_by<items, std::uint64_t, std::int32_t>(stage, kernel, columns, of, foreseen);
  return lay_out_x_slots_by<items, std::uint32_t, std::int32_t>(stage, kernel, columns, of, foreseen);
}

// A conversion for tests: it runs only this preparation, from a CSR.
struct ToXSlots {
  static constexpr const char* format = "x_slots";
  static constexpr bool sorts = true;
  static constexpr int items = 8;
  struct Params {
    int share_entries = 1024, room = 64;
    bool operator==(const Params&) const = default;
  };
  static Fields<Params> fields() {
    return {
        {&Params::share_entries,
         {.id = "share_entries", .label = {}, .help = {}, .type = ParamSpec::Type::integer, .min = 32, .max = 100000}},
        {&Params::room,
         {.id = "room", .label = {}, .help = {}, .type = ParamSpec::Type::integer, .min = 1, .max = 65536}}};
  }
  template <class T>
  static XSlots made(const CsrFormat& a, const Params& p) {
    return a.columns().visit([&]<class Col>(std::span<const Col> columns) {
      return XSlotsOf<Col, T, items>{"x_slots", columns, a.cols(), p.share_entries, p.room}();
    });
  }
  static XSlots slots_of(const CsrFormat& a, const Params& p) {
    return a.precision() == Precision::f32 ? made<float>(a, p) : made<double>(a, p);
  }
  static std::vector<MadeArray> on_host(const CsrFormat& a, const Params& p) {
    const XSlots s = slots_of(a, p);
    return {made_array("begins", s.begins), made_array("columns", s.columns), made_array("narrow", s.narrow),
            made_array("wide", s.wide)};
  }
  template <class Stage, class T = typename Stage::Value>
  static void lay_out(const CsrFormat& a, const FormatFacts&, const Params& p, Stage& stage) {
    stage.typed(a, [&]<class Ptr, class Col>(const TypedArrays<T, Ptr, Col>& csr) {
      lay_out_x_slots<items>(stage, "x_slots", csr.columns, {a.cols(), p.share_entries, p.room, TurnedLines<T>::line},
                             [&] { return slots_of(a, p); });
    });
  }
};

}  // namespace warpspy::convert
