// Converts CSR to COO, by finding the row of each entry.
#pragma once

#include "core/formats/coo.hpp"
#include "kernels/convert/steps.hpp"
#include "kernels/convert/values.hpp"

namespace warpspy::convert {
inline namespace SIMT_TARGET {

// A block processes `tile` entries. Two of its threads find the rows of the first and of the last entry, so that the
// others search only between these.
template <class T, class Ptr, class Col, class Row>
struct ExpandRows {
  TypedArrays<T, Ptr, Col> csr;
  simt::Array<Row> rows;
  simt::Array<Col> columns;  // with values: copies of the CSR's; empty: rows alone are wanted
  simt::Array<T> values;
  std::int64_t last_row;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(std::int64_t, ends, 2);
    const std::int64_t first = t.block * tile, past = first + tile < rows.size ? first + tile : rows.size;
    const Between near = rows_between(t, ends, csr.row_ptr, last_row, first, past);
    for (std::int64_t k = first + t.thread; k < past; k += threads) {
      simt::st(rows, k, static_cast<Row>(row_of(csr.row_ptr, near.low, near.high, k)));
      if (columns.size == 0) continue;
      simt::st(columns, k, simt::ld(csr.columns, k));
      simt::st(values, k, simt::ld(csr.values, k));
    }
  }
};

}  // namespace SIMT_TARGET

struct ToCoo {
  static constexpr const char* format = "coo";
  struct Params {
    bool operator==(const Params&) const = default;
  };
  static Fields<Params> fields() { return {}; }

  template <class Stage, class T = typename Stage::Value>
  static void lay_out(const CsrFormat& a, const FormatFacts&, const Params&, Stage& stage) {
    stage.typed(a, [&]<class Ptr, class Col>(const TypedArrays<T, Ptr, Col>& csr) {
      const auto values = stage.template out<T>("values", a.nnz());
      const auto rows = stage.template out<RowIndex>("rows", a.nnz());
      const auto columns = stage.template out<Col>("columns", a.nnz());
      if (a.nnz() > 0)
        launch_of_values(stage, {.grid = (a.nnz() + tile - 1) / tile, .block = threads},
                         ExpandRows<T, Ptr, Col, RowIndex>{csr, rows, columns, values, a.rows() - 1});
    });
  }
};

}  // namespace warpspy::convert
