// Sorts the entries of a CSR matrix by stripe of columns, and by row within a stripe. So neighbouring entries have
// columns near each other. A piece is the entries that a row has in one stripe.
#pragma once

#include <algorithm>
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

// Throws Error if the pieces are too many for 32-bit indices.
inline void require_pieces(const char* kernel, index_t pieces) {
  if (pieces > std::numeric_limits<std::int32_t>::max())
    throw Error(std::string("kernel ") + kernel + " would cut the rows into more than 2147483647 pieces", {},
                "choose wider stripes, or another kernel");
}

namespace detail {

// Divides the rows into parts with similar numbers of entries, which run in parallel.
template <class Ptr, class Col>
class StripesOfRows {
 public:
  StripesOfRows(std::span<const Ptr> row_ptr, std::span<const Col> columns, index_t cols, index_t width)
      : row_ptr_(row_ptr),
        columns_(columns),
        width_(width),
        stripes_(static_cast<std::size_t>(std::max<index_t>(1, (cols + width - 1) / width))),
        parts_(std::clamp<std::size_t>(columns.size() / std::max(least_entries, stripes_), 1, most_parts)),
        places_(parts_ * stripes_) {}

  // Computes the position of everything. Stripes begin at multiples of `tile`. Throws Error if the numbers of pieces or
  // tiles exceed 32 bits.
  void lay_out(const char* kernel, index_t tile) {
    in_parallel(parts_, [&](std::size_t part) {
      for_each_piece(part, [&](index_t, std::size_t stripe, std::size_t begin, std::size_t end) {
        Place& place = place_of(part, stripe);
        place.entries += static_cast<index_t>(end - begin);
        ++place.pieces;
      });
    });
    Place all;
    begins_.push_back(0);
    for (std::size_t stripe = 0; stripe < stripes_; ++stripe) {
      for (std::size_t part = 0; part < parts_; ++part) {
        const Place its = std::exchange(place_of(part, stripe), all);
        all.entries += its.entries;
        all.pieces += its.pieces;
      }
      all.entries = (all.entries + tile - 1) / tile * tile;
      require_pieces(kernel, std::max(all.pieces, all.entries / tile));
      begins_.push_back(all.entries);
    }
    pieces_ = static_cast<std::size_t>(all.pieces);
  }

  // The position where each stripe begins, and the end of the last one.
  const std::vector<index_t>& begins() const { return begins_; }
  std::size_t places() const { return static_cast<std::size_t>(begins_.back()); }
  std::size_t pieces() const { return pieces_; }

  // Calls entry(position, entry of the CSR, stripe) for each entry, then piece(number, row, first position, end) for
  // their piece. Call it once, after lay_out. It uses all processors.
  template <class Entry, class Piece>
  void for_each(Entry&& entry, Piece&& piece) {
    in_parallel(parts_, [&](std::size_t part) {
      for_each_piece(part, [&](index_t row, std::size_t stripe, std::size_t begin, std::size_t end) {
        Place& place = place_of(part, stripe);
        const auto first = static_cast<std::size_t>(place.entries);
        std::size_t at = first;
        for (std::size_t k = begin; k < end; ++k, ++at) entry(at, k, stripe);
        piece(static_cast<std::size_t>(place.pieces++), row, first, at);
        place.entries = static_cast<index_t>(at);
      });
    });
  }
  // The end of the entries of a stripe. Call it after for_each.
  std::size_t end_of(std::size_t stripe) const {
    return static_cast<std::size_t>(places_[(parts_ - 1) * stripes_ + stripe].entries);
  }

 private:
  // Each part has counters for every stripe. All counters together are at most as many as the entries, or those of one
  // part.
  static constexpr std::size_t most_parts = 64, least_entries = 1 << 14;
  // Counts entries and pieces for one part of the rows and one stripe. Later it holds the positions of the next ones.
  struct Place {
    index_t entries = 0, pieces = 0;
  };

  Place& place_of(std::size_t part, std::size_t stripe) { return places_[part * stripes_ + stripe]; }
  std::size_t first_row(std::size_t part) const {
    if (part == parts_) return row_ptr_.size() - 1;
    const auto entry = static_cast<Ptr>(part_begin(columns_.size(), part, parts_));
    return static_cast<std::size_t>(std::lower_bound(row_ptr_.begin(), row_ptr_.end(), entry) - row_ptr_.begin());
  }
  // Calls f(row, stripe, first entry, end) for each piece, row by row.
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
  index_t width_;
  std::size_t stripes_, parts_, pieces_ = 0;
  std::vector<Place> places_;
  std::vector<index_t> begins_;
};

}  // namespace detail

// The entries in stripe order, with pieces instead of rows.
template <class T>
struct StripeOrder {
  std::vector<T> values;
  std::vector<std::int32_t> columns;
  std::vector<std::int64_t> piece_ptr;  // pieces + 1 numbers
  std::vector<std::int32_t> rows;       // the row of each piece
};

// `width`: columns of a stripe. Needs cols < 2^31. Uses all processors; the result does not depend on their number.
// Throws Error if the pieces exceed 32 bits.
template <class T, class Ptr, class Col>
StripeOrder<T> stripe_order(const char* kernel, std::span<const Ptr> row_ptr, std::span<const Col> columns,
                            std::span<const T> values, index_t cols, index_t width) {
  detail::StripesOfRows<Ptr, Col> rows(row_ptr, columns, cols, width);
  rows.lay_out(kernel, 1);
  StripeOrder<T> made;
  made.values.resize(rows.places());
  made.columns.resize(rows.places());
  made.piece_ptr.resize(rows.pieces() + 1);
  made.rows.resize(rows.pieces());
  rows.for_each(
      [&](std::size_t at, std::size_t k, std::size_t) {
        made.values[at] = values[k];
        made.columns[at] = static_cast<std::int32_t>(columns[k]);
      },
      [&](std::size_t number, index_t row, std::size_t first, std::size_t) {
        made.rows[number] = static_cast<std::int32_t>(row);
        made.piece_ptr[number] = static_cast<std::int64_t>(first);
      });
  made.piece_ptr.back() = static_cast<std::int64_t>(rows.places());
  return made;
}

}  // namespace warpspy
