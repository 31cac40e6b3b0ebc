// What csr_slots and csr_compact_slots prepare, on a CUDA device.
#include "kernels/convert/prepare_lane_order.hpp"
#include "kernels/convert/prepare_x_slots.hpp"
#include "kernels/convert/prepare_x_slots_share.hpp"
#include "kernels/convert/prepared.cuh"

namespace warpspy {
namespace {

template <class Col>
ChosenShareThere share_there(const XSlotsShareOf<Col>& of, DeviceArrays& format) {
  ChosenShareThere chosen;
  const ShareSamples samples = of.samples();
  chosen.tiles = samples.sizes[0].tiles;
  if (samples.count == 1) return chosen;
  // With few blocks more entries are looked at than their order can tell in 32 bits.
  if (!Indices::fits32(samples.tiles * of.tile)) {
    const auto start = std::chrono::steady_clock::now();
    chosen.tiles = of().tiles;
    chosen.us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
    return chosen;
  }
  const simt::Array<const Col> columns = array_there(of.columns, format);
  chosen.us = convert::made_there<float>(format, [&](auto& stage) {
                const auto counted =
                    convert::lay_out_share_reads(stage, columns, of, samples, [&] { return of.reads(samples); });
                chosen.tiles = best_share(samples, of.tile, counted);
              }).us;
  return chosen;
}

template <class Col, class T, int items>
XSlotsThere slots_there(const XSlotsOf<Col, T, items>& of, DeviceArrays& format) {
  const simt::Array<const Col> columns = array_there(of.columns, format);
  convert::XSlotsArrays arrays{};
  convert::MadeThere made = convert::made_there<T>(format, [&](auto& stage) {
    arrays = convert::lay_out_x_slots<items>(stage, of.kernel, columns,
                                             {of.cols, of.share_entries, of.room, TurnedLines<T>::line}, of);
  });
  XSlotsThere slots;
  slots.arrays = std::move(made.arrays), slots.us = made.us;
  slots.narrow = taken(arrays.narrow), slots.wide = taken(arrays.wide);
  slots.columns = taken(arrays.columns), slots.begins = taken(arrays.begins);
  slots.largest = static_cast<int>(arrays.largest);
  return slots;
}

template <class E, int items>
LaneOrderThere<E> lane_order_there(const LaneOrderOf<E, items>& of, DeviceArrays& format) {
  const simt::Array<const E> entries = array_there(of.entries, format);
  simt::Array<E> all{};
  convert::MadeThere made = convert::made_there<float>(
      format, [&](auto& stage) { all = convert::lay_out_lane_order<items>(stage, entries); });
  LaneOrderThere<E> there;
  there.arrays = std::move(made.arrays), there.us = made.us;
  there.all = taken(all);
  return there;
}

}  // namespace

ChosenShareThere prepared_there(const XSlotsShareOf<std::uint16_t>& of, DeviceArrays& format) {
  return share_there(of, format);
}
ChosenShareThere prepared_there(const XSlotsShareOf<std::int32_t>& of, DeviceArrays& format) {
  return share_there(of, format);
}

XSlotsThere prepared_there(const XSlotsOf<std::uint16_t, float, 8>& of, DeviceArrays& format) {
  return slots_there(of, format);
}
XSlotsThere prepared_there(const XSlotsOf<std::uint16_t, double, 8>& of, DeviceArrays& format) {
  return slots_there(of, format);
}
XSlotsThere prepared_there(const XSlotsOf<std::int32_t, float, 8>& of, DeviceArrays& format) {
  return slots_there(of, format);
}
XSlotsThere prepared_there(const XSlotsOf<std::int32_t, double, 8>& of, DeviceArrays& format) {
  return slots_there(of, format);
}

LaneOrderThere<float> prepared_there(const LaneOrderOf<float, 8>& of, DeviceArrays& format) {
  return lane_order_there(of, format);
}
LaneOrderThere<double> prepared_there(const LaneOrderOf<double, 8>& of, DeviceArrays& format) {
  return lane_order_there(of, format);
}
LaneOrderThere<std::uint8_t> prepared_there(const LaneOrderOf<std::uint8_t, 8>& of, DeviceArrays& format) {
  return lane_order_there(of, format);
}

}  // namespace warpspy
