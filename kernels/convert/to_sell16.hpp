// CSR to SELL with 16-bit columns: the least column of each step, and which steps need more bits.
#pragma once

#include "core/formats/sell16.hpp"
#include "kernels/convert/slices.hpp"

namespace warpspy::convert {
inline namespace SIMT_TARGET {

// A warp for each slice: the least column of each step, and whether the step is wide.
template <class Col, class Of>
struct StepsOfSlices {
  Of of;
  simt::Array<const Col> columns;
  simt::Array<Col> bases;
  simt::Array<std::int64_t> wide;  // steps + 1; the last one is 0
  std::int64_t slices;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t slice = (t.block * t.block_size + t.thread) / simt::warp_size;
    const int lane = t.thread % simt::warp_size;
    if (slice >= slices) {
      if (slice == slices && lane == 0) simt::st(wide, wide.size - 1, 0);
      return;
    }
    const auto own = of.own(slice, lane);
    constexpr Col most = static_cast<Col>((std::uint64_t{1} << (8 * sizeof(Col) - 1)) - 1);
    for (std::int64_t n = 0; n < own.steps; ++n) {
      const bool entry = own.begin + n < own.end;
      const Col column = entry ? simt::ld(columns, own.begin + n) : most;
      const Col least = least_of_warp(column), largest = -least_of_warp(entry ? static_cast<Col>(-column) : Col{1});
      const std::int64_t step = own.slots / simt::warp_size + n;
      if (lane == 0) {
        simt::st(bases, step, least);
        simt::st(wide, step, largest - least > 0xfffe ? 1 : 0);
      }
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
  std::int64_t slices;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t slice = (t.block * t.block_size + t.thread) / simt::warp_size;
    const int lane = t.thread % simt::warp_size;
    if (slice >= slices) return;
    const auto own = of.own(slice, lane);
    for (std::int64_t n = 0; n < own.steps; ++n) {
      const bool entry = own.begin + n < own.end;
      const std::int64_t slot = own.slots + n * simt::warp_size + lane, step = slot / simt::warp_size;
      std::int64_t offset = -1;
      if (entry) offset = simt::ld(columns, own.begin + n) - simt::ld(bases, step);
      simt::st(to_values, slot, entry ? simt::ld(values, own.begin + n) : T{0});
      simt::st(to_columns, slot, static_cast<std::uint16_t>(offset));
      if (wide_at.size == 0) continue;
      const std::int64_t place = simt::ld(wide, step);
      const bool is_wide = simt::ld(wide, step + 1) > place;
      if (lane == 0) simt::st(wide_at, step, is_wide ? static_cast<std::int32_t>(place) : -1);
      if (is_wide) simt::st(high_columns, place * simt::warp_size + lane, static_cast<std::uint16_t>(offset >> 16));
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
      if (sizeof(Col) != 4)
        throw Error("sell16 is not made on a GPU for 64-bit column indices", {}, "make the format on the host");
      const SellParams slices{.slice_rows = simt::warp_size, .sort_window = p.sort_window};
      lay_out_slices(
          stage, a, csr, slices, [&] { return foreseen().stored; },
          [&]<class SlicePtr, class Row>(const SliceArrays<SlicePtr, Row>& s) {
            using Of = SliceRows<Ptr, SlicePtr, Row>;
            const Of of{csr.row_ptr, s.slice_ptr, s.permutation, a.rows()};
            const index_t steps = s.slots / simt::warp_size;
            const auto bases = stage.template out<Col>("bases", steps);
            const auto wide = stage.template scratch<std::int64_t>("wide steps", steps + 1, zeros);
            const LaunchSpec warps = item_grid((s.slices + 1) * simt::warp_size, threads);
            stage.launch(warps, StepsOfSlices<Col, Of>{of, csr.columns, bases, wide, s.slices});
            const index_t all =
                lay_out_sums(stage, wide, [&] { return static_cast<index_t>(foreseen().fact("wide_steps")->value); });
            stage.launch(warps,
                         FillSteps<T, Col, Of>{of, csr.columns, csr.values, as_const(bases), as_const(wide),
                                               stage.template out<std::uint16_t>("columns", s.slots),
                                               stage.template out<std::uint16_t>("high_columns", all * simt::warp_size),
                                               stage.template out<std::int32_t>("wide_at", all > 0 ? steps : 0),
                                               stage.template out<T>("values", s.slots), s.slices});
          });
    });
  }
};

}  // namespace warpspy::convert
