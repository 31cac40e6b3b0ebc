// Converts CSR to ELLPACK. It finds the longest row, then writes every column of the arrays.
#pragma once

#include "core/formats/ell.hpp"
#include "kernels/convert/columns.hpp"

namespace warpspy::convert {

struct ToEll {
  static constexpr const char* format = "ell";
  static Fields<EllParams> fields() { return ell_fields(); }

  template <class Stage, class T = typename Stage::Value>
  static void lay_out(const CsrFormat& a, const FormatFacts& facts, const EllParams& p, Stage& stage) {
    stage.typed(a, [&]<class Ptr, class Col>(const TypedArrays<T, Ptr, Col>& csr) {
      const index_t pitch = (a.rows() + p.alignment - 1) / p.alignment * p.alignment;
      const index_t width = lay_out_longest(stage, csr.row_ptr, a.rows(), [&] { return facts.lengths().longest; });
      const auto values = stage.template out<T>("values", pitch * width);
      const auto columns = stage.template out<Col>("columns", pitch * width);
      launch_of_values(stage, grid_of_runs(width, pitch),
                       FillColumns<T, Col, OnePart<Ptr>>{
                           csr.columns, csr.values, columns, values, {csr.row_ptr, a.rows(), pitch, width}});
      if (p.row_lengths == 0) return;
      const LaunchSpec grid = strided_grid(a.rows());
      stage.launch(grid, Lengths<Ptr, Col>{csr.row_ptr, stage.template out<Col>("row_lengths", a.rows()), grid.grid});
    });
  }
};

}  // namespace warpspy::convert
