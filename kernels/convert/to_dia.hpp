// Converts CSR to DIA, or for a symmetric matrix to the lower half of DIA. It finds which diagonals have entries, then
// writes these diagonals.
#pragma once

#include "core/formats/dia.hpp"
#include "core/formats/dia_symmetric.hpp"
#include "kernels/convert/steps.hpp"
#include "kernels/convert/values.hpp"

namespace warpspy::convert {
inline namespace SIMT_TARGET {

// Element column - row + rows - 1 of `heads` counts the runs of neighbouring entries on this diagonal. Only the entry
// that begins a run is counted, since on a long diagonal all others would add to the same element.
template <class Ptr, class Col>
struct CountRuns {
  simt::Array<const Ptr> row_ptr;
  simt::Array<const Col> columns;
  simt::Array<std::int32_t> heads;
  std::int64_t rows;
  bool lower;  // whether only the main diagonal and those below it are wanted

  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t row = t.block * t.block_size + t.thread;
    if (row >= rows) return;
    const std::int64_t begin = simt::ld(row_ptr, row), end = simt::ld(row_ptr, row + 1);
    std::int64_t before = row > 0 ? static_cast<std::int64_t>(simt::ld(row_ptr, row - 1)) : begin;
    for (std::int64_t k = begin; k < end; ++k) {
      const std::int64_t column = simt::ld(columns, k);
      if (lower && column > row) break;
      // The entry of the row above with the least column that is not left of column - 1.
      std::int64_t above = -2;
      while (before < begin && (above = simt::ld(columns, before)) < column - 1) ++before;
      if (before == begin || above != column - 1) simt::atomic_add(heads, column - row + rows - 1, 1);
    }
  }
};

template <class Offset>
struct Offsets {
  simt::Array<const std::int32_t> heads;
  simt::Array<const std::int64_t> place;
  simt::Array<Offset> offsets;
  std::int64_t rows, grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (std::int64_t i = t.block * threads + t.thread; i < heads.size; i += grid * threads)
      if (simt::ld(heads, i) > 0) simt::st(offsets, simt::ld(place, i), static_cast<Offset>(i - rows + 1));
  }
};

// Each row gets a thread, which writes the row's slot of every diagonal.
template <class T, class Ptr, class Col, class Offset>
struct FillDiagonals {
  TypedArrays<T, Ptr, Col> csr;
  simt::Array<const Offset> offsets;
  simt::Array<T> values;
  std::int64_t rows, pitch;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t row = t.block * t.block_size + t.thread;
    if (row >= pitch) return;
    std::int64_t k = 0, end = 0;
    if (row < rows) k = simt::ld(csr.row_ptr, row), end = simt::ld(csr.row_ptr, row + 1);
    std::int64_t column = k < end ? static_cast<std::int64_t>(simt::ld(csr.columns, k)) : -1;
    for (std::int64_t d = 0; d < offsets.size; ++d) {
      const bool entry = k < end && column == row + simt::ld(offsets, d);
      simt::st(values, d * pitch + row, entry ? simt::ld(csr.values, k) : T{0});
      if (entry && ++k < end) column = simt::ld(csr.columns, k);
    }
  }
};

}  // namespace SIMT_TARGET

// `diagonals` counts the stored diagonals on the host, for an emulator in which no launch has run yet.
template <class Stage, class Count, class T = typename Stage::Value>
void lay_out_diagonals(Stage& stage, const CsrFormat& a, const DiaParams& p, bool lower, const Count& foreseen) {
  stage.typed(a, [&]<class Ptr, class Col>(const TypedArrays<T, Ptr, Col>& csr) {
    const index_t rows = a.rows(), pitch = (rows + p.alignment - 1) / p.alignment * p.alignment;
    const index_t all = std::max<index_t>(rows + a.cols() - 1, 0);
    const auto heads = stage.template scratch<std::int32_t>("runs of diagonals", all);
    const auto places = stage.template scratch<std::int64_t>("places of diagonals", all);
    const LaunchSpec grid = strided_grid(all);
    stage.launch(grid, Clear<std::int32_t>{heads, grid.grid});
    stage.launch(item_grid(rows, threads), CountRuns<Ptr, Col>{csr.row_ptr, csr.columns, heads, rows, lower});
    stage.launch(grid, Present{as_const(heads), places, grid.grid});
    const index_t diagonals = lay_out_sums(stage, places, foreseen);
    const auto offsets = stage.template out<RowIndex>("offsets", diagonals);
    stage.launch(grid, Offsets<RowIndex>{as_const(heads), as_const(places), offsets, rows, grid.grid});
    launch_of_values(stage, item_grid(pitch, threads),
                     FillDiagonals<T, Ptr, Col, RowIndex>{
                         csr, as_const(offsets), stage.template out<T>("values", diagonals * pitch), rows, pitch});
  });
}

struct ToDia {
  static constexpr const char* format = "dia";
  static Fields<DiaParams> fields() { return dia_fields(); }

  template <class Stage>
  static void lay_out(const CsrFormat& a, const FormatFacts& facts, const DiaParams& p, Stage& stage) {
    lay_out_diagonals(stage, a, p, false, [&] { return static_cast<index_t>(facts.diagonals().size()); });
  }
};

struct ToDiaSymmetric {
  static constexpr const char* format = "dia_symmetric";
  static Fields<DiaParams> fields() { return dia_fields(); }

  template <class Stage>
  static void lay_out(const CsrFormat& a, const FormatFacts& facts, const DiaParams& p, Stage& stage) {
    if (!facts.symmetry().values)
      throw Error("half of the diagonals stand for all of a symmetric matrix only", {}, "make DIA");
    lay_out_diagonals(stage, a, p, true, [&] {
      return std::count_if(facts.diagonals().begin(), facts.diagonals().end(), [](index_t d) { return d <= 0; });
    });
  }
};

}  // namespace warpspy::convert
