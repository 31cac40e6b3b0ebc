// CSR dealt out to blocks by entries, and the columns of each share numbered from 0: what csr_slots reads in place of
// columns. A block gathers x for its list, each column once however many entries it has, and then reads no other x.
// Where a share has more columns than there is room for, those of most entries have slots and the rest are read where
// they are.
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
#include "core/jobs/parallel.hpp"

namespace warpspy {

struct XSlots {
  static constexpr index_t most_slots = 1 << 16;

  // Of each entry: its slot; or `room` and its column above that. 16 bits where all entries of all shares have slots:
  // then `wide` is empty, else `narrow`.
  std::vector<std::uint16_t> narrow;
  std::vector<std::int32_t> wide;
  std::vector<std::int32_t> columns;  // of each share, in ascending order: slot s holds x of the s-th
  std::vector<std::int32_t> begins;   // of each share in `columns`, and behind the last
  int largest = 0;                    // slots of a share
};

namespace detail {

// What XSlots has of neighbouring shares.
struct SomeXSlots {
  std::vector<std::int32_t> columns, counts;  // counts: of each share
  bool all_fit = true;
};
// Where entries find x is written to `wide`.
template <class Col>
class XSlotsMaker {
 public:
  XSlotsMaker(std::span<const Col> entries, index_t cols, index_t room, std::span<std::int32_t> wide)
      : entries_(entries), room_(static_cast<std::size_t>(room)), wide_(wide), of_(static_cast<std::size_t>(cols)) {}

  SomeXSlots made(std::size_t first_share, std::size_t end_share, std::size_t share) && {
    for (std::size_t s = first_share; s < end_share; ++s) add(s * share, std::min((s + 1) * share, entries_.size()));
    return std::move(made_);
  }

 private:
  void add(std::size_t begin, std::size_t end) {
    share_.clear();
    for (std::size_t k = begin; k < end; ++k) {
      const auto c = static_cast<std::size_t>(entries_[k]);
      if (of_[c]++ == 0) share_.push_back(static_cast<std::int32_t>(c));
    }
    if (share_.size() > room_) keep_the_fullest();
    std::sort(share_.begin(), share_.end());
    for (std::size_t s = 0; s < share_.size(); ++s) of(share_[s]) = -1 - static_cast<std::int32_t>(s);
    for (std::size_t k = begin; k < end; ++k) {
      const auto c = static_cast<std::int32_t>(entries_[k]);
      wide_[k] = of(c) < 0 ? -1 - of(c) : static_cast<std::int32_t>(room_) + c;
    }
    for (std::size_t k = begin; k < end; ++k) of_[static_cast<std::size_t>(entries_[k])] = 0;
    made_.columns.insert(made_.columns.end(), share_.begin(), share_.end());
    made_.counts.push_back(static_cast<std::int32_t>(share_.size()));
  }
  std::int32_t& of(std::int32_t column) { return of_[static_cast<std::size_t>(column)]; }

  // Columns of `least` entries and more, such that there is room for all of them, and of the next fewer the first ones.
  // A column of one entry gains nothing by a slot; but one there is in any case, for lanes without an entry.
  void keep_the_fullest() {
    made_.all_fit = false;
    constexpr std::size_t most = 256;  // told apart
    std::array<std::size_t, most> with{};
    const auto entries_of = [&](std::int32_t c) { return std::min(static_cast<std::size_t>(of(c)), most - 1); };
    for (const std::int32_t c : share_) ++with[entries_of(c)];
    std::size_t least = most - 1, kept = 0;
    for (; least > 1 && kept + with[least] <= room_; --least) kept += with[least];
    std::size_t of_least = least > 1 ? room_ - kept : kept == 0 ? 1 : 0;
    std::erase_if(share_, [&](std::int32_t c) {
      if (entries_of(c) != least) return entries_of(c) < least;
      if (of_least == 0) return true;
      --of_least;
      return false;
    });
  }

  std::span<const Col> entries_;
  std::size_t room_;
  std::span<std::int32_t> wide_;
  std::vector<std::int32_t> of_;  // how many entries of the share a column has, then its slot; zeros between shares
  std::vector<std::int32_t> share_;  // its columns
  SomeXSlots made_;
};

}  // namespace detail

// Shares of so many entries, the last perhaps smaller. `room`: slots of a share at most, 1 <= room <= most_slots. On
// all processors; the same, however many there are. Throws Error where columns of shares are too many to be counted, or
// there are so many columns that they and their slots cannot be told in 32 bits.
template <class Col>
XSlots x_slots(const char* kernel, std::span<const Col> entries, index_t cols, index_t share_entries, index_t room) {
  if (cols > std::numeric_limits<std::int32_t>::max() - XSlots::most_slots)
    throw Error(std::string("kernel ") + kernel + " cannot count " + std::to_string(cols) + " columns", {}, "use csr_even");
  constexpr std::size_t most_parts = 16;  // each has a counter for every column
  const auto share = static_cast<std::size_t>(share_entries);
  const std::size_t shares = (entries.size() + share - 1) / share, parts = std::min(most_parts, shares);
  XSlots all;
  all.wide.resize(entries.size());
  std::vector<detail::SomeXSlots> made(parts);
  in_parallel(parts, [&](std::size_t part) {
    made[part] = detail::XSlotsMaker<Col>(entries, cols, room, all.wide)
                     .made(part_begin(shares, part, parts), part_begin(shares, part + 1, parts), share);
  });
  bool narrow = true;
  all.begins.push_back(0);
  for (const detail::SomeXSlots& part : made) {
    if (all.columns.size() + part.columns.size() > INT32_MAX)
      throw Error(std::string("kernel ") + kernel + " would list more than 2147483647 columns", {}, "use csr_even, or fewer blocks");
    narrow = narrow && part.all_fit;
    all.columns.insert(all.columns.end(), part.columns.begin(), part.columns.end());
    for (const std::int32_t count : part.counts) {
      all.begins.push_back(all.begins.back() + count);
      all.largest = std::max(all.largest, static_cast<int>(count));
    }
  }
  if (!narrow) return all;
  all.narrow.assign(all.wide.begin(), all.wide.end());
  all.wide = {};
  return all;
}

}  // namespace warpspy
