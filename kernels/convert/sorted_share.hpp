// A thread block goes over a share of the entries that is sorted by column. It decides which columns get slots (places
// in shared memory), as x_slots() does on the host (kernels/spmv/x_slots.hpp), and finds the slot of each entry.
#pragma once

#include "kernels/convert/steps.hpp"
#include "kernels/spmv/x_slots.hpp"

namespace warpspy::convert {

inline constexpr int walkers = 512;     // threads of a block that goes over a share
inline constexpr int walked_items = 8;  // entries of each of them at a time

inline namespace SIMT_TARGET {

// Tells which columns of a share get slots: those with more than `least` entries, and the first `of_least` of those
// with exactly `least`.
struct SlotChoice {
  std::int32_t listed;  // how many columns that are
  std::int32_t least;   // 0: all columns
  std::int32_t of_least;
};

// Adds up the values of a block's threads in element 0, which is cleared before.
SIMT_DEVICE void add_to_first(simt::Thread t, const simt::SharedArray<int>& sum, int value,
                              simt::Where where = simt::Where::current()) {
  value = simt::sum_xor(value, where);
  if (t.thread % simt::warp_size == 0) simt::atomic_add(sum, 0, value, where);
}

template <class Key>
struct SortedShare {
  simt::Array<const Key> keys;  // of all shares; those of one share differ as their columns do
  std::int64_t begin, end;      // of this share

  SIMT_DEVICE bool begins_column(std::int64_t k, Key key) const { return k == begin || simt::ld(keys, k - 1) != key; }

  // Returns the number of entries of the column that begins at k, at most XSlots::most_counted.
  SIMT_DEVICE int entries_from(std::int64_t k, Key key) const {
    constexpr int most = XSlots::most_counted - 1;
    const auto are = [&](int entries) { return k + entries <= end && simt::ld(keys, k + entries - 1) == key; };
    int entries = 1, step = 1;
    for (; entries < most && are(entries + step); step *= 2) entries += step;
    if (entries >= most) return most;
    for (step /= 2; step > 0; step /= 2)
      if (are(entries + step)) entries += step;
    return entries < most ? entries : most;
  }

  // Chooses the columns that get slots. All threads of the block call it.
  SIMT_DEVICE SlotChoice choose(simt::Thread t, std::int64_t room) const {
    SIMT_SHARED(int, columns, 1);
    SIMT_SHARED(int, with, XSlots::most_counted);  // how many columns have so many entries
    SIMT_SHARED(std::int32_t, chosen, 3);
    if (t.thread == 0) simt::st(columns, 0, 0);
    for (int count = t.thread; count < XSlots::most_counted; count += walkers) simt::st(with, count, 0);
    simt::sync_block();
    int own = 0;
    SIMT_UNROLL_BY_4
    for (std::int64_t k = begin + t.thread; k < end; k += walkers) own += begins_column(k, simt::ld(keys, k)) ? 1 : 0;
    add_to_first(t, columns, own);
    simt::sync_block();
    const int all = simt::ld(columns, 0);
    if (all <= room) return {all, 0, 0};

    int with_one = 0;  // most columns, mostly: additions to one element wait for each other
    SIMT_UNROLL_BY_4
    for (std::int64_t k = begin + t.thread; k < end; k += walkers) {
      const Key key = simt::ld(keys, k);
      if (!begins_column(k, key)) continue;
      const int entries = entries_from(k, key);
      if (entries == 1)
        ++with_one;
      else
        simt::atomic_add(with, entries, 1);
    }
    with_one = simt::sum_xor(with_one);
    if (t.thread % simt::warp_size == 0) simt::atomic_add(with, 1, with_one);
    simt::sync_block();
    if (t.thread == 0) {
      int least = XSlots::most_counted - 1;
      std::int64_t kept = 0;
      for (; least > 1 && kept + simt::ld(with, least) <= room; --least) kept += simt::ld(with, least);
      const std::int64_t of_least = least > 1 ? room - kept : kept == 0 ? 1 : 0;
      simt::st(chosen, 0, static_cast<std::int32_t>(kept + of_least));
      simt::st(chosen, 1, least);
      simt::st(chosen, 2, static_cast<std::int32_t>(of_least));
    }
    simt::sync_block();
    return {simt::ld(chosen, 0), simt::ld(chosen, 1), simt::ld(chosen, 2)};
  }

  // Calls to(k, key, slot, begins) for each entry. `slot` is -1 if its column has no slot, and `begins` tells whether
  // the column begins there. A warp processes 32 neighbouring entries at a time, and its lanes tell each other about
  // them by a bit for each entry.
  template <class To>
  SIMT_DEVICE void number(simt::Thread t, const SlotChoice& choice, const To& to) const {
    constexpr int warps = walkers / simt::warp_size;
    SIMT_SHARED(int, equal_of_warps, warps);
    SIMT_SHARED(int, kept_of_warps, warps);
    SIMT_SHARED(int, last_of_warps, warps);  // whether the warp's last column has a slot; -1: no column begins there
    const int lane = t.thread % simt::warp_size, warp = t.thread / simt::warp_size;
    const std::uint32_t up_to_here = 0xffffffffu >> (simt::warp_size - 1 - lane), before = up_to_here >> 1;
    int equal = 0, kept = 0;  // of the columns so far: those with `least` entries, those with slots
    bool open = false;        // whether the last one has a slot
    for (std::int64_t first = begin; first < end; first += walkers * walked_items) {
      const std::int64_t own = first + warp * walked_items * simt::warp_size + lane;
      Key key[walked_items]{};
      std::uint32_t begun[walked_items], equals[walked_items], with_slot[walked_items];
      int entries[walked_items];  // of the column that begins there; else -1
      SIMT_UNROLL
      for (int i = 0; i < walked_items; ++i) {
        const std::int64_t k = own + i * simt::warp_size;
        entries[i] = -1;
        if (k >= end) continue;
        key[i] = simt::ld(keys, k);
        if (begins_column(k, key[i])) entries[i] = 1;
      }
      int equal_here = 0;
      SIMT_UNROLL
      for (int i = 0; i < walked_items; ++i) {
        if (choice.least > 0 && entries[i] > 0) entries[i] = entries_from(own + i * simt::warp_size, key[i]);
        begun[i] = simt::ballot(entries[i] > 0);
        equals[i] = simt::ballot(entries[i] == choice.least);
        with_slot[i] = simt::ballot(entries[i] > choice.least);
        equal_here += simt::count_bits(equals[i]);
      }
      if (lane == 0) simt::st(equal_of_warps, warp, equal_here);
      simt::sync_block();
      int equal_before = equal;
      SIMT_UNROLL
      for (int w = 0; w < warps; ++w) {
        const int count = simt::ld(equal_of_warps, w);
        if (w < warp) equal_before += count;
        equal += count;
      }

      int kept_here = 0, last = -1;
      SIMT_UNROLL
      for (int i = 0; i < walked_items; ++i) {
        const bool is_equal = (equals[i] >> lane & 1) != 0;
        with_slot[i] |= simt::ballot(is_equal && equal_before + simt::count_bits(equals[i] & before) < choice.of_least);
        equal_before += simt::count_bits(equals[i]);
        kept_here += simt::count_bits(with_slot[i]);
        if (begun[i] != 0) last = last_has_slot(begun[i], with_slot[i]) ? 1 : 0;
      }
      if (lane == 0) {
        simt::st(kept_of_warps, warp, kept_here);
        simt::st(last_of_warps, warp, last);
      }
      simt::sync_block();
      int kept_before = kept;
      bool open_before = open;
      SIMT_UNROLL
      for (int w = 0; w < warps; ++w) {
        const int count = simt::ld(kept_of_warps, w), its_last = simt::ld(last_of_warps, w);
        if (w < warp) kept_before += count;
        if (w < warp && its_last >= 0) open_before = its_last > 0;
        kept += count;
        if (its_last >= 0) open = its_last > 0;
      }

      SIMT_UNROLL
      for (int i = 0; i < walked_items; ++i) {
        const std::int64_t k = own + i * simt::warp_size;
        const std::uint32_t begun_here = begun[i] & up_to_here, with_slot_here = with_slot[i] & up_to_here;
        const bool has_slot = begun_here == 0 ? open_before : last_has_slot(begun_here, with_slot_here);
        if (k < end) to(k, key[i], has_slot ? kept_before + simt::count_bits(with_slot_here) - 1 : -1, entries[i] > 0);
        kept_before += simt::count_bits(with_slot[i]);
        if (begun[i] != 0) open_before = last_has_slot(begun[i], with_slot[i]);
      }
    }
  }

 private:
  // Whether the last of the columns that begin at the bits `begun` has a slot; `with_slot` has the bits of those that
  // have.
  SIMT_DEVICE static bool last_has_slot(std::uint32_t begun, std::uint32_t with_slot) {
    return with_slot > (begun & ~with_slot);
  }
};

}  // namespace SIMT_TARGET
}  // namespace warpspy::convert
