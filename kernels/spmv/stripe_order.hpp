// CSR put in the order of stripes of columns, and of rows within a stripe, so that neighbouring entries have columns
// near each other wherever those of a row lie. What a row has in a stripe is a piece of it.
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
namespace detail {

// Parts of the rows, of about as many entries each, that are worked on side by side.
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

  // Finds where everything goes. Stripes begin at multiples of `tile` places. Throws Error where there are more pieces
  // or tiles than 32 bits count.
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
      if (constexpr index_t most = std::numeric_limits<std::int32_t>::max();
          std::max(all.pieces, all.entries / tile) > most)
        throw Error(std::string("kernel ") + kernel + " would cut the rows into more than 2147483647 pieces", {},
                    "choose wider stripes, or another kernel");
      begins_.push_back(all.entries);
    }
    pieces_ = static_cast<std::size_t>(all.pieces);
  }

  // In places: where each stripe begins, and behind the last.
  const std::vector<index_t>& begins() const { return begins_; }
  std::size_t places() const { return static_cast<std::size_t>(begins_.back()); }
  std::size_t pieces() const { return pieces_; }

  // Calls entry(place, entry of the CSR, stripe), and piece(number, row, first place, behind its last) behind those of
  // a piece. Once, after lay_out, on all processors.
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
  // Behind the last entry of a stripe; after for_each.
  std::size_t end_of(std::size_t stripe) const {
    return static_cast<std::size_t>(places_[(parts_ - 1) * stripes_ + stripe].entries);
  }

 private:
  // Each part has numbers for every stripe: together not more than there are entries, or one part's.
  static constexpr std::size_t most_parts = 64, least_entries = 1 << 14;
  // How many of a part and stripe, and then where they go.
  struct Place {
    index_t entries = 0, pieces = 0;
  };

  Place& place_of(std::size_t part, std::size_t stripe) { return places_[part * stripes_ + stripe]; }
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
  index_t width_;
  std::size_t stripes_, parts_, pieces_ = 0;
  std::vector<Place> places_;
  std::vector<index_t> begins_;
};

}  // namespace detail

// The entries in that order, and pieces in place of rows.
template <class T>
struct StripeOrder {
  std::vector<T> values;
  std::vector<std::int32_t> columns;
  std::vector<std::int64_t> piece_ptr;  // of pieces, + 1
  std::vector<std::int32_t> rows;       // of each piece
};

// `width`: columns of a stripe. cols < 2^31. On all processors; the same, however many there are. Throws Error where
// pieces are too many to be counted.
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
