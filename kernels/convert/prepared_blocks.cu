// What bsr_symmetric prepares, on a CUDA device.
#include "kernels/convert/prepare_block_slots.hpp"
#include "kernels/convert/prepared.cuh"

namespace warpspy {

BlockSlotsThere prepared_there(const BlockSlotsOf<BlockSlices32>& of, DeviceArrays& format) {
  const convert::BlockSlicesThere<std::int32_t, std::int32_t, std::int32_t> slices{
      array_there(of.slices.slice_ptr, format), array_there(of.slices.rows, format),
      array_there(of.slices.columns, format)};
  // Sizes are read back.
  const auto fits = [](index_t, index_t) { return false; };
  const auto unforeseen = [] { return BlockSlots{}; };
  const convert::ForeseenBlockSlots<decltype(fits), decltype(unforeseen)> nothing{fits, unforeseen};
  convert::BlockSlotsArrays arrays{};
  convert::MadeThere made = convert::made_there<float>(format, [&](auto& stage) {
    arrays = convert::lay_out_block_slots(stage, of.kernel, slices, of.lines, of.shares, of.room, nothing);
  });
  BlockSlotsThere there;
  there.arrays = std::move(made.arrays), there.us = made.us;
  there.columns = taken(arrays.columns), there.rows = taken(arrays.rows), there.slots = taken(arrays.slots);
  there.heads = taken(arrays.heads), there.lines = taken(arrays.lines), there.begins = taken(arrays.begins);
  there.tiles = taken(arrays.tiles);
  there.largest = static_cast<int>(arrays.largest);
  return there;
}

}  // namespace warpspy
