// CSR to SELL with 8-bit columns: the least column of each slice, and how many entries are too far from the one before.
#pragma once

#include "core/formats/sell8.hpp"
#include "kernels/convert/slices.hpp"

namespace warpspy::convert {
inline namespace SIMT_TARGET {

inline constexpr std::int64_t far_delta = 254, padding_delta = 255;

// A warp for each slice: its least column, and its entries that are far from the one before.
template <class Col, class Of>
struct FarEntries {
  Of of;
  simt::Array<const Col> columns;
  simt::Array<Col> bases;
  simt::Array<std::int64_t> far;  // slices + 1; the last one is 0
  std::int64_t slices;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t slice = (t.block * t.block_size + t.thread) / simt::warp_size;
    const int lane = t.thread % simt::warp_size;
    if (slice >= slices) {
      if (slice == slices && lane == 0) simt::st(far, slices, 0);
      return;
    }
    const auto own = of.own(slice, lane);
    constexpr Col most = static_cast<Col>((std::uint64_t{1} << (8 * sizeof(Col) - 1)) - 1);
    Col base = least_of_warp(own.begin < own.end ? simt::ld(columns, own.begin) : most);
    if (own.steps == 0) base = 0;
    std::int64_t count = 0, before = base;
    for (std::int64_t n = 0; n < own.steps; ++n) {
      bool is_far = false;
      if (own.begin + n < own.end) {
        const std::int64_t column = simt::ld(columns, own.begin + n);
        is_far = column - before >= far_delta;
        before = column;
      }
      count += simt::count_bits(simt::ballot(is_far));
    }
    if (lane == 0) {
      simt::st(bases, slice, base);
      simt::st(far, slice, count);
    }
  }
};

template <class T, class Col, class Of>
struct FillDeltas {
  Of of;
  simt::Array<const Col> columns;
  simt::Array<const T> values;
  simt::Array<const Col> bases;
  simt::Array<const std::int64_t> far;  // how many stand in the slices before
  simt::Array<std::uint8_t> to_columns;
  simt::Array<Col> escapes;
  simt::Array<T> to_values;
  std::int64_t slices;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t slice = (t.block * t.block_size + t.thread) / simt::warp_size;
    const int lane = t.thread % simt::warp_size;
    if (slice >= slices) return;
    const auto own = of.own(slice, lane);
    std::int64_t before = simt::ld(bases, slice), at = simt::ld(far, slice);
    for (std::int64_t n = 0; n < own.steps; ++n) {
      const bool entry = own.begin + n < own.end;
      std::int64_t column = before;
      if (entry) column = simt::ld(columns, own.begin + n);
      const std::int64_t delta = column - before;
      const bool is_far = entry && delta >= far_delta;
      const std::uint32_t all = simt::ballot(is_far);
      const std::int64_t slot = own.slots + n * simt::warp_size + lane;
      simt::st(to_values, slot, entry ? simt::ld(values, own.begin + n) : T{0});
      simt::st(to_columns, slot, static_cast<std::uint8_t>(!entry ? padding_delta : is_far ? far_delta : delta));
      if (is_far)
        simt::st(escapes, at + simt::count_bits(all & ((std::uint32_t{1} << lane) - 1)), static_cast<Col>(column));
      at += simt::count_bits(all);
      before = column;
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
          stage, a, csr, slices, [&] { return foreseen().stored; },
          [&]<class SlicePtr, class Row>(const SliceArrays<SlicePtr, Row>& s) {
            using Of = SliceRows<Ptr, SlicePtr, Row>;
            const Of of{csr.row_ptr, s.slice_ptr, s.permutation, a.rows()};
            const auto bases = stage.template out<Col>("bases", s.slices);
            const auto far = stage.template scratch<std::int64_t>("far entries", s.slices + 1, zeros);
            const LaunchSpec warps = item_grid((s.slices + 1) * simt::warp_size, threads);
            stage.launch(warps, FarEntries<Col, Of>{of, csr.columns, bases, far, s.slices});
            const index_t all =
                lay_out_sums(stage, far, [&] { return static_cast<index_t>(foreseen().fact("escapes")->value); });
            const LaunchSpec grid = strided_grid(s.slices + 1);
            const auto pointers = [&]<class E>(E) {
              stage.launch(grid, Copy<std::int64_t, E>{as_const(far), stage.template out<E>("escape_ptr", s.slices + 1),
                                                       grid.grid});
            };
            Indices::fits32(all) ? pointers(std::int32_t{}) : pointers(std::int64_t{});
            stage.launch(warps, FillDeltas<T, Col, Of>{of, csr.columns, csr.values, as_const(bases), as_const(far),
                                                       stage.template out<std::uint8_t>("columns", s.slots),
                                                       stage.template out<Col>("escapes", all),
                                                       stage.template out<T>("values", s.slots), s.slices});
          });
    });
  }
};

}  // namespace warpspy::convert
