// Converts CSR to SELL with 16-bit columns. A step is one entry of each row of a slice. It finds the least column of
// each step, and which steps need more than 16 bits.
#pragma once

#include "core/formats/sell16.hpp"
#include "kernels/convert/slices.hpp"

namespace warpspy::convert {
inline namespace SIMT_TARGET {

// Finds the least column of each step, and whether the step is wide (needs more than 16 bits). The lanes of a warp
// process the same steps.
template <class Col, class Of>
struct LeastOfSteps {
  Of of;
  simt::Array<const Col> columns;
  simt::Array<Col> bases;
  simt::Array<std::int64_t> wide;  // steps + 1; the last one is 0

  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t thread = t.block * threads + t.thread;
    if (thread == 0) simt::st(wide, wide.size - 1, 0);
    constexpr Col most = static_cast<Col>((std::uint64_t{1} << (8 * sizeof(Col) - 1)) - 1);
    Run r = of.run(thread);
    while (r.step < r.past) {
      const Stretch s = of.stretch(r);
      Col column[run_steps];
      SIMT_UNROLL
      for (int n = 0; n < run_steps; ++n) column[n] = n < s.entries ? simt::ld(columns, s.entry + n) : most;
      SIMT_UNROLL
      for (int n = 0; n < run_steps; ++n) {
        if (n >= s.steps) break;
        const Col least = least_of_warp(column[n]);
        const Col largest = -least_of_warp(n < s.entries ? static_cast<Col>(-column[n]) : Col{1});
        if (r.place != 0) continue;
        simt::st(bases, r.step + n, least);
        simt::st(wide, r.step + n, largest - least > 0xfffe ? 1 : 0);
      }
      r.step += s.steps;
    }
  }
};

template <class T, class Col, class Of>
struct FillSteps {
  Of of;
  simt::Array<const Col> columns;
  simt::Array<const T> values;
  simt::Array<const Col> bases;
  simt::Array<const std::int64_t> wide;  // how many steps before are wide
  simt::Array<std::uint16_t> to_columns, high_columns;
  simt::Array<std::int32_t> wide_at;
  simt::Array<T> to_values;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    Run r = of.run(t.block * threads + t.thread);
    while (r.step < r.past) {
      const Stretch s = of.stretch(r);
      std::int64_t offset[run_steps];
      T value[run_steps];
      SIMT_UNROLL
      for (int n = 0; n < run_steps; ++n) {
        const bool entry = n < s.entries;
        offset[n] =
            entry ? static_cast<std::int64_t>(simt::ld(columns, s.entry + n)) - simt::ld(bases, r.step + n) : -1;
        value[n] = entry ? simt::ld(values, s.entry + n) : T{0};
      }
      SIMT_UNROLL
      for (int n = 0; n < run_steps; ++n) {
        if (n >= s.steps) break;
        simt::st(to_values, s.at + n * of.pitch, value[n]);
        simt::st(to_columns, s.at + n * of.pitch, static_cast<std::uint16_t>(offset[n]));
        if (wide_at.size == 0) continue;
        const std::int64_t place = simt::ld(wide, r.step + n);
        const bool is_wide = simt::ld(wide, r.step + n + 1) > place;
        if (r.place == 0) simt::st(wide_at, r.step + n, is_wide ? static_cast<std::int32_t>(place) : -1);
        if (is_wide) simt::st(high_columns, place * of.pitch + r.place, static_cast<std::uint16_t>(offset[n] >> 16));
      }
      r.step += s.steps;
    }
  }
};

}  // namespace SIMT_TARGET

struct ToSell16 {
  static constexpr const char* format = "sell16";
  static Fields<Sell16Params> fields() { return sell16_fields(); }

  template <class Stage, class T = typename Stage::Value>
  static void lay_out(const CsrFormat& a, const FormatFacts& facts, const Sell16Params& p, Stage& stage) {
    const auto foreseen = [&] { return sell16_estimate(facts, a.precision(), set_of(fields(), p)); };
    stage.typed(a, [&]<class Ptr, class Col>(const TypedArrays<T, Ptr, Col>& csr) {
      const SellParams slices{.slice_rows = simt::warp_size, .sort_window = p.sort_window};
      lay_out_slices(
          stage, csr.row_ptr, slices, simt::warp_size, [&] { return foreseen().stored; },
          [&]<class SlicePtr, class Row>(const SliceArrays<SlicePtr, Row>& s) {
            using Of = Slices<Ptr, SlicePtr, Row>;
            const Of of = s.of(csr.row_ptr, a.rows(), simt::warp_size);
            const auto bases = stage.template out<Col>("bases", of.steps);
            const auto wide = stage.template scratch<std::int64_t>("wide steps", of.steps + 1, zeros);
            const LaunchSpec runs = grid_of_runs(of.steps, simt::warp_size);
            stage.launch(runs, LeastOfSteps<Col, Of>{of, csr.columns, bases, wide});
            const index_t all =
                lay_out_sums(stage, wide, [&] { return static_cast<index_t>(foreseen().fact("wide_steps")->value); });
            launch_of_values(
                stage, runs,
                FillSteps<T, Col, Of>{of, csr.columns, csr.values, as_const(bases), as_const(wide),
                                      stage.template out<std::uint16_t>("columns", s.slots),
                                      stage.template out<std::uint16_t>("high_columns", all * simt::warp_size),
                                      stage.template out<std::int32_t>("wide_at", all > 0 ? of.steps : 0),
                                      stage.template out<T>("values", s.slots)});
          });
    });
  }
};

}  // namespace warpspy::convert
