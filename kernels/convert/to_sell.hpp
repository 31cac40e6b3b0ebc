// Converts CSR to SELL-C-sigma: rows are sorted by length within windows, cut into slices, and written column by
// column.
#pragma once

#include "kernels/convert/slices.hpp"

namespace warpspy::convert {

struct ToSell {
  static constexpr const char* format = "sell";
  static Fields<SellParams> fields() { return sell_fields(); }

  template <class Stage, class T = typename Stage::Value>
  static void lay_out(const CsrFormat& a, const FormatFacts& facts, const SellParams& p, Stage& stage) {
    const auto slots = [&] { return sell_estimate(facts, a.precision(), set_of(fields(), p)).stored; };
    stage.typed(a, [&]<class Ptr, class Col>(const TypedArrays<T, Ptr, Col>& csr) {
      lay_out_slices(stage, csr.row_ptr, p, p.slice_rows, slots,
                     [&]<class SlicePtr, class Row>(const SliceArrays<SlicePtr, Row>& s) {
                       const auto values = stage.template out<T>("values", s.slots);
                       const auto columns = stage.template out<Col>("columns", s.slots);
                       const auto part = s.of(csr.row_ptr, a.rows(), p.slice_rows);
                       launch_of_values(stage, grid_of_runs(part.steps, p.slice_rows),
                                        FillColumns<T, Col, Slices<Ptr, SlicePtr, Row>>{csr.columns, csr.values,
                                                                                        columns, values, part});
                     });
    });
  }
};

}  // namespace warpspy::convert
