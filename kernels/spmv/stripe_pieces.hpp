// CSR in the order of stripes (stripe_order.hpp), with marks that tell the piece of each entry, as csr_slots_transposed
// reads it.
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
  std::vector<std::int32_t> rows;   // of each piece
};

// For Layout::prepare: what is sorted, and by stripes of how many columns. A device makes the same
// (kernels/device/prepared.hpp). `padded_entries`: as row_marks() takes them.
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
