// Some kernels need arrays of their own before their first product. These functions make them on a CUDA device, from a
// format's arrays that are there, byte for byte as the host makes them. kernels/convert has the launches.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "kernels/device/device_arrays.hpp"
#include "kernels/spmv/block_slots.hpp"
#include "kernels/spmv/column_order.hpp"
#include "kernels/spmv/column_slots.hpp"
#include "kernels/spmv/even_split.hpp"
#include "kernels/spmv/lane_order.hpp"
#include "kernels/spmv/merge_tiles.hpp"
#include "kernels/spmv/row_marks.hpp"
#include "kernels/spmv/row_tiles.hpp"
#include "kernels/spmv/stripe_pieces.hpp"
#include "kernels/spmv/striped_entries.hpp"
#include "kernels/spmv/x_slots.hpp"
#include "kernels/spmv/x_slots_share.hpp"

namespace warpspy {

// An array on the device; its memory belongs to a PreparedThere.
template <class E>
struct DeviceArray {
  const E* data = nullptr;
  std::size_t count = 0;
  std::size_t size() const { return count; }
  bool empty() const { return count == 0; }
};

struct PreparedThere {
  std::vector<ThereArray> arrays;
  double us = 0;  // time to make these arrays from the format's, by the host's clock: that of the second of two runs
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const ThereArray& a : arrays) sum += a.bytes;
    return sum;
  }
};

struct EvenSplitThere : PreparedThere {
  DeviceArray<std::uint16_t> flags;
  DeviceArray<std::int32_t> first_ends, rows;
  DeviceArray<std::uint32_t> present;
  DeviceArray<std::int32_t> borders;
  std::int32_t slots = 0;
};

template <class T>
struct StripedEntriesThere : PreparedThere {
  DeviceArray<T> values;
  DeviceArray<std::uint16_t> columns, flags;
  DeviceArray<std::int32_t> first_ends, rows;
  std::vector<std::int32_t> stripe_tiles;  // on the host too
};

struct RowMarksThere : PreparedThere {
  DeviceArray<std::int32_t> marks, rows;
};

struct ColumnOrderThere : PreparedThere {
  DeviceArray<std::uint16_t> order, flags;
  DeviceArray<std::int64_t> first_ends;
  DeviceArray<std::int32_t> columns;
};

struct ColumnPartsThere : PreparedThere {
  DeviceArray<std::int32_t> places, open_places, begin;
  index_t all = 0;
  index_t count() const { return all; }
};

struct ChosenShareThere : PreparedThere, ChosenShare {};

struct XSlotsThere : PreparedThere {
  DeviceArray<std::uint16_t> narrow;
  DeviceArray<std::int32_t> wide, columns, begins;
  int largest = 0;
};

template <class E>
struct LaneOrderThere : PreparedThere {
  DeviceArray<E> all;
};

template <class Ptr>
struct RowTilesThere : PreparedThere {
  DeviceArray<Ptr> tiles;
};

template <class Ptr>
struct MergeTilesThere : PreparedThere {
  DeviceArray<std::make_unsigned_t<Ptr>> first_rows;
};

struct ColumnSlotsThere : PreparedThere {
  DeviceArray<std::uint16_t> slots;
  DeviceArray<std::int32_t> columns, shares;
  int largest = 0;
};

template <class T>
struct StripePiecesThere : PreparedThere {
  DeviceArray<T> values;
  DeviceArray<std::int32_t> columns, marks, rows;
};

struct BlockSlotsThere : PreparedThere {
  DeviceArray<std::uint16_t> columns, rows, slots;
  DeviceArray<std::int32_t> heads, lines, begins, tiles;
  int largest = 1;
};

// All prepared_there() throw Error if the device has too little memory, and in the cases in which the host's
// preparation throws.
EvenSplitThere prepared_there(const EvenSplitOf<std::int32_t>& of, DeviceArrays& format);
EvenSplitThere prepared_there(const EvenSplitOf<std::int64_t>& of, DeviceArrays& format);
StripedEntriesThere<float> prepared_there(const StripedEntriesOf<float>& of, DeviceArrays& format);
StripedEntriesThere<double> prepared_there(const StripedEntriesOf<double>& of, DeviceArrays& format);
RowMarksThere prepared_there(const RowMarksOf<std::int32_t>& of, DeviceArrays& format);
RowMarksThere prepared_there(const RowMarksOf<std::int64_t>& of, DeviceArrays& format);
ColumnOrderThere prepared_there(const ColumnOrderOf<std::int32_t>& of, DeviceArrays& format);
ColumnPartsThere prepared_there(const ColumnPartsOf<ColumnOrderThere>& of, DeviceArrays& format);
// For csr_slots_transposed: slots for the columns of the CSR, or for the columns of its pieces.
ColumnSlotsThere prepared_there(const ColumnSlotsOf<std::span<const std::int32_t>>& of, DeviceArrays& format);
ColumnSlotsThere prepared_there(const ColumnSlotsOf<DeviceArray<std::int32_t>>& of, DeviceArrays& format);
StripePiecesThere<float> prepared_there(const StripePiecesOf<float>& of, DeviceArrays& format);
StripePiecesThere<double> prepared_there(const StripePiecesOf<double>& of, DeviceArrays& format);
RowTilesThere<std::int32_t> prepared_there(const RowTilesOf<std::int32_t>& of, DeviceArrays& format);
RowTilesThere<std::int64_t> prepared_there(const RowTilesOf<std::int64_t>& of, DeviceArrays& format);
MergeTilesThere<std::int32_t> prepared_there(const MergeTilesOf<std::int32_t>& of, DeviceArrays& format);
MergeTilesThere<std::int64_t> prepared_there(const MergeTilesOf<std::int64_t>& of, DeviceArrays& format);
// For bsr_symmetric, whose slices may count in 32 or 64 bits.
using BlockSlices32 = BlockSlices<std::int32_t, std::int32_t, std::int32_t>;
BlockSlotsThere prepared_there(const BlockSlotsOf<BlockSlices32>& of, DeviceArrays& format);
// For csr_slots and csr_compact_slots.
ChosenShareThere prepared_there(const XSlotsShareOf<std::uint16_t>& of, DeviceArrays& format);
ChosenShareThere prepared_there(const XSlotsShareOf<std::int32_t>& of, DeviceArrays& format);
XSlotsThere prepared_there(const XSlotsOf<std::uint16_t, float, 8>& of, DeviceArrays& format);
XSlotsThere prepared_there(const XSlotsOf<std::uint16_t, double, 8>& of, DeviceArrays& format);
XSlotsThere prepared_there(const XSlotsOf<std::int32_t, float, 8>& of, DeviceArrays& format);
XSlotsThere prepared_there(const XSlotsOf<std::int32_t, double, 8>& of, DeviceArrays& format);
LaneOrderThere<float> prepared_there(const LaneOrderOf<float, 8>& of, DeviceArrays& format);
LaneOrderThere<double> prepared_there(const LaneOrderOf<double, 8>& of, DeviceArrays& format);
LaneOrderThere<std::uint8_t> prepared_there(const LaneOrderOf<std::uint8_t, 8>& of, DeviceArrays& format);

}  // namespace warpspy
