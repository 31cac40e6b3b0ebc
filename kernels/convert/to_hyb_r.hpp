// Converts CSR to HYB-R. It counts the rows of each length, chooses the ELL parts from that, and sorts the rows by
// length. Then it writes each part, and the other entries to the COO part.
#pragma once

#include "core/formats/hyb_r.hpp"
#include "kernels/convert/to_hyb.hpp"

namespace warpspy::convert {
inline namespace SIMT_TARGET {

// Writes a sort key for each row; in the order of these keys rows have falling lengths.
template <class Ptr, class Key>
struct KeysOfRows {
  simt::Array<const Ptr> row_ptr;
  simt::Array<Key> keys;
  std::int64_t longest, grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (std::int64_t row = t.block * threads + t.thread; row < keys.size; row += grid * threads)
      simt::st(keys, row, static_cast<Key>(longest - (simt::ld(row_ptr, row + 1) - simt::ld(row_ptr, row))));
  }
};

// The arrays that describe the parts. They are so short that the launch brings them as its argument.
struct WriteParts {
  static constexpr int most = 64;
  simt::Array<std::int64_t> begin, rows, width;
  struct Part {
    std::int64_t begin, rows, width;
  } parts[most];
  SIMT_DEVICE void operator()(simt::Thread t) const {
    if (t.thread >= begin.size) return;
    const Part& part = parts[t.thread];
    simt::st(begin, t.thread, part.begin);
    simt::st(rows, t.thread, part.rows);
    simt::st(width, t.thread, part.width);
  }
};

}  // namespace SIMT_TARGET

struct ToHybR {
  static constexpr const char* format = "hyb_r";
  static constexpr bool sorts = true;
  static HybRParams params(const ParamSet& given) { return hyb_r_params(given); }

  template <class Stage, class T = typename Stage::Value>
  static void lay_out(const CsrFormat& a, const FormatFacts& facts, const HybRParams& p, Stage& stage) {
    stage.typed(a, [&]<class Ptr, class Col>(const TypedArrays<T, Ptr, Col>& csr) {
      const index_t rows = a.rows();
      const LengthSteps lengths = lay_out_lengths(stage, csr.row_ptr, rows, facts);
      const std::vector<HybRPart> parts = hyb_r_plan(lengths, {rows, a.cols(), a.nnz()}, a.precision(), p).parts;
      lay_out_parts(stage, parts);
      const auto permutation = stage.template out<RowIndex>("permutation", parts.size() > 1 ? rows : 0);
      if (permutation.size > 0) lay_out_order<Col>(stage, csr.row_ptr, lengths.longest(), permutation);
      const HybRPart& last = parts.back();
      const index_t slots = last.begin + last.pitch * last.width;
      const auto columns = stage.template out<Col>("ell_columns", slots);
      const auto values = stage.template out<T>("ell_values", slots);
      for (const HybRPart& part : parts)
        launch_of_values(stage, grid_of_runs(part.width, part.pitch),
                         FillColumns<T, Col, OnePart<Ptr, RowIndex>>{csr.columns,
                                                                     csr.values,
                                                                     columns,
                                                                     values,
                                                                     {csr.row_ptr, part.rows, part.pitch, part.width,
                                                                      part.skip, part.begin, as_const(permutation)}});
      const index_t width = last.skip + last.width;
      lay_out_rest(stage, a, csr, as_const(permutation), width, a.nnz() - lengths.within(width));
    });
  }

 private:
  template <class Stage>
  static void lay_out_parts(Stage& stage, const std::vector<HybRPart>& parts) {
    const auto count = static_cast<index_t>(parts.size());
    WriteParts write{stage.template out<std::int64_t>("part_begin", count),
                     stage.template out<std::int64_t>("part_rows", count),
                     stage.template out<std::int64_t>("part_width", count),
                     {}};
    for (std::size_t i = 0; i < parts.size(); ++i) write.parts[i] = {parts[i].begin, parts[i].rows, parts[i].width};
    stage.launch({.grid = 1, .block = WriteParts::most}, write);
  }

  template <class Key, class Stage, class Ptr, class Row>
  static void lay_out_order(Stage& stage, const simt::Array<const Ptr>& row_ptr, index_t longest,
                            const simt::Array<Row>& permutation) {
    const auto keys = stage.template scratch<Key>("keys of rows", permutation.size);
    const LaunchSpec grid = strided_grid(permutation.size);
    stage.launch(grid, KeysOfRows<Ptr, Key>{row_ptr, keys, longest, grid.grid});
    lay_out_sorted_places(stage, as_const(keys), longest + 1, permutation);
  }
};

}  // namespace warpspy::convert
