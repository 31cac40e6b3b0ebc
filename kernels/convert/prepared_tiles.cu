// What csr_stream, csr_compact_stream and csr_merge prepare, on a CUDA device.
#include "kernels/convert/prepare_merge_tiles.hpp"
#include "kernels/convert/prepare_row_tiles.hpp"
#include "kernels/convert/prepared.cuh"

namespace warpspy {
namespace {

template <class Ptr>
RowTilesThere<Ptr> row_tiles_there(const RowTilesOf<Ptr>& of, DeviceArrays& format) {
  const simt::Array<const Ptr> row_ptr = array_there(of.row_ptr, format);
  const auto unforeseen = [] { return index_t{0}; };  // the size is read back
  simt::Array<Ptr> tiles{};
  convert::MadeThere made = convert::made_there<float>(format, [&](auto& stage) {
    tiles = convert::lay_out_row_tiles(stage, row_ptr, of.entries, of.rows, convert::most_segment_rows, unforeseen);
  });
  RowTilesThere<Ptr> there;
  there.arrays = std::move(made.arrays), there.us = made.us;
  there.tiles = taken(tiles);
  return there;
}

template <class Ptr>
MergeTilesThere<Ptr> merge_tiles_there(const MergeTilesOf<Ptr>& of, DeviceArrays& format) {
  const simt::Array<const Ptr> row_ptr = array_there(of.row_ptr, format);
  simt::Array<std::make_unsigned_t<Ptr>> first_rows{};
  convert::MadeThere made = convert::made_there<float>(format, [&](auto& stage) {
    first_rows = convert::lay_out_merge_tiles(stage, row_ptr, static_cast<index_t>(of.row_ptr.back()), of.steps);
  });
  MergeTilesThere<Ptr> there;
  there.arrays = std::move(made.arrays), there.us = made.us;
  there.first_rows = taken(first_rows);
  return there;
}

}  // namespace

RowTilesThere<std::int32_t> prepared_there(const RowTilesOf<std::int32_t>& of, DeviceArrays& format) {
  return row_tiles_there(of, format);
}
RowTilesThere<std::int64_t> prepared_there(const RowTilesOf<std::int64_t>& of, DeviceArrays& format) {
  return row_tiles_there(of, format);
}
MergeTilesThere<std::int32_t> prepared_there(const MergeTilesOf<std::int32_t>& of, DeviceArrays& format) {
  return merge_tiles_there(of, format);
}
MergeTilesThere<std::int64_t> prepared_there(const MergeTilesOf<std::int64_t>& of, DeviceArrays& format) {
  return merge_tiles_there(of, format);
}

}  // namespace warpspy
