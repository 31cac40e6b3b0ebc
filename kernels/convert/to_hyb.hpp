// Converts CSR to HYB. It counts the rows of each length, and chooses from that the width K of the ELL part. Then it
// writes the ELL part, and the other entries to the COO part.
#pragma once

#include "core/formats/hyb.hpp"
#include "kernels/convert/columns.hpp"

namespace warpspy::convert {
inline namespace SIMT_TARGET {

// Counts the rows of each length. Short lengths are common, so each block first counts them in its shared memory.
template <class Ptr>
struct CountLengths {
  static constexpr int short_lengths = 1024;
  simt::Array<const Ptr> row_ptr;
  simt::Array<std::int32_t> rows_of_length;
  std::int64_t rows, grid;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(std::int32_t, counts, short_lengths);
    for (int i = t.thread; i < short_lengths; i += threads) simt::st(counts, i, 0);
    simt::sync_block();
    for (std::int64_t row = t.block * threads + t.thread; row < rows; row += grid * threads) {
      const std::int64_t length = simt::ld(row_ptr, row + 1) - simt::ld(row_ptr, row);
      if (length < short_lengths)
        simt::atomic_add(counts, length, 1);
      else
        simt::atomic_add(rows_of_length, length, 1);
    }
    simt::sync_block();
    for (std::int64_t i = t.thread; i < short_lengths && i < rows_of_length.size; i += threads)
      if (const std::int32_t count = simt::ld(counts, i)) simt::atomic_add(rows_of_length, i, count);
  }
};

// Lists the lengths that rows have. Each takes two numbers: the length, and how many rows have it.
struct ListLengths {
  simt::Array<const std::int32_t> rows_of_length;
  simt::Array<const std::int64_t> place;
  simt::Array<std::int32_t> listed;
  std::int64_t grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (std::int64_t i = t.block * threads + t.thread; i < rows_of_length.size; i += grid * threads) {
      const std::int32_t count = simt::ld(rows_of_length, i);
      if (count <= 0) continue;
      const std::int64_t at = 2 * simt::ld(place, i);
      simt::st(listed, at, static_cast<std::int32_t>(i));
      simt::st(listed, at + 1, count);
    }
  }
};

// Writes how many entries each row has beyond its first `width`. The last element is 0.
template <class Ptr, class Row>
struct Beyond {
  simt::Array<const Ptr> row_ptr;
  simt::Array<const Row> permutation;  // the row at each place; empty: rows are not sorted
  simt::Array<std::int64_t> beyond;
  std::int64_t width, grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t rows = beyond.size - 1;
    for (std::int64_t place = t.block * threads + t.thread; place <= rows; place += grid * threads) {
      std::int64_t left = 0;
      if (place < rows) {
        const std::int64_t row = permutation.size ? static_cast<std::int64_t>(simt::ld(permutation, place)) : place;
        left = simt::ld(row_ptr, row + 1) - simt::ld(row_ptr, row) - width;
      }
      simt::st(beyond, place, left > 0 ? left : 0);
    }
  }
};

// Writes the COO part. A block processes `tile` of its entries, and finds their rows as ExpandRows does.
template <class T, class Ptr, class Col, class Row>
struct FillRest {
  TypedArrays<T, Ptr, Col> csr;
  simt::Array<const Row> permutation;
  simt::Array<const std::int64_t> before;  // entries of the COO part that stand before each place's
  simt::Array<Row> rows;
  simt::Array<Col> columns;
  simt::Array<T> values;
  std::int64_t width, last_row;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(std::int64_t, ends, 2);
    const std::int64_t first = t.block * tile, past = first + tile < rows.size ? first + tile : rows.size;
    const Between near = rows_between(t, ends, before, last_row, first, past);
    for (std::int64_t to = first + t.thread; to < past; to += threads) {
      const std::int64_t place = row_of(before, near.low, near.high, to);
      const std::int64_t row = permutation.size ? static_cast<std::int64_t>(simt::ld(permutation, place)) : place;
      const std::int64_t k = simt::ld(csr.row_ptr, row) + width + to - simt::ld(before, place);
      simt::st(rows, to, static_cast<Row>(place));
      simt::st(columns, to, simt::ld(csr.columns, k));
      simt::st(values, to, simt::ld(csr.values, k));
    }
  }
};

}  // namespace SIMT_TARGET

// Lays out the list of the lengths that rows have; counts[k] rows have k entries.
template <class Stage, class Foreseen>
std::vector<LengthSteps::Rows> lay_out_list_of_lengths(Stage& stage, const simt::Array<std::int32_t>& counts,
                                                       const Foreseen& foreseen) {
  const LaunchSpec each = strided_grid(counts.size);
  const auto places = stage.template scratch<std::int64_t>("places of lengths", counts.size, zeros);
  stage.launch(each, Present{as_const(counts), places, each.grid});
  const index_t different = lay_out_sums(stage, places, [&] { return static_cast<index_t>(foreseen().size()); });
  const auto listed = stage.template scratch<std::int32_t>("lengths of rows", 2 * different);
  stage.launch(each, ListLengths{as_const(counts), as_const(places), listed, each.grid});
  const std::vector<index_t> pairs = stage.counted_all(listed, [&] {
    std::vector<index_t> numbers;
    for (const auto& [length, count] : foreseen()) numbers.insert(numbers.end(), {length, count});
    return numbers;
  });
  std::vector<LengthSteps::Rows> rows;
  for (std::size_t k = 0; k < pairs.size(); k += 2) rows.push_back({pairs[k], pairs[k + 1]});
  return rows;
}

// Returns how many rows have each length. If the longest row is long, most of the possible lengths do not occur. Then
// the device lists those that do, and only this list is copied to the host.
template <class Stage, class Ptr>
LengthSteps lay_out_lengths(Stage& stage, const simt::Array<const Ptr>& row_ptr, index_t rows,
                            const FormatFacts& facts) {
  constexpr index_t few = 4096;  // lengths that are read as they are, without three more launches
  const index_t longest = lay_out_longest(stage, row_ptr, rows, [&] { return facts.lengths().longest; });
  const auto counts = stage.template scratch<std::int32_t>("rows of a length", longest + 1, zeros);
  const LaunchSpec all = strided_grid(longest + 1), grid = strided_grid(rows);
  stage.launch(all, Clear<std::int32_t>{counts, all.grid});
  stage.launch(grid, CountLengths<Ptr>{row_ptr, counts, rows, grid.grid});
  if (longest > few)
    return LengthSteps(
        lay_out_list_of_lengths(stage, counts, [&] { return LengthSteps::rows_by_length(facts.lengths()); }));
  return LengthSteps(length_counts(stage.counted_all(counts, [&] {
    std::vector<index_t> rows_of_length;
    for (index_t k = 0; k <= longest; ++k) rows_of_length.push_back(facts.lengths().rows_of_length(k));
    return rows_of_length;
  })));
}

// Lays out the COO part: the `left` entries beyond the first `width` of each row.
template <class Stage, class T, class Ptr, class Col, class Row>
void lay_out_rest(Stage& stage, const CsrFormat& a, const TypedArrays<T, Ptr, Col>& csr,
                  const simt::Array<const Row>& permutation, index_t width, index_t left) {
  const auto before = [&](std::span<std::int64_t> to) {
    for (std::size_t row = 0; row + 1 < to.size(); ++row) {
      if (row == 0) to[0] = 0;
      to[row + 1] = to[row] + std::max<index_t>(0, a.row_ptr()[row + 1] - a.row_ptr()[row] - width);
    }
  };
  const auto coo_rows = stage.template out<Row>("coo_rows", left);
  const auto columns = stage.template out<Col>("coo_columns", left);
  const auto values = stage.template out<T>("coo_values", left);
  if (left == 0) return;
  const auto beyond = stage.template scratch<std::int64_t>("entries beyond K", a.rows() + 1, before);
  const LaunchSpec grid = strided_grid(a.rows() + 1);
  stage.launch(grid, Beyond<Ptr, Row>{csr.row_ptr, permutation, beyond, width, grid.grid});
  lay_out_sums_before(stage, beyond);
  launch_of_values(
      stage, {.grid = (left + tile - 1) / tile, .block = threads},
      FillRest<T, Ptr, Col, Row>{csr, permutation, as_const(beyond), coo_rows, columns, values, width, a.rows() - 1});
}

struct ToHyb {
  static constexpr const char* format = "hyb";
  static Fields<HybParams> fields() { return hyb_fields(); }

  template <class Stage, class T = typename Stage::Value>
  static void lay_out(const CsrFormat& a, const FormatFacts& facts, const HybParams& p, Stage& stage) {
    stage.typed(a, [&]<class Ptr, class Col>(const TypedArrays<T, Ptr, Col>& csr) {
      const index_t rows = a.rows(), pitch = (rows + p.alignment - 1) / p.alignment * p.alignment;
      const LengthSteps lengths = lay_out_lengths(stage, csr.row_ptr, rows, facts);
      const index_t width = hyb_width(lengths, a.cols(), a.precision(), p), left = a.nnz() - lengths.within(width);
      launch_of_values(stage, grid_of_runs(width, pitch),
                       FillColumns<T, Col, OnePart<Ptr>>{csr.columns,
                                                         csr.values,
                                                         stage.template out<Col>("ell_columns", pitch * width),
                                                         stage.template out<T>("ell_values", pitch * width),
                                                         {csr.row_ptr, rows, pitch, width}});
      lay_out_rest(stage, a, csr, simt::Array<const RowIndex>{}, width, left);
    });
  }
};

}  // namespace warpspy::convert
