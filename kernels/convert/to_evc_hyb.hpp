// Converts CSR to EVC-HYB. It counts the rows of each length, chooses the groups of the ELL part from that, and sorts
// the rows by length and first column. Then it writes all groups in one launch, and the padded rows of the CSR part in
// another.
#pragma once

#include "core/formats/evc_hyb.hpp"
#include "kernels/convert/to_hyb.hpp"

namespace warpspy::convert {
inline namespace SIMT_TARGET {

// A group as the launches go by it. `runs` counts the runs of all groups before it; a last one has the ends.
struct GroupThere {
  std::int64_t runs, row, begin, width;
};

// Writes the arrays that describe the groups. A launch brings some of them as its argument.
template <class Row, class Begin, class Col>
struct WriteGroups {
  static constexpr int most = 96;
  simt::Array<std::int64_t> runs;
  simt::Array<Row> row;
  simt::Array<Begin> begin;
  simt::Array<Col> width;
  std::int64_t first;
  int count;
  GroupThere groups[most];
  SIMT_DEVICE void operator()(simt::Thread t) const {
    if (t.thread >= count) return;
    const std::int64_t g = first + t.thread;
    const GroupThere& group = groups[t.thread];
    simt::st(runs, g, group.runs);
    simt::st(row, g, static_cast<Row>(group.row));
    simt::st(begin, g, static_cast<Begin>(group.begin));
    if (g < width.size) simt::st(width, g, static_cast<Col>(group.width));
  }
};

// Writes a sort key for each row: rows of equal length are ordered by their first column.
template <class Ptr, class Col>
struct KeysByFirstColumn {
  simt::Array<const Ptr> row_ptr;
  simt::Array<const Col> columns;
  simt::Array<std::int64_t> keys;
  std::int64_t cols, grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (std::int64_t row = t.block * threads + t.thread; row < keys.size; row += grid * threads) {
      const std::int64_t first = simt::ld(row_ptr, row), length = simt::ld(row_ptr, row + 1) - first;
      simt::st(keys, row, length > 0 ? length * cols + simt::ld(columns, first) : 0);
    }
  }
};

// Tells FillColumns where the slots of the groups stand.
template <class Ptr, class Row, class Begin, class Col>
struct Groups {
  simt::Array<const Ptr> row_ptr;
  simt::Array<const Row> permutation;
  simt::Array<const std::int64_t> runs;
  simt::Array<const Row> row;
  simt::Array<const Begin> begin;
  simt::Array<const Col> width;

  SIMT_DEVICE Run run(std::int64_t thread) const {
    if (thread >= simt::ld(runs, width.size)) return {0, 0, 0, 0};
    const std::int64_t group = row_of(runs, std::int64_t{0}, width.size - 1, thread);
    const std::int64_t number = thread - simt::ld(runs, group), rows = rows_of(group);
    return run_number(number / rows, simt::ld(width, group), number % rows, group);
  }
  SIMT_DEVICE Stretch stretch(const Run& r) const {
    Stretch s;
    s.first = r.step, s.pitch = rows_of(r.group), s.steps = static_cast<int>(r.past - r.step);
    s.at = simt::ld(begin, r.group) + r.step * s.pitch + r.place;
    s.set_row(row_ptr, simt::ld(permutation, simt::ld(row, r.group) + r.place));
    return s;
  }

 private:
  SIMT_DEVICE std::int64_t rows_of(std::int64_t group, simt::Where where = simt::Where::current()) const {
    return simt::ld(row, group + 1, where) - simt::ld(row, group, where);
  }
};

// Writes the slots of each row of the CSR part. The last element is 0.
template <class Ptr, class Row>
struct PaddedLengths {
  simt::Array<const Ptr> row_ptr;
  simt::Array<const Row> permutation;
  simt::Array<std::int64_t> slots;
  std::int64_t split_row, grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (std::int64_t i = t.block * threads + t.thread; i < slots.size; i += grid * threads) {
      std::int64_t length = 0;
      if (i < slots.size - 1) {
        const std::int64_t row = simt::ld(permutation, split_row + i);
        length = simt::ld(row_ptr, row + 1) - simt::ld(row_ptr, row);
      }
      simt::st(slots, i, (length + simt::warp_size - 1) / simt::warp_size * simt::warp_size);
    }
  }
};

// Writes the CSR part. A block processes `tile` of its slots, and finds their rows as ExpandRows does.
template <class T, class Ptr, class Col, class Row>
struct FillPaddedRows {
  TypedArrays<T, Ptr, Col> csr;
  simt::Array<const Row> permutation;
  simt::Array<const std::int64_t> begin;  // slots before each row's
  simt::Array<Col> columns;
  simt::Array<T> values;
  std::int64_t split_row, last_row;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(std::int64_t, ends, 2);
    const std::int64_t first = t.block * tile, past = first + tile < columns.size ? first + tile : columns.size;
    const Between near = rows_between(t, ends, begin, last_row, first, past);
    for (std::int64_t to = first + t.thread; to < past; to += threads) {
      const std::int64_t i = row_of(begin, near.low, near.high, to);
      const std::int64_t row = simt::ld(permutation, split_row + i);
      const std::int64_t k = simt::ld(csr.row_ptr, row) + to - simt::ld(begin, i);
      const bool entry = k < simt::ld(csr.row_ptr, row + 1);
      simt::st(columns, to, entry ? simt::ld(csr.columns, k) : Col{-1});
      simt::st(values, to, entry ? simt::ld(csr.values, k) : T{0});
    }
  }
};

}  // namespace SIMT_TARGET

struct ToEvcHyb {
  static constexpr const char* format = "evc_hyb";
  static constexpr bool sorts = true;
  static Fields<EvcHybParams> fields() { return evc_hyb_fields(); }

  template <class Stage, class T = typename Stage::Value>
  static void lay_out(const CsrFormat& a, const FormatFacts& facts, const EvcHybParams& p, Stage& stage) {
    stage.typed(a, [&]<class Ptr, class Col>(const TypedArrays<T, Ptr, Col>& csr) {
      const LengthSteps lengths = lay_out_lengths(stage, csr.row_ptr, a.rows(), facts);
      const EvcHybPlan plan = evc_hyb_plan(lengths, p);
      const auto permutation = stage.template out<RowIndex>("permutation", a.rows());
      if (a.rows() > 0) lay_out_order(stage, csr, a.cols(), lengths.longest(), permutation);
      const auto of_ell = [&]<class Begin>(Begin) { lay_out_groups<Begin>(stage, csr, as_const(permutation), plan); };
      Indices::fits32(plan.ell_slots) ? of_ell(std::int32_t{}) : of_ell(std::int64_t{});
      lay_out_long_rows(stage, csr, as_const(permutation), plan);
    });
  }

 private:
  template <class Stage, class T, class Ptr, class Col, class Row>
  static void lay_out_order(Stage& stage, const TypedArrays<T, Ptr, Col>& csr, index_t cols, index_t longest,
                            const simt::Array<Row>& permutation) {
    const auto keys = stage.template scratch<std::int64_t>("keys of rows", permutation.size);
    const LaunchSpec grid = strided_grid(permutation.size);
    stage.launch(grid, KeysByFirstColumn<Ptr, Col>{csr.row_ptr, csr.columns, keys, cols, grid.grid});
    lay_out_sorted_places(stage, as_const(keys), (longest + 1) * cols, permutation);
  }

  static std::vector<GroupThere> groups_there(const EvcHybPlan& plan) {
    std::vector<GroupThere> all;
    index_t runs = 0;
    for (const EvcGroup& g : plan.groups) {
      all.push_back({runs, g.row, g.begin, g.width});
      runs += (g.width + run_steps - 1) / run_steps * g.rows;
    }
    all.push_back({runs, plan.split_row, plan.ell_slots, 0});
    return all;
  }

  template <class Begin, class Stage, class T, class Ptr, class Col, class Row>
  static void lay_out_groups(Stage& stage, const TypedArrays<T, Ptr, Col>& csr,
                             const simt::Array<const Row>& permutation, const EvcHybPlan& plan) {
    using Write = WriteGroups<Row, Begin, Col>;
    const std::vector<GroupThere> groups = groups_there(plan);
    const auto count = static_cast<index_t>(groups.size());
    const auto runs = stage.template scratch<std::int64_t>("runs before groups", count);
    const auto row = stage.template out<Row>("group_row", count);
    const auto begin = stage.template out<Begin>("group_begin", count);
    const auto width = stage.template out<Col>("group_width", count - 1);
    for (index_t first = 0; first < count; first += Write::most) {
      const index_t some = std::min<index_t>(Write::most, count - first);
      Write write{runs, row, begin, width, first, static_cast<int>(some), {}};
      std::copy_n(groups.begin() + first, some, write.groups);
      stage.launch({.grid = 1, .block = 128}, write);
    }
    const auto columns = stage.template out<Col>("ell_columns", plan.ell_slots);
    const auto values = stage.template out<T>("ell_values", plan.ell_slots);
    if (plan.ell_slots == 0) return;
    LaunchSpec grid = item_grid(groups.back().runs, threads);
    grid.loads_in_flight = run_steps;
    launch_of_values(stage, grid,
                     FillColumns<T, Col, Groups<Ptr, Row, Begin, Col>>{
                         csr.columns,
                         csr.values,
                         columns,
                         values,
                         {csr.row_ptr, permutation, as_const(runs), as_const(row), as_const(begin), as_const(width)}});
  }

  template <class Stage, class T, class Ptr, class Col, class Row>
  static void lay_out_long_rows(Stage& stage, const TypedArrays<T, Ptr, Col>& csr,
                                const simt::Array<const Row>& permutation, const EvcHybPlan& plan) {
    const index_t rows = permutation.size - plan.split_row;
    const auto begin = stage.template scratch<std::int64_t>("slots before rows", rows + 1);
    const LaunchSpec grid = strided_grid(rows + 1);
    stage.launch(grid, PaddedLengths<Ptr, Row>{csr.row_ptr, permutation, begin, plan.split_row, grid.grid});
    lay_out_sums_before(stage, begin);
    const auto of_slots = [&]<class SlotPtr>(SlotPtr) {
      stage.launch(grid, Copy<std::int64_t, SlotPtr>{as_const(begin), stage.template out<SlotPtr>("csr_ptr", rows + 1),
                                                     grid.grid});
    };
    Indices::fits32(plan.csr_slots) ? of_slots(std::int32_t{}) : of_slots(std::int64_t{});
    const auto columns = stage.template out<Col>("csr_columns", plan.csr_slots);
    const auto values = stage.template out<T>("csr_values", plan.csr_slots);
    if (plan.csr_slots == 0) return;
    launch_of_values(
        stage, {.grid = (plan.csr_slots + tile - 1) / tile, .block = threads},
        FillPaddedRows<T, Ptr, Col, Row>{csr, permutation, as_const(begin), columns, values, plan.split_row, rows - 1});
  }
};

}  // namespace warpspy::convert
