// ELLPACK, one thread per row (Bell & Garland 2008, section 4.2 and figure 17). Neighbouring lanes read neighbouring
// entries, so columns and values are fully coalesced; padding is read, but costs no access to x.
// The paper tells padding by its value 0; here it is the column -1, so that a stored zero times infinity still counts.
#pragma once

#include "core/formats/ell.hpp"
#include "kernels/spmv/spmv.hpp"

namespace warpspy::inline SIMT_TARGET {

struct Ell {
  using Input = EllFormat;
  struct Params {
    int block_size = 256;
    bool operator==(const Params&) const = default;
  };

  template <class T, class Col, class Cache = PlainCache>
  struct Code {
    simt::Array<const Col> columns;
    simt::Array<const T> values;
    simt::Array<const T> x;
    simt::Array<T> y;
    std::int64_t rows, pitch, width;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      const std::int64_t row = t.block * t.block_size + t.thread;
      if (row >= rows) return;
      T dot = 0;
      for (std::int64_t n = 0, k = row; n < width; ++n, k += pitch) {
        const Col column = simt::ld<Cache::matrix>(columns, k);
        const T value = simt::ld<Cache::matrix>(values, k);
        if (column >= 0) dot += value * simt::ld<Cache::x>(x, column);
      }
      simt::st(y, row, dot);
    }
  };

  static Fields<Params> fields() { return {{&Params::block_size, block_size_spec()}}; }
  static KernelInfo info() {
    return {"ell",
            "ELL",
            "One thread per row over padded rows: coalesced reads, but padding is read too.",
            "Bell & Garland 2008, section 4.2",
            "ell",
            specs_of(fields())};
  }
  static index_t rows_per_block(const Params& p) { return p.block_size; }

  template <class T, class Memory, class Use>
  static void bind(const Input& a, const Params&, Memory& memory, Use&& use) {
    a.columns().visit([&]<class Col>(std::span<const Col> columns) {
      if constexpr (Memory::template compiled<Col, Col>)
        use(Code<T, Col>{memory.in("columns", columns), memory.in("values", a.values().template as<T>()),
                         memory.template x<T>(), memory.template y<T>(), a.rows(), a.pitch(), a.width()});
    });
  }
};

}  // namespace warpspy::inline SIMT_TARGET
