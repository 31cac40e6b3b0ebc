// Converts CSR to BSR. It first finds the blocks of each block row that have an entry, then writes their values.
#pragma once

#include "core/formats/bsr.hpp"
#include "kernels/convert/blocks.hpp"

namespace warpspy::convert {
inline namespace SIMT_TARGET {

// Each row of each block gets a thread. It finds the row's entries in the block and writes zeros between them, so that
// zeros need no launch of their own.
template <class T, class Ptr, class Col, class E>
struct FillBlocks {
  TypedArrays<T, Ptr, Col> csr;
  simt::Array<const E> block_ptr;
  simt::Array<const Col> block_columns;
  simt::Array<T> to_values;
  std::int64_t rows;
  int r, c;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(std::int64_t, ends, 2);
    const int at_once = threads / r;
    const std::int64_t first = t.block * at_once;
    const Between near = rows_between(t, ends, block_ptr, block_ptr.size - 2, first, first + at_once);
    const std::int64_t block = first + t.thread / r;
    if (t.thread >= at_once * r || block >= block_columns.size) return;
    const std::int64_t row = row_of(block_ptr, near.low, near.high, block) * r + t.thread % r;
    const std::int64_t column = static_cast<std::int64_t>(simt::ld(block_columns, block)) * c;
    std::int64_t k = 0, end = 0, at = (block * r + t.thread % r) * c;
    if (row < rows) {
      end = simt::ld(csr.row_ptr, row + 1);
      k = entry_from(csr.columns, simt::ld(csr.row_ptr, row), end, column);
    }
    for (int j = 0; j < c; ++j, ++at) {
      const bool entry = k < end && simt::ld(csr.columns, k) == column + j;
      simt::st(to_values, at, entry ? simt::ld(csr.values, k) : T{0});
      k += entry;
    }
  }
};

}  // namespace SIMT_TARGET

struct ToBsr {
  static constexpr const char* format = "bsr";
  static Fields<BsrParams> fields() { return bsr_fields(); }

  template <class Stage, class T = typename Stage::Value>
  static void lay_out(const CsrFormat& a, const FormatFacts& facts, const BsrParams& p, Stage& stage) {
    stage.typed(a, [&]<class Ptr, class Col>(const TypedArrays<T, Ptr, Col>& csr) {
      const int r = p.block_rows, c = p.block_cols;
      const BlocksFound found = lay_out_heads(stage, a, csr, r, c, false, [&] { return facts.blocks(r, c); });
      const auto fill = [&]<class E>(E) {
        const auto block_ptr = stage.template out<E>("block_ptr", (a.rows() + r - 1) / r + 1);
        const auto block_columns = stage.template out<Col>("block_columns", found.count);
        const auto values = stage.template out<T>("values", found.count * r * c);
        lay_out_block_ptr(stage, a, csr, r, found, block_ptr);
        lay_out_block_columns(stage, a, csr, r, c, found, block_columns);
        if (found.count > 0)
          launch_of_values(
              stage, {.grid = (found.count + threads / r - 1) / (threads / r), .block = threads},
              FillBlocks<T, Ptr, Col, E>{csr, as_const(block_ptr), as_const(block_columns), values, a.rows(), r, c});
      };
      Indices::fits32(found.count) ? fill(std::int32_t{}) : fill(std::int64_t{});
    });
  }
};

}  // namespace warpspy::convert
