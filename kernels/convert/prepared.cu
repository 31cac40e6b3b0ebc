// What kernels prepare, on a CUDA device.
#include "kernels/convert/prepare_even_split.hpp"
#include "kernels/convert/prepare_striped.hpp"
#include "kernels/convert/prepared.cuh"

namespace warpspy {
namespace {

template <class Ptr>
EvenSplitThere split_there(const EvenSplitOf<Ptr>& of, DeviceArrays& format) {
  const simt::Array<const Ptr> row_ptr = array_there(of.row_ptr, format);
  convert::EvenSplitArrays arrays{};
  convert::MadeThere made = convert::made_there<float>(format, [&](auto& stage) {
    arrays = convert::lay_out_even_split(stage, row_ptr, static_cast<index_t>(of.row_ptr.back()), of.items,
                                         of.tiles_per_share, of);
  });
  EvenSplitThere split;
  split.arrays = std::move(made.arrays), split.us = made.us;
  split.flags = taken(arrays.flags), split.first_ends = taken(arrays.first_ends), split.rows = taken(arrays.rows);
  split.present = taken(arrays.present), split.borders = taken(arrays.borders);
  split.slots = static_cast<std::int32_t>(arrays.slots);
  return split;
}

template <class T>
StripedEntriesThere<T> striped_there(const StripedEntriesOf<T>& of, DeviceArrays& format) {
  convert::StripedArrays<T> arrays{};
  convert::MadeThere made = convert::made_there<T>(
      format, [&](auto& stage) { arrays = convert::lay_out_striped(stage, of.a, of.width, of); });
  StripedEntriesThere<T> striped;
  striped.arrays = std::move(made.arrays), striped.us = made.us;
  striped.values = taken(arrays.values), striped.columns = taken(arrays.columns), striped.flags = taken(arrays.flags);
  striped.first_ends = taken(arrays.first_ends), striped.rows = taken(arrays.rows);
  striped.stripe_tiles.assign(arrays.stripe_tiles.begin(), arrays.stripe_tiles.end());
  return striped;
}

}  // namespace

StripedEntriesThere<float> prepared_there(const StripedEntriesOf<float>& of, DeviceArrays& format) {
  return striped_there(of, format);
}
StripedEntriesThere<double> prepared_there(const StripedEntriesOf<double>& of, DeviceArrays& format) {
  return striped_there(of, format);
}
EvenSplitThere prepared_there(const EvenSplitOf<std::int32_t>& of, DeviceArrays& format) {
  return split_there(of, format);
}
EvenSplitThere prepared_there(const EvenSplitOf<std::int64_t>& of, DeviceArrays& format) {
  return split_there(of, format);
}

}  // namespace warpspy
