// Converts CSR to CSC: the entries are sorted by column, and by row within a column.
#pragma once

#include "core/formats/csc.hpp"
#include "kernels/convert/to_coo.hpp"

namespace warpspy::convert {
inline namespace SIMT_TARGET {

// Counts the entries of each column, with a thread for each entry.
template <class Col>
struct CountColumns {
  simt::Array<const Col> columns;
  simt::Array<std::int32_t> counts;
  std::int64_t grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (std::int64_t k = t.block * threads + t.thread; k < columns.size; k += grid * threads)
      simt::atomic_add(counts, simt::ld(columns, k), 1);
  }
};

// Entry k of the result is entry order[k] of the CSR.
template <class T, class Order, class Row>
struct Gather {
  simt::Array<const Order> order;
  simt::Array<const Row> rows;
  simt::Array<const T> values;
  simt::Array<Row> to_rows;
  simt::Array<T> to_values;
  std::int64_t grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (std::int64_t k = t.block * threads + t.thread; k < order.size; k += grid * threads) {
      const Order from = simt::ld(order, k);
      simt::st(to_rows, k, simt::ld(rows, from));
      simt::st(to_values, k, simt::ld(values, from));
    }
  }
};

}  // namespace SIMT_TARGET

struct ToCsc {
  static constexpr const char* format = "csc";
  static constexpr bool sorts = true;
  using Params = ToCoo::Params;
  static Fields<Params> fields() { return {}; }

  template <class Stage, class T = typename Stage::Value>
  static void lay_out(const CsrFormat& a, const FormatFacts&, const Params&, Stage& stage) {
    stage.typed(a, [&]<class Ptr, class Col>(const TypedArrays<T, Ptr, Col>& csr) {
      const LaunchSpec each = strided_grid(a.cols() + 1), entries = strided_grid(a.nnz());
      const auto counts = stage.template scratch<std::int32_t>("entries of columns", a.cols() + 1);
      const auto places = stage.template scratch<std::int64_t>("columns begin", a.cols() + 1);
      const auto col_ptr = stage.template out<Ptr>("col_ptr", a.cols() + 1);
      stage.launch(each, Clear<std::int32_t>{counts, each.grid});
      stage.launch(entries, CountColumns<Col>{csr.columns, counts, entries.grid});
      stage.launch(each, Copy<std::int32_t, std::int64_t>{as_const(counts), places, each.grid});
      lay_out_sums_before(stage, places);
      stage.launch(each, Copy<std::int64_t, Ptr>{as_const(places), col_ptr, each.grid});
      const auto values = stage.template out<T>("values", a.nnz());
      const auto to_rows = stage.template out<RowIndex>("rows", a.nnz());
      if (a.nnz() == 0) return;
      const auto rows = stage.template scratch<RowIndex>("rows of entries", a.nnz());
      stage.launch({.grid = (a.nnz() + tile - 1) / tile, .block = threads},
                   ExpandRows<T, Ptr, Col, RowIndex>{csr, rows, {}, {}, a.rows() - 1});
      const auto order = stage.template sorted<Ptr>(csr.columns, a.cols()).order;
      launch_of_values(
          stage, entries,
          Gather<T, Ptr, RowIndex>{as_const(order), as_const(rows), csr.values, to_rows, values, entries.grid});
    });
  }
};

}  // namespace warpspy::convert
