// Divides CSR entries among blocks and numbers the columns of each block's share from 0; csr_slots reads these slots
// instead of columns. A block loads x once for each column in its list, whatever number of entries the column has. If a
// share has more columns than slots, the columns with most entries get slots; x is loaded directly for all others.
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

namespace warpspy {

struct XSlots {
  static constexpr index_t most_slots = 1 << 16;

  // For each entry its slot, or `room` + its column if the column has no slot. `narrow` (16 bits) is used if every
  // entry of every share has a slot, otherwise `wide`. The other array is empty.
  UnsetVector<std::uint16_t> narrow;
  UnsetVector<std::int32_t> wide;
  std::vector<std::int32_t> columns;  // of each share, ascending; slot s holds x of column s of this list
  std::vector<std::int32_t> begins;   // where each share begins in `columns`, and the end of the last
  int largest = 0;                    // the most slots of any share
};

// How slots are stored: entry by entry, as numbers.
struct PlainSlots {
  static std::size_t places(std::size_t entries) { return entries; }
  template <class Slot>
  static std::size_t place_of(std::size_t entry) {
    return entry;
  }
  static std::int32_t told(std::int32_t slot) { return slot; }
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

  // For each share in the order of the lists: calls to(entry, slot).
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
    constexpr std::size_t most = 256;  // larger counts are treated as equal
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

// Estimates how many bytes of x and of its index a block reads: sectors of listed columns once, other sectors once per
// tile. `share` must be empty; it is cleared at the end.
template <class Col>
double bytes_of_x(XSlotsOfShares<Col>& share, std::size_t begin, std::size_t end, index_t room, std::size_t tile,
                  index_t value_bytes) {
  constexpr index_t sector_bytes = 32;
  share.list(begin, end);
  std::vector<std::int32_t> slots(end - begin);
  std::vector<index_t> sectors;
  share.number(begin, end, [&](std::size_t k, std::int32_t slot) { slots[k - begin] = slot; });
  std::int64_t count = 0;
  const auto count_sectors = [&] {
    std::sort(sectors.begin(), sectors.end());
    count += std::unique(sectors.begin(), sectors.end()) - sectors.begin();
    sectors.clear();
  };
  for (const std::int32_t c : share.columns) sectors.push_back(c * value_bytes / sector_bytes);
  count_sectors();
  for (std::size_t first = 0; first < slots.size(); first += tile) {
    for (std::size_t k = first; k < std::min(first + tile, slots.size()); ++k)
      if (slots[k] >= room) sectors.push_back((slots[k] - room) * value_bytes / sector_bytes);
    count_sectors();
  }
  const std::size_t of_slot = share.all_fit ? sizeof(std::uint16_t) : sizeof(std::int32_t);
  const std::size_t leading = of_slot * slots.size() + sizeof(std::int32_t) * share.columns.size();
  share.clear();
  return static_cast<double>(count * sector_bytes) + static_cast<double>(leading);
}

}  // namespace detail

// Throws Error if the columns and slots together exceed 32 bits.
inline void require_columns_for_slots(const char* kernel, index_t cols) {
  if (cols <= std::numeric_limits<std::int32_t>::max() - XSlots::most_slots) return;
  throw Error(std::string("kernel ") + kernel + " cannot count " + std::to_string(cols) + " columns", {},
              "use csr_even");
}

// Chooses the tiles of a share: `blocks` shares, or 2, 4, 8 ... times as many if then fewer bytes of x and its index
// are read. The bytes are estimated from a few shares of each size.
template <class Col>
index_t x_slots_share(std::span<const Col> entries, index_t cols, index_t tile, index_t blocks, index_t room,
                      index_t value_bytes) {
  constexpr std::size_t samples = 16;
  constexpr index_t least_tiles = 32;
  // Bytes that a GPU could read while a block begins and ends. It is a guess: with it FullChip, circuit5M, cage14 and
  // kron_g500-logn20 (stand-ins, H200) get about the number of shares that was fastest.
  constexpr double bytes_of_share = 60'000;
  const index_t tiles = (static_cast<index_t>(entries.size()) + tile - 1) / tile;
  std::vector<index_t> shares{std::max<index_t>(1, (tiles + blocks - 1) / blocks)};
  while (shares.back() >= 2 * least_tiles) shares.push_back((shares.back() + 1) / 2);
  if (shares.size() == 1) return shares.front();
  std::vector<std::vector<double>> bytes(samples, std::vector<double>(shares.size()));
  const std::size_t parts = detail::affordable_parts(entries.size(), cols, samples);
  in_parallel(parts, [&](std::size_t part) {
    detail::XSlotsOfShares<Col> share(entries, cols, room);
    for (std::size_t sample = part; sample < samples; sample += parts)
      for (std::size_t i = 0; i < shares.size(); ++i) {
        const auto length = static_cast<std::size_t>(shares[i] * tile), count = entries.size() / length;
        if (count == 0) continue;
        const std::size_t begin = part_begin(count, sample, samples) * length;
        bytes[sample][i] =
            detail::bytes_of_x(share, begin, begin + length, room, static_cast<std::size_t>(tile), value_bytes);
      }
  });
  std::size_t best = 0;
  double least = std::numeric_limits<double>::max();
  for (std::size_t i = 0; i < shares.size(); ++i) {
    double mean = 0, most = 0;
    for (const auto& of_sample : bytes) mean += of_sample[i] / samples, most = std::max(most, of_sample[i]);
    // The GPU waits for its last block. The more blocks have run in each place before, the shorter that wait is.
    const double waited = (most - mean) * static_cast<double>(shares[i]) / static_cast<double>(shares.front());
    const double per_tile = (mean + bytes_of_share + waited) / static_cast<double>(shares[i]);
    if (per_tile < least && mean > 0) least = per_tile, best = i;
  }
  return shares[best];
}

// Makes shares of so many entries; the last may be smaller. `room`: the most slots of a share, 1 <= room <= most_slots.
// `lay` says in which order entries stand and how a slot is stored. Uses all processors; the result does not depend on
// their number. Throws Error if the columns of all shares exceed 32 bits.
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
    if (all.columns.size() + part.columns.size() > INT32_MAX)
      throw Error(std::string("kernel ") + kernel + " would list more than 2147483647 columns", {},
                  "use csr_even, or fewer blocks");
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

}  // namespace warpspy
