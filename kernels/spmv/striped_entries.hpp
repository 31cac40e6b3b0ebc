// The entries of a CSR matrix sorted by stripes of columns (stripe_order.hpp); the kernel csr_even_striped reads this.
// Columns count from the start of the stripe. A piece is the part of a row in one stripe, and a bit for each entry
// tells whether a piece ends there. Values and columns are in the order in which lanes load them (lane_order.hpp).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/types.hpp"
#include "core/base/unset_vector.hpp"
#include "core/formats/csr.hpp"
#include "core/jobs/parallel.hpp"
#include "kernels/simt/trace.hpp"
#include "kernels/spmv/even_split.hpp"
#include "kernels/spmv/lane_order.hpp"
#include "kernels/spmv/spmv.hpp"
#include "kernels/spmv/stripe_order.hpp"

namespace warpspy {

template <class T>
struct StripedEntries {
  static constexpr int items = 8, tile = items * simt::warp_size;  // a lane's entries, and a warp's, at a time

  // Stripe by stripe. Each stripe is padded to whole tiles with values of 0 in column `width`, which belong to its last
  // piece.
  UnsetVector<T> values;
  UnsetVector<std::uint16_t> columns;      // counted from the stripe's first column, as positions in TurnedLines
  std::vector<std::uint16_t> flags;        // for each lane, as in EvenSplit, with pieces instead of rows
  std::vector<std::int32_t> first_ends;    // for each tile, how many pieces end before it
  std::vector<std::int32_t> rows;          // the row of each piece
  std::vector<std::int32_t> stripe_tiles;  // where each stripe begins, and the end of the last one
};

// `width`: columns of a stripe, at most 65472. Uses all processors; the result does not depend on their number. Throws
// Error if pieces or tiles exceed 32 bits.
template <class T, class Ptr, class Col>
StripedEntries<T> striped_entries(const char* kernel, std::span<const Ptr> row_ptr, std::span<const Col> columns,
                                  std::span<const T> values, index_t cols, index_t width) {
  constexpr int items = StripedEntries<T>::items, tile = StripedEntries<T>::tile;
  constexpr auto bit_of = [](std::size_t place) { return static_cast<std::uint16_t>(1u << place % items); };
  detail::StripesOfRows<Ptr, Col> rows(row_ptr, columns, cols, width);
  rows.lay_out(kernel, tile);
  StripedEntries<T> made;
  made.values.resize(rows.places());
  const auto column_at = [](index_t c) {
    return static_cast<std::uint16_t>(TurnedLines<T>::place_of(static_cast<int>(c)));
  };
  made.columns.resize(rows.places());
  made.flags.resize(rows.places() / items);
  made.rows.resize(rows.pieces());
  for (const index_t begin : rows.begins()) made.stripe_tiles.push_back(static_cast<std::int32_t>(begin / tile));
  rows.for_each(
      [&](std::size_t at, std::size_t k, std::size_t stripe) {
        made.values[LaneOrder<T, items>::place_of(at)] = values[k];
        made.columns[LaneOrder<std::uint16_t, items>::place_of(at)] =
            column_at(columns[k] - static_cast<index_t>(stripe) * width);
      },
      [&](std::size_t number, index_t row, std::size_t, std::size_t behind) {
        // Another thread may set other bits of these 16.
        std::atomic_ref<std::uint16_t>(made.flags[(behind - 1) / items])
            .fetch_or(bit_of(behind - 1), std::memory_order_relaxed);
        made.rows[number] = static_cast<std::int32_t>(row);
      });
  // The padding of a stripe belongs to its last piece.
  for (std::size_t stripe = 0; stripe + 1 < rows.begins().size(); ++stripe) {
    const std::size_t end = rows.end_of(stripe), whole = static_cast<std::size_t>(rows.begins()[stripe + 1]);
    if (end == whole) continue;
    for (std::size_t k = end; k < whole; ++k) {
      made.values[LaneOrder<T, items>::place_of(k)] = 0;
      made.columns[LaneOrder<std::uint16_t, items>::place_of(k)] = column_at(width);
    }
    made.flags[(end - 1) / items] &= static_cast<std::uint16_t>(~bit_of(end - 1));
    made.flags[(whole - 1) / items] |= bit_of(whole - 1);
  }
  made.first_ends = count_ends(made.flags, items);
  return made;
}

// The input of Layout::prepare for this order. A device makes the same arrays (kernels/device/prepared.hpp).
template <class T>
struct StripedEntriesOf {
  const char* kernel;
  const CsrFormat& a;  // with values of T
  index_t width;
  StripedEntries<T> operator()() const {
    StripedEntries<T> made;
    visit_all(
        [&](const auto& row_ptr, const auto& columns) {
          made = striped_entries<T>(kernel, row_ptr, columns, a.values().template as<T>(), a.cols(), width);
        },
        a.row_ptr(), a.columns());
    return made;
  }
};

// Divides the tiles among about `blocks` blocks, as equally as possible; a block has tiles of one stripe only. For each
// block: its stripe and its first tile; at the end, the end of the last block.
struct StripeShares {
  std::vector<std::int32_t> stripes, tiles;
};
inline StripeShares stripe_shares(std::span<const std::int32_t> stripe_tiles, index_t blocks) {
  const std::size_t stripes = stripe_tiles.size() - 1;
  const auto of = [&](std::size_t s) { return index_t{stripe_tiles[s + 1]} - stripe_tiles[s]; };
  const auto blocks_with = [&](index_t share) {
    index_t sum = 0;
    for (std::size_t s = 0; s < stripes; ++s) sum += (of(s) + share - 1) / share;
    return sum;
  };
  // The search for the tiles per block: `least` is its lower bound, and `enough`, the tiles of the fullest stripe, its
  // upper bound. The result is the fewest tiles per block with which at most `blocks` blocks are needed.
  index_t least = 1, enough = 1;
  for (std::size_t s = 0; s < stripes; ++s) enough = std::max(enough, of(s));
  while (least < enough) {
    const index_t middle = (least + enough) / 2;
    if (blocks_with(middle) <= blocks)
      enough = middle;
    else
      least = middle + 1;
  }
  StripeShares shares;
  for (std::size_t s = 0; s < stripes; ++s) {
    const auto count = static_cast<std::size_t>((of(s) + enough - 1) / enough);
    for (std::size_t i = 0; i < count; ++i) {
      shares.stripes.push_back(static_cast<std::int32_t>(s));
      shares.tiles.push_back(stripe_tiles[s] +
                             static_cast<std::int32_t>(part_begin(static_cast<std::size_t>(of(s)), i, count)));
    }
  }
  if (shares.stripes.empty()) shares.stripes.push_back(0), shares.tiles.push_back(0);
  shares.tiles.push_back(stripe_tiles.back());
  return shares;
}

}  // namespace warpspy
