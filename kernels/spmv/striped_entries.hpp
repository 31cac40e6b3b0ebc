// CSR put in the order of stripes of columns, and of rows within a stripe: what csr_even_striped reads in place of it.
// What a row has in a stripe is a piece of it; pieces are to csr_even_striped what rows are to csr_even.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/types.hpp"
#include "core/jobs/parallel.hpp"
#include "kernels/simt/trace.hpp"

namespace warpspy {

template <class T>
struct StripedEntries {
  static constexpr int items = 8, tile = items * simt::warp_size;  // entries of a lane and of a warp at a time

  // Stripe by stripe, each filled up to whole tiles with values of 0 in column `width`, which belong to its last piece.
  std::vector<T> values;
  std::vector<std::uint16_t> columns;      // from where the stripe begins
  std::vector<std::uint16_t> flags;        // of lanes, as EvenSplit has them, with pieces for rows
  std::vector<std::int32_t> first_ends;    // pieces that end before each tile
  std::vector<std::int32_t> rows;          // of each piece
  std::vector<std::int32_t> stripe_tiles;  // where each stripe begins, and behind the last
};

namespace detail {

// Parts of the rows, of about as many entries each, that are worked on side by side.
template <class T, class Ptr, class Col>
class StripesOfRows {
 public:
  StripesOfRows(std::span<const Ptr> row_ptr, std::span<const Col> columns, std::span<const T> values, index_t cols,
                index_t width)
      : row_ptr_(row_ptr),
        columns_(columns),
        values_(values),
        width_(width),
        stripes_(static_cast<std::size_t>(std::max<index_t>(1, (cols + width - 1) / width))),
        parts_(std::clamp<std::size_t>(columns.size() / std::max(least_entries, stripes_), 1, most_parts)),
        places_(parts_ * stripes_) {}

  // Says how large everything is, and where stripes begin. False where pieces or tiles are too many to be counted.
  bool lay_out(StripedEntries<T>& to) {
    in_parallel(parts_, [&](std::size_t part) {
      for_each_piece(part, [&](index_t, std::size_t stripe, std::size_t begin, std::size_t end) {
        Place& place = place_of(part, stripe);
        place.entries += static_cast<index_t>(end - begin);
        ++place.pieces;
      });
    });
    Place all;
    to.stripe_tiles.push_back(0);
    for (std::size_t stripe = 0; stripe < stripes_; ++stripe) {
      for (std::size_t part = 0; part < parts_; ++part) {
        const Place its = std::exchange(place_of(part, stripe), all);
        all.entries += its.entries;
        all.pieces += its.pieces;
      }
      all.entries = (all.entries + tile - 1) / tile * tile;
      if (all.pieces > INT32_MAX || all.entries / tile > INT32_MAX) return false;
      to.stripe_tiles.push_back(static_cast<std::int32_t>(all.entries / tile));
    }
    to.values.resize(static_cast<std::size_t>(all.entries));
    to.columns.assign(static_cast<std::size_t>(all.entries), static_cast<std::uint16_t>(width_));
    to.flags.resize(static_cast<std::size_t>(all.entries / items));
    to.rows.resize(static_cast<std::size_t>(all.pieces));
    return true;
  }

  void fill(StripedEntries<T>& to) {
    in_parallel(parts_, [&](std::size_t part) {
      for_each_piece(part, [&](index_t row, std::size_t stripe, std::size_t begin, std::size_t end) {
        Place& place = place_of(part, stripe);
        auto at = static_cast<std::size_t>(place.entries);
        for (std::size_t k = begin; k < end; ++k, ++at) {
          to.values[at] = values_[k];
          to.columns[at] = static_cast<std::uint16_t>(columns_[k] - static_cast<index_t>(stripe) * width_);
        }
        // Another part may have the rest of these 16 bits.
        std::atomic_ref<std::uint16_t>(to.flags[(at - 1) / items]).fetch_or(bit_of(at - 1), std::memory_order_relaxed);
        to.rows[static_cast<std::size_t>(place.pieces++)] = static_cast<std::int32_t>(row);
        place.entries = static_cast<index_t>(at);
      });
    });
    // What fills up a stripe is in its last piece.
    for (std::size_t stripe = 0; stripe < stripes_; ++stripe) {
      const auto end = static_cast<std::size_t>(place_of(parts_ - 1, stripe).entries);
      const auto whole = static_cast<std::size_t>(index_t{to.stripe_tiles[stripe + 1]} * tile);
      if (end == whole) continue;
      to.flags[(end - 1) / items] &= static_cast<std::uint16_t>(~bit_of(end - 1));
      to.flags[(whole - 1) / items] |= bit_of(whole - 1);
    }
  }

  // Tells every tile and lane how many pieces end before it.
  static void count_ends(StripedEntries<T>& to) {
    std::int32_t ended = 0;
    for (std::size_t t = 0; t < to.values.size() / tile; ++t) {
      to.first_ends.push_back(ended);
      int in_tile = 0;
      for (std::size_t lane = t * simt::warp_size; lane < (t + 1) * simt::warp_size; ++lane) {
        const int own = std::popcount(to.flags[lane]);
        to.flags[lane] |= static_cast<std::uint16_t>(in_tile << items);
        in_tile += own;
      }
      ended += in_tile;
    }
  }

 private:
  static constexpr int items = StripedEntries<T>::items, tile = StripedEntries<T>::tile;
  // Each part has numbers for every stripe: together not more than there are entries, or one part's.
  static constexpr std::size_t most_parts = 64, least_entries = 1 << 14;
  // How many of a part and stripe, and then where they go.
  struct Place {
    index_t entries = 0, pieces = 0;
  };

  Place& place_of(std::size_t part, std::size_t stripe) { return places_[part * stripes_ + stripe]; }
  static std::uint16_t bit_of(std::size_t entry) { return static_cast<std::uint16_t>(1u << entry % items); }
  std::size_t first_row(std::size_t part) const {
    if (part == parts_) return row_ptr_.size() - 1;
    const auto entry = static_cast<Ptr>(part_begin(columns_.size(), part, parts_));
    return static_cast<std::size_t>(std::lower_bound(row_ptr_.begin(), row_ptr_.end(), entry) - row_ptr_.begin());
  }
  // Calls f(row, stripe, first entry, behind the last), row by row.
  template <class F>
  void for_each_piece(std::size_t part, F&& f) {
    for (std::size_t row = first_row(part), last = first_row(part + 1); row < last; ++row) {
      auto k = static_cast<std::size_t>(row_ptr_[row]);
      const auto end = static_cast<std::size_t>(row_ptr_[row + 1]);
      while (k < end) {
        const std::size_t begin = k, stripe = static_cast<std::size_t>(columns_[k] / width_);
        const index_t behind = static_cast<index_t>(stripe + 1) * width_;
        while (k < end && columns_[k] < behind) ++k;
        f(static_cast<index_t>(row), stripe, begin, k);
      }
    }
  }

  std::span<const Ptr> row_ptr_;
  std::span<const Col> columns_;
  std::span<const T> values_;
  index_t width_;
  std::size_t stripes_, parts_;
  std::vector<Place> places_;
};

}  // namespace detail

// `width`: columns of a stripe, less than 65536. On all processors; the same, however many there are. Throws Error
// where pieces or tiles are too many to be counted.
template <class T, class Ptr, class Col>
StripedEntries<T> striped_entries(const char* kernel, std::span<const Ptr> row_ptr, std::span<const Col> columns,
                                  std::span<const T> values, index_t cols, index_t width) {
  StripedEntries<T> made;
  detail::StripesOfRows<T, Ptr, Col> rows(row_ptr, columns, values, cols, width);
  if (!rows.lay_out(made))
    throw Error(std::string("kernel ") + kernel + " would cut the rows into more than 2147483647 pieces", {},
                "use csr_even, or wider stripes");
  rows.fill(made);
  rows.count_ends(made);
  return made;
}

// Tiles dealt out to blocks that each have tiles of one stripe: about `blocks` of them, as equal as can be. Of each
// block the stripe, and where it begins; behind the last, where it ends.
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
  // The fewest tiles of a block with which there are no more blocks than that; or those of the fullest stripe.
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
