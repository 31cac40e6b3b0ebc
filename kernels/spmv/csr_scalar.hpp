// CSR, one thread per row (Bell & Garland 2008, section 4.3 and figure 20; Reguly & Giles 2012, section 4.1 and figure
// 2). Threads of a warp walk their rows side by side: neighbouring lanes read a row length apart, and a warp takes as
// long as its longest row.
#pragma once

#include "core/formats/csr.hpp"
#include "kernels/spmv/spmv.hpp"

namespace warpspy::inline SIMT_TARGET {

struct CsrScalar {
  using Input = CsrFormat;
  struct Params {
    int block_size = 128;
    bool operator==(const Params&) const = default;
  };

  template <class T, class Ptr, class Col, class Cache = PlainCache>
  struct Code {
    simt::Array<const Ptr> row_ptr;
    simt::Array<const Col> columns;
    simt::Array<const T> values;
    simt::Array<const T> x;
    simt::Array<T> y;
    std::int64_t rows;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      const std::int64_t row = t.block * t.block_size + t.thread;
      if (row >= rows) return;
      T dot = 0;
      const Ptr begin = simt::ld<Cache::matrix>(row_ptr, row);
      const Ptr end = simt::ld<Cache::matrix>(row_ptr, row + 1);
      for (Ptr k = begin; k < end; ++k) {
        const Col column = simt::ld<Cache::matrix>(columns, k);
        dot += simt::ld<Cache::matrix>(values, k) * simt::ld<Cache::x>(x, column);
      }
      simt::st(y, row, dot);
    }
  };

  static Fields<Params> fields() { return {{&Params::block_size, block_size_spec()}}; }
  static KernelInfo info() {
    return {"csr_scalar",
            "CSR scalar",
            "One thread per row. Simple; good for short rows of equal length.",
            "Bell & Garland 2008, section 4.3; Reguly & Giles 2012, figure 2",
            "csr",
            specs_of(fields())};
  }
  static index_t rows_per_block(const Params& p) { return p.block_size; }

  // Calls use(code) with the arrays that `memory` makes of the format's: memory.in(name, span), .x<T>(), .y<T>().
  template <class T, class Memory, class Use>
  static void bind(const Input& a, const Params&, Memory& memory, Use&& use) {
    a.row_ptr().visit([&]<class Ptr>(std::span<const Ptr> row_ptr) {
      a.columns().visit([&]<class Col>(std::span<const Col> columns) {
        if constexpr (Memory::template compiled<Ptr, Col>)
          use(Code<T, Ptr, Col>{memory.in("row_ptr", row_ptr), memory.in("columns", columns),
                                memory.in("values", a.values().template as<T>()), memory.template x<T>(),
                                memory.template y<T>(), a.rows()});
      });
    });
  }
};

}  // namespace warpspy::inline SIMT_TARGET
