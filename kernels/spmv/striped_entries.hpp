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

// `width`: columns of a stripe, less than 65536. On all processors; the same, however many there are. Throws Error
// where pieces or tiles are too many to be counted.
template <class T, class Ptr, class Col>
StripedEntries<T> striped_entries(const char* kernel, std::span<const Ptr> row_ptr, std::span<const Col> columns,
                                  std::span<const T> values, index_t cols, index_t width) {
  constexpr index_t most = INT32_MAX, tile = StripedEntries<T>::tile, items = StripedEntries<T>::items;
  const auto rows = static_cast<index_t>(row_ptr.size()) - 1;
  const auto stripes = static_cast<std::size_t>(std::max<index_t>(1, (cols + width - 1) / width));
  // Each part has rows of about as many entries, and counts for every stripe.
  constexpr std::size_t most_parts = 64;
  const std::size_t parts = std::clamp<std::size_t>(columns.size() / (1 << 14), 1, most_parts);
  const auto first_row = [&](std::size_t part) {
    const auto entry = static_cast<Ptr>(part_begin(columns.size(), part, parts));
    return part == parts ? rows : std::lower_bound(row_ptr.begin(), row_ptr.end(), entry) - row_ptr.begin();
  };
  // Calls f(row, stripe, first entry, behind the last) for the pieces of a part, row by row.
  const auto for_each_piece = [&](std::size_t part, auto&& f) {
    for (index_t row = first_row(part); row < first_row(part + 1); ++row) {
      auto k = static_cast<std::size_t>(row_ptr[static_cast<std::size_t>(row)]);
      const auto end = static_cast<std::size_t>(row_ptr[static_cast<std::size_t>(row + 1)]);
      while (k < end) {
        const std::size_t begin = k, stripe = static_cast<std::size_t>(columns[k] / width);
        const index_t behind = static_cast<index_t>(stripe + 1) * width;
        while (k < end && columns[k] < behind) ++k;
        f(row, stripe, begin, k);
      }
    }
  };

  // How many of each part and stripe, and then where they go.
  struct Place {
    index_t entries = 0, pieces = 0;
  };
  std::vector<Place> places(parts * stripes);
  in_parallel(parts, [&](std::size_t part) {
    for_each_piece(part, [&](index_t, std::size_t stripe, std::size_t begin, std::size_t end) {
      Place& place = places[part * stripes + stripe];
      place.entries += static_cast<index_t>(end - begin);
      ++place.pieces;
    });
  });
  StripedEntries<T> s;
  Place all;
  for (std::size_t stripe = 0; stripe < stripes; ++stripe) {
    s.stripe_tiles.push_back(static_cast<std::int32_t>(all.entries / tile));
    for (std::size_t part = 0; part < parts; ++part) {
      Place& place = places[part * stripes + stripe];
      const Place its = place;
      place = all;
      all.entries += its.entries;
      all.pieces += its.pieces;
    }
    all.entries = (all.entries + tile - 1) / tile * tile;
    if (all.pieces > most || all.entries / tile > most)
      throw Error(std::string("kernel ") + kernel + " would cut the rows into more than 2147483647 pieces", {},
                  "use csr_even, or wider stripes");
  }
  s.stripe_tiles.push_back(static_cast<std::int32_t>(all.entries / tile));
  s.values.resize(static_cast<std::size_t>(all.entries));
  s.columns.assign(static_cast<std::size_t>(all.entries), static_cast<std::uint16_t>(width));
  s.flags.resize(static_cast<std::size_t>(all.entries / items));
  s.rows.resize(static_cast<std::size_t>(all.pieces));

  in_parallel(parts, [&](std::size_t part) {
    const std::span<Place> next(places.data() + part * stripes, stripes);
    for_each_piece(part, [&](index_t row, std::size_t stripe, std::size_t begin, std::size_t end) {
      Place& place = next[stripe];
      auto to = static_cast<std::size_t>(place.entries);
      for (std::size_t k = begin; k < end; ++k, ++to) {
        s.values[to] = values[k];
        s.columns[to] = static_cast<std::uint16_t>(columns[k] - static_cast<index_t>(stripe) * width);
      }
      // Another part may have the rest of these 16 bits.
      std::atomic_ref<std::uint16_t>(s.flags[(to - 1) / items])
          .fetch_or(static_cast<std::uint16_t>(1u << (to - 1) % items), std::memory_order_relaxed);
      s.rows[static_cast<std::size_t>(place.pieces++)] = static_cast<std::int32_t>(row);
      place.entries = static_cast<index_t>(to);
    });
  });
  // What fills up a stripe is in its last piece.
  for (std::size_t stripe = 0; stripe < stripes; ++stripe) {
    const auto end = static_cast<std::size_t>(places[(parts - 1) * stripes + stripe].entries);
    const auto whole = static_cast<std::size_t>(index_t{s.stripe_tiles[stripe + 1]} * tile);
    if (end == whole) continue;
    s.flags[(end - 1) / items] &= static_cast<std::uint16_t>(~(1u << (end - 1) % items));
    s.flags[(whole - 1) / items] |= static_cast<std::uint16_t>(1u << (whole - 1) % items);
  }
  s.first_ends.reserve(static_cast<std::size_t>(all.entries / tile));
  std::int32_t ended = 0;
  for (std::size_t t = 0; t < static_cast<std::size_t>(all.entries / tile); ++t) {
    s.first_ends.push_back(ended);
    int in_tile = 0;
    for (std::size_t lane = t * simt::warp_size; lane < (t + 1) * simt::warp_size; ++lane) {
      const int own = std::popcount(s.flags[lane]);
      s.flags[lane] |= static_cast<std::uint16_t>(in_tile << items);
      in_tile += own;
    }
    ended += in_tile;
  }
  return s;
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
