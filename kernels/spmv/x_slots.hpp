// Divides the entries of a CSR matrix among thread blocks, and numbers the columns of each block's share from 0. These
// numbers are slots, places for x in shared memory. The kernel csr_slots reads slots instead of columns. A block loads
// x once for each column in its list, whatever number of entries the column has. If a share has more columns than
// slots, the columns with most entries get slots; x is loaded directly for all others.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/types.hpp"
#include "core/base/unset_vector.hpp"
#include "core/jobs/parallel.hpp"
#include "kernels/spmv/column_set.hpp"
#include "kernels/spmv/lane_order.hpp"

namespace warpspy {

struct XSlots {
  static constexpr index_t most_slots = 1 << 16;
  static constexpr int most_counted = 256;  // entries of a column in a share; larger counts are treated as equal

  // For each entry its slot, or `room` + its column if the column has no slot. `narrow` (16 bits) is used if every
  // entry of every share has a slot, otherwise `wide`. The other array is empty.
  UnsetVector<std::uint16_t> narrow;
  UnsetVector<std::int32_t> wide;
  std::vector<std::int32_t> columns;  // of each share, ascending; slot s holds x of column s of this list
  std::vector<std::int32_t> begins;   // where each share begins in `columns`, and the end of the last
  int largest = 0;                    // the most slots of any share
};

// Stores slots in the order of the entries, as plain numbers.
struct PlainSlots {
  static std::size_t places(std::size_t entries) { return entries; }
  template <class Slot>
  static std::size_t place_of(std::size_t entry) {
    return entry;
  }
  static std::int32_t told(std::int32_t slot) { return slot; }
};

// Stores slots as csr_slots reads them: in lane order (lane_order.hpp), and each slot as its place in shared memory
// (turned_place).
template <class T, int items>
struct TurnedSlots {
  index_t room;
  static std::size_t places(std::size_t entries) { return LaneOrder<T, items>::places(entries); }
  template <class Slot>
  static std::size_t place_of(std::size_t entry) {
    return LaneOrder<Slot, items>::place_of(entry);
  }
  std::int32_t told(std::int32_t slot) const { return slot < room ? TurnedLines<T>::place_of(slot) : slot; }
};

namespace detail {

// Makes the column lists of some neighbouring shares, and then the slot of each of their entries.
template <class Col>
class XSlotsOfShares {
 public:
  XSlotsOfShares(std::span<const Col> entries, index_t cols, index_t room)
      : entries_(entries), room_(static_cast<std::size_t>(room)), of_(static_cast<std::size_t>(cols)), seen_(cols) {}

  void list(std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const auto c = static_cast<std::size_t>(entries_[k]);
      if (of_[c]++ == 0) seen_.add(c);
    }
    const std::size_t before = columns.size();
    seen_.take([&](std::size_t c) { columns.push_back(static_cast<std::int32_t>(c)); });
    const std::vector<std::int32_t> share(columns.begin() + static_cast<std::ptrdiff_t>(before), columns.end());
    if (share.size() > room_) keep_the_fullest(share, before);
    counts.push_back(static_cast<std::int32_t>(columns.size() - before));
    for (const std::int32_t c : share) of(c) = 0;
  }

  // Calls to(entry, slot) for each entry, share by share in the order of the lists.
  template <class To>
  void number(std::size_t begin, std::size_t end, To&& to) {
    const auto listed = static_cast<std::size_t>(counts[numbered_++]);
    const std::span<const std::int32_t> list(columns.data() + first_, listed);
    first_ += listed;
    std::int32_t slots = 0;
    for (const std::int32_t c : list) of(c) = ++slots;
    for (std::size_t k = begin; k < end; ++k) {
      const auto c = static_cast<std::int32_t>(entries_[k]);
      to(k, of(c) > 0 ? of(c) - 1 : static_cast<std::int32_t>(room_) + c);
    }
    for (const std::int32_t c : list) of(c) = 0;
  }

  void clear() {
    columns.clear(), counts.clear();
    numbered_ = first_ = 0;
    all_fit = true;
  }

  std::vector<std::int32_t> columns, counts;  // counts: columns of each share
  bool all_fit = true;

 private:
  std::int32_t& of(std::int32_t column) { return of_[static_cast<std::size_t>(column)]; }

  // Gives slots to the columns with at least `least` entries, which all fit, then to the first columns with the next
  // fewer entries until all slots are taken. A column with one entry gains nothing by a slot. But at least one gets
  // one, for lanes without an entry.
  void keep_the_fullest(const std::vector<std::int32_t>& share, std::size_t before) {
    all_fit = false;
    constexpr std::size_t most = XSlots::most_counted;
    std::array<std::size_t, most> with{};
    const auto entries_of = [&](std::int32_t c) { return std::min(static_cast<std::size_t>(of(c)), most - 1); };
    for (const std::int32_t c : share) ++with[entries_of(c)];
    std::size_t least = most - 1, kept = 0;
    for (; least > 1 && kept + with[least] <= room_; --least) kept += with[least];
    std::size_t of_least = least > 1 ? room_ - kept : kept == 0 ? 1 : 0;
    const auto is_left_out = [&](std::int32_t c) {
      if (entries_of(c) != least) return entries_of(c) < least;
      if (of_least == 0) return true;
      --of_least;
      return false;
    };
    columns.erase(std::remove_if(columns.begin() + static_cast<std::ptrdiff_t>(before), columns.end(), is_left_out),
                  columns.end());
  }

  std::span<const Col> entries_;
  std::size_t room_;
  std::vector<std::int32_t> of_;  // for each column: its entries in the share, or its slot + 1; else 0
  ColumnSet seen_;
  std::size_t numbered_ = 0, first_ = 0;
};

// The number of parts that run in parallel. Each part has a counter for every column, and together there are not many
// more counters than entries.
inline std::size_t affordable_parts(std::size_t entries, index_t cols, std::size_t wanted) {
  constexpr std::size_t counters_of_entry = 2, most = 16;
  const std::size_t affordable = counters_of_entry * entries / std::max<std::size_t>(1, static_cast<std::size_t>(cols));
  return std::min(wanted, std::clamp<std::size_t>(affordable, 1, most));
}

}  // namespace detail

// Throws Error if the columns and slots together exceed 32 bits.
inline void require_columns_for_slots(const char* kernel, index_t cols) {
  if (cols <= std::numeric_limits<std::int32_t>::max() - XSlots::most_slots) return;
  throw Error(std::string("kernel ") + kernel + " cannot count " + std::to_string(cols) + " columns", {},
              "use csr_even");
}

[[noreturn]] inline void refuse_to_list(const char* kernel) {
  throw Error(std::string("kernel ") + kernel + " would list more than 2147483647 columns", {},
              "use csr_even, or fewer blocks");
}

// Makes the slots for shares with this many entries each; the last may be smaller. A share has at most `room` slots, 1
// <= room <= most_slots. `lay` decides in which order entries stand and how a slot is stored. Uses all processors; the
// result does not depend on their number. Throws Error if the columns of all shares exceed 32 bits.
template <class Col, class Lay = PlainSlots>
XSlots x_slots(const char* kernel, std::span<const Col> entries, index_t cols, index_t share_entries, index_t room,
               const Lay& lay = {}) {
  const auto share = static_cast<std::size_t>(share_entries);
  const std::size_t shares = (entries.size() + share - 1) / share;
  const std::size_t parts = detail::affordable_parts(entries.size(), cols, shares);
  std::vector<detail::XSlotsOfShares<Col>> made(parts, {entries, 0, room});
  const auto of_shares = [&](std::size_t part, auto&& work) {
    for (std::size_t s = part_begin(shares, part, parts); s < part_begin(shares, part + 1, parts); ++s)
      work(s * share, std::min((s + 1) * share, entries.size()));
  };
  in_parallel(parts, [&](std::size_t part) {
    made[part] = {entries, cols, room};
    of_shares(part, [&](std::size_t begin, std::size_t end) { made[part].list(begin, end); });
  });
  XSlots all;
  bool narrow = true;
  all.begins.push_back(0);
  for (const auto& part : made) {
    if (all.columns.size() + part.columns.size() > INT32_MAX) refuse_to_list(kernel);
    narrow = narrow && part.all_fit;
    all.columns.insert(all.columns.end(), part.columns.begin(), part.columns.end());
    for (const std::int32_t count : part.counts) {
      all.begins.push_back(all.begins.back() + count);
      all.largest = std::max(all.largest, static_cast<int>(count));
    }
  }
  const auto number = [&]<class Slot>(UnsetVector<Slot>& to) {
    to.resize(lay.places(entries.size()));
    for (std::size_t k = entries.size(); k < to.size(); ++k) to[lay.template place_of<Slot>(k)] = 0;
    in_parallel(parts, [&](std::size_t part) {
      of_shares(part, [&](std::size_t begin, std::size_t end) {
        made[part].number(begin, end, [&](std::size_t k, std::int32_t slot) {
          to[lay.template place_of<Slot>(k)] = static_cast<Slot>(lay.told(slot));
        });
      });
    });
  };
  if (narrow)
    number(all.narrow);
  else
    number(all.wide);
  return all;
}

// The input of Layout::prepare for these slots. A device makes the same arrays (kernels/device/prepared.hpp).
template <class Col, class T, int items>
struct XSlotsOf {
  const char* kernel;
  std::span<const Col> columns;
  index_t cols, share_entries, room;
  XSlots operator()() const { return x_slots(kernel, columns, cols, share_entries, room, TurnedSlots<T, items>{room}); }
};

}  // namespace warpspy
