// Converts CSR to SELL with 8-bit columns. It finds the least column of each slice, and how many entries are too far
// from the row's previous entry for 8 bits.
#pragma once

#include "core/formats/sell8.hpp"
#include "kernels/convert/slices.hpp"

namespace warpspy::convert {
inline namespace SIMT_TARGET {

inline constexpr std::int64_t far_delta = 254, padding_delta = 255;

// Finds the least column of each slice, and how many entries of each step are too far from the row's previous entry for
// 8 bits. The lanes of a warp process the same steps. The bases of slices without a step are left as they are.
template <class Col, class Of>
struct FarEntries {
  Of of;
  simt::Array<const Col> columns;
  simt::Array<Col> bases;
  simt::Array<std::int64_t> far;  // steps + 1; the last one is 0

  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t thread = t.block * threads + t.thread;
    if (thread == 0) simt::st(far, far.size - 1, 0);
    constexpr Col most = static_cast<Col>((std::uint64_t{1} << (8 * sizeof(Col) - 1)) - 1);
    Run r = of.run(thread);
    while (r.step < r.past) {
      const Stretch s = of.stretch(r);
      Col column[run_steps], before = most;
      SIMT_UNROLL
      for (int n = 0; n < run_steps; ++n) column[n] = n < s.entries ? simt::ld(columns, s.entry + n) : most;
      if (s.first == 0) {
        before = least_of_warp(column[0]);
        if (r.place == 0) simt::st(bases, s.slice, before);
      } else if (s.entries > 0) {
        before = simt::ld(columns, s.entry - 1);
      }
      SIMT_UNROLL
      for (int n = 0; n < run_steps; ++n) {
        if (n >= s.steps) break;
        const std::uint32_t all = simt::ballot(n < s.entries && column[n] - before >= far_delta);
        if (r.place == 0) simt::st(far, r.step + n, simt::count_bits(all));
        before = column[n];
      }
      r.step += s.steps;
    }
  }
};

// Writes where the escapes of each slice begin: the distances that do not fit into 8 bits.
template <class SlicePtr, class E>
struct EscapesOfSlices {
  simt::Array<const SlicePtr> slice_ptr;
  simt::Array<const std::int64_t> far;  // how many stand in the steps before
  simt::Array<E> escape_ptr;
  std::int64_t grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (std::int64_t i = t.block * threads + t.thread; i < escape_ptr.size; i += grid * threads)
      simt::st(escape_ptr, i, static_cast<E>(simt::ld(far, simt::ld(slice_ptr, i) / simt::warp_size)));
  }
};

template <class T, class Col, class Of>
struct FillDeltas {
  Of of;
  simt::Array<const Col> columns;
  simt::Array<const T> values;
  simt::Array<const Col> bases;
  simt::Array<const std::int64_t> far;
  simt::Array<std::uint8_t> to_columns;
  simt::Array<Col> escapes;
  simt::Array<T> to_values;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    Run r = of.run(t.block * threads + t.thread);
    while (r.step < r.past) {
      const Stretch s = of.stretch(r);
      Col column[run_steps], before = 0;
      T value[run_steps];
      SIMT_UNROLL
      for (int n = 0; n < run_steps; ++n) {
        column[n] = n < s.entries ? simt::ld(columns, s.entry + n) : Col{0};
        value[n] = n < s.entries ? simt::ld(values, s.entry + n) : T{0};
      }
      if (s.entries > 0) before = s.first == 0 ? simt::ld(bases, s.slice) : simt::ld(columns, s.entry - 1);
      SIMT_UNROLL
      for (int n = 0; n < run_steps; ++n) {
        if (n >= s.steps) break;
        const bool entry = n < s.entries;
        const std::int64_t delta = column[n] - before;
        const bool is_far = entry && delta >= far_delta;
        const std::uint32_t all = simt::ballot(is_far);
        simt::st(to_values, s.at + n * of.pitch, value[n]);
        simt::st(to_columns, s.at + n * of.pitch,
                 static_cast<std::uint8_t>(!entry   ? padding_delta
                                           : is_far ? far_delta
                                                    : delta));
        if (is_far)
          simt::st(escapes, simt::ld(far, r.step + n) + simt::count_bits(all & ((std::uint32_t{1} << r.place) - 1)),
                   column[n]);
        before = column[n];
      }
      r.step += s.steps;
    }
  }
};

}  // namespace SIMT_TARGET
static_assert(far_delta == Sell8Format::escape && padding_delta == Sell8Format::padding);

struct ToSell8 {
  static constexpr const char* format = "sell8";
  static Fields<Sell8Params> fields() { return sell8_fields(); }

  template <class Stage, class T = typename Stage::Value>
  static void lay_out(const CsrFormat& a, const FormatFacts& facts, const Sell8Params& p, Stage& stage) {
    const auto foreseen = [&] { return sell8_estimate(facts, a.precision(), set_of(fields(), p)); };
    stage.typed(a, [&]<class Ptr, class Col>(const TypedArrays<T, Ptr, Col>& csr) {
      const SellParams slices{.slice_rows = simt::warp_size, .sort_window = p.sort_window};
      lay_out_slices(
          stage, csr.row_ptr, slices, simt::warp_size, [&] { return foreseen().stored; },
          [&]<class SlicePtr, class Row>(const SliceArrays<SlicePtr, Row>& s) {
            using Of = Slices<Ptr, SlicePtr, Row>;
            const Of of = s.of(csr.row_ptr, a.rows(), simt::warp_size);
            const auto bases = stage.template out<Col>("bases", s.slices);
            const auto far = stage.template scratch<std::int64_t>("far entries", of.steps + 1, zeros);
            const LaunchSpec grid = strided_grid(s.slices + 1), runs = grid_of_runs(of.steps, simt::warp_size);
            stage.launch(grid, Clear<Col>{bases, grid.grid});
            stage.launch(runs, FarEntries<Col, Of>{of, csr.columns, bases, far});
            const index_t all =
                lay_out_sums(stage, far, [&] { return static_cast<index_t>(foreseen().fact("escapes")->value); });
            const auto pointers = [&]<class E>(E) {
              stage.launch(grid,
                           EscapesOfSlices<SlicePtr, E>{s.slice_ptr, as_const(far),
                                                        stage.template out<E>("escape_ptr", s.slices + 1), grid.grid});
            };
            Indices::fits32(all) ? pointers(std::int32_t{}) : pointers(std::int64_t{});
            launch_of_values(stage, runs,
                             FillDeltas<T, Col, Of>{of, csr.columns, csr.values, as_const(bases), as_const(far),
                                                    stage.template out<std::uint8_t>("columns", s.slots),
                                                    stage.template out<Col>("escapes", all),
                                                    stage.template out<T>("values", s.slots)});
          });
    });
  }
};

}  // namespace warpspy::convert
