// An array in the order in which lanes load it (kernels/spmv/lane_order.hpp): made by a launch, as the host makes it.
#pragma once

#include "kernels/convert/conversion.hpp"
#include "kernels/convert/steps.hpp"
#include "kernels/spmv/lane_order.hpp"

namespace warpspy::convert {
inline namespace SIMT_TARGET {

// Entries go to their places; the places that are left in the last tile become 0.
template <class E, int items>
struct FillLaneOrder {
  simt::Array<const E> entries;
  simt::Array<E> all;
  std::int64_t grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (std::int64_t k = t.block * threads + t.thread; k < all.size; k += grid * threads)
      simt::st(all, static_cast<std::int64_t>(LaneOrder<E, items>::place_of(static_cast<std::size_t>(k))),
               k < entries.size ? simt::ld(entries, k) : E{0});
  }
};

}  // namespace SIMT_TARGET

template <int items, class Stage, class E>
simt::Array<E> lay_out_lane_order(Stage& stage, const simt::Array<const E>& entries) {
  const std::size_t places = LaneOrder<E, items>::places(static_cast<std::size_t>(entries.size));
  const auto all = stage.template out<E>("in lane order", static_cast<index_t>(places));
  const LaunchSpec grid = strided_grid(all.size);
  if (all.size > 0) stage.launch(grid, FillLaneOrder<E, items>{entries, all, grid.grid});
  return all;
}

// A conversion for tests: it puts the values of a CSR into lane order.
struct ToLaneOrder {
  static constexpr const char* format = "lane_order";
  static constexpr int items = 8;
  struct Params {
    bool operator==(const Params&) const = default;
  };
  static Fields<Params> fields() { return {}; }
  static std::vector<MadeArray> on_host(const CsrFormat& a, const Params&) {
    return {a.values().visit([]<class T>(std::span<const T> values) {
      return made_array("in lane order", LaneOrderOf<T, items>{values}());
    })};
  }
  template <class Stage, class T = typename Stage::Value>
  static void lay_out(const CsrFormat& a, const FormatFacts&, const Params&, Stage& stage) {
    stage.typed(a, [&]<class Ptr, class Col>(const TypedArrays<T, Ptr, Col>& csr) {
      lay_out_lane_order<items>(stage, csr.values);
    });
  }
};

}  // namespace warpspy::convert
