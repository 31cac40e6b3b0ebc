// What csr_even_transposed and csr_slots_transposed prepare, on a CUDA device.
#include "kernels/convert/prepare_column_order.hpp"
#include "kernels/convert/prepare_column_parts.hpp"
#include "kernels/convert/prepare_column_slots.hpp"
#include "kernels/convert/prepare_row_marks.hpp"
#include "kernels/convert/prepare_stripe_pieces.hpp"
#include "kernels/convert/prepared.cuh"

namespace warpspy {
namespace {

template <class E>
simt::Array<const E> array_of(const DeviceArray<E>& there) {
  return {there.data, static_cast<std::int64_t>(there.count)};
}

template <class Ptr>
RowMarksThere marks_there(const RowMarksOf<Ptr>& of, DeviceArrays& format) {
  const simt::Array<const Ptr> row_ptr = array_there(of.row_ptr, format);
  convert::RowMarksArrays arrays{};
  convert::MadeThere made = convert::made_there<float>(format, [&](auto& stage) {
    arrays = convert::lay_out_row_marks(stage, row_ptr, static_cast<index_t>(of.row_ptr.back()), of.padded_entries, of);
  });
  RowMarksThere marks;
  marks.arrays = std::move(made.arrays), marks.us = made.us;
  marks.marks = taken(arrays.marks), marks.rows = taken(arrays.rows);
  return marks;
}

template <class Columns>
ColumnSlotsThere slots_there(const ColumnSlotsOf<Columns>& of, const simt::Array<const std::int32_t>& columns,
                             DeviceArrays& format) {
  const auto unforeseen = [] { return ColumnSlots{}; };  // sizes are read back
  convert::ColumnSlotsArrays arrays{};
  convert::MadeThere made = convert::made_there<float>(format, [&](auto& stage) {
    arrays = convert::lay_out_column_slots(stage, columns, {of.cols, of.tiles_per_share, of.room, of.pack}, unforeseen);
  });
  ColumnSlotsThere slots;
  slots.arrays = std::move(made.arrays), slots.us = made.us;
  slots.slots = taken(arrays.slots), slots.columns = taken(arrays.columns), slots.shares = taken(arrays.shares);
  slots.largest = static_cast<int>(arrays.largest);
  return slots;
}

template <class T>
StripePiecesThere<T> pieces_there(const StripePiecesOf<T>& of, DeviceArrays& format) {
  convert::StripePiecesArrays<T> arrays{};
  convert::MadeThere made = convert::made_there<T>(format, [&](auto& stage) {
    arrays = convert::lay_out_stripe_pieces(stage, of.kernel, of.a, of.width, of.padded_entries, of);
  });
  StripePiecesThere<T> pieces;
  pieces.arrays = std::move(made.arrays), pieces.us = made.us;
  pieces.values = taken(arrays.values), pieces.columns = taken(arrays.columns);
  pieces.marks = taken(arrays.marks), pieces.rows = taken(arrays.rows);
  return pieces;
}

}  // namespace

RowMarksThere prepared_there(const RowMarksOf<std::int32_t>& of, DeviceArrays& format) {
  return marks_there(of, format);
}
RowMarksThere prepared_there(const RowMarksOf<std::int64_t>& of, DeviceArrays& format) {
  return marks_there(of, format);
}

ColumnOrderThere prepared_there(const ColumnOrderOf<std::int32_t>& of, DeviceArrays& format) {
  const simt::Array<const std::int32_t> columns = array_there(of.columns, format);
  convert::ColumnOrderArrays arrays{};
  convert::MadeThere made = convert::made_there<float>(format, [&](auto& stage) {
    arrays = convert::lay_out_column_order(stage, columns, of.cols, of.tiles_per_share, of);
  });
  ColumnOrderThere order;
  order.arrays = std::move(made.arrays), order.us = made.us;
  order.order = taken(arrays.order), order.flags = taken(arrays.flags);
  order.first_ends = taken(arrays.first_ends), order.columns = taken(arrays.columns);
  return order;
}

ColumnPartsThere prepared_there(const ColumnPartsOf<ColumnOrderThere>& of, DeviceArrays& format) {
  const convert::SortedColumns sorted{array_of(of.sorted.flags), array_of(of.sorted.first_ends),
                                      array_of(of.sorted.columns)};
  const auto unforeseen = [] { return ColumnParts{}; };  // sizes are read back
  convert::ColumnPartsArrays arrays{};
  convert::MadeThere made = convert::made_there<float>(format, [&](auto& stage) {
    arrays = convert::lay_out_column_parts(stage, sorted, of.cols, of.tiles_per_share, of.warps, unforeseen);
  });
  ColumnPartsThere parts;
  parts.arrays = std::move(made.arrays), parts.us = made.us;
  parts.places = taken(arrays.places), parts.open_places = taken(arrays.open_places);
  parts.begin = taken(arrays.begin), parts.all = arrays.all;
  return parts;
}

ColumnSlotsThere prepared_there(const ColumnSlotsOf<std::span<const std::int32_t>>& of, DeviceArrays& format) {
  return slots_there(of, array_there(of.columns, format), format);
}
ColumnSlotsThere prepared_there(const ColumnSlotsOf<DeviceArray<std::int32_t>>& of, DeviceArrays& format) {
  return slots_there(of, array_of(of.columns), format);
}

StripePiecesThere<float> prepared_there(const StripePiecesOf<float>& of, DeviceArrays& format) {
  return pieces_there(of, format);
}
StripePiecesThere<double> prepared_there(const StripePiecesOf<double>& of, DeviceArrays& format) {
  return pieces_there(of, format);
}

}  // namespace warpspy
