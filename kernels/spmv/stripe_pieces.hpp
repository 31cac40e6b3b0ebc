// The entries of a CSR matrix sorted by stripes of columns (stripe_order.hpp). A piece is the part of a row in one
// stripe, and marks tell the piece of each entry. The kernel csr_slots_transposed reads this.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/formats/csr.hpp"
#include "kernels/spmv/row_marks.hpp"
#include "kernels/spmv/spmv.hpp"
#include "kernels/spmv/stripe_order.hpp"

namespace warpspy {

template <class T>
struct StripePieces {
  std::vector<T> values;
  std::vector<std::int32_t> columns;
  std::vector<std::int32_t> marks;  // as RowMarks has them, with pieces for rows; a piece is never empty
  std::vector<std::int32_t> rows;   // the row of each piece
};

// The input of Layout::prepare for this order. A device makes the same arrays (kernels/device/prepared.hpp).
// `padded_entries` is a multiple of 32, as for row_marks().
template <class T>
struct StripePiecesOf {
  const char* kernel;
  const CsrFormat& a;
  index_t width, padded_entries;

  StripePieces<T> operator()() const {
    StripePieces<T> made;
    visit_all(
        [&](const auto& row_ptr, const auto& columns) {
          StripeOrder<T> order =
              stripe_order<T>(kernel, row_ptr, columns, a.values().template as<T>(), a.cols(), width);
          const std::span<const std::int64_t> pieces(order.piece_ptr);
          made = {std::move(order.values), std::move(order.columns),
                  row_marks(pieces, static_cast<std::size_t>(padded_entries)).marks, std::move(order.rows)};
        },
        a.row_ptr(), a.columns());
    return made;
  }
};

}  // namespace warpspy
