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

  static constexpr int unroll = 4;  // entries whose loads are in flight together

  template <class T, class Ptr, class Col, class Cached>
  struct Code {
    simt::Array<const Ptr> row_ptr;
    simt::Array<const Col> columns;
    simt::Array<const T> values;
    simt::Array<const T> x;
    simt::Array<T> y;
    std::int64_t rows;
    Scale<T> scale;
    Cached cached;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      const std::int64_t row = t.block * t.block_size + t.thread;
      if (row >= rows) return;
      // Unsigned, so that a step past the last of almost 2^31 entries does not overflow.
      using Position = std::make_unsigned_t<Ptr>;
      Position k = simt::ld(cached.pointers, row_ptr, row);
      const Position end = simt::ld(cached.pointers, row_ptr, row + 1);
      T dot = 0;
      SIMT_NO_UNROLL
      for (; k + unroll <= end; k += unroll) {
        Col column[unroll];
        T value[unroll];
        SIMT_UNROLL
        for (int i = 0; i < unroll; ++i) {
          column[i] = simt::ld(cached.columns, columns, k + i);
          value[i] = simt::ld(cached.values, values, k + i);
        }
        SIMT_UNROLL
        for (int i = 0; i < unroll; ++i) dot += value[i] * simt::ld(cached.x, x, column[i]);
      }
      SIMT_NO_UNROLL
      for (; k < end; ++k) {
        const Col column = simt::ld(cached.columns, columns, k);
        dot += simt::ld(cached.values, values, k) * simt::ld(cached.x, x, column);
      }
      scale.store(y, row, dot);
    }
  };

  static Fields<Params> fields() { return {{&Params::block_size, warps_spec()}}; }
  static index_t rows_per_block(const Params& p) { return p.block_size; }
  static constexpr Tags tags = Tag::thread_per_row;
  static constexpr Slowdown slowdown = {4, of_eight_draws};
  static std::vector<ParamSet> validated() { return {ParamSet{}}; }
  static KernelInfo info() {
    return {"csr_scalar", "CSR scalar", "One thread per row. Simple; good for short rows of equal length.",
            "Bell & Garland 2008, section 4.3; Reguly & Giles 2012, figure 2", "csr"};
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    a.row_ptr().visit([&]<class Ptr>(std::span<const Ptr> row_ptr) {
      a.columns().visit([&]<class Col>(std::span<const Col> columns) {
        if constexpr (compiled_indices<Ptr, Col>)
          layout.with_caches([&]<class Cached>(const Cached& cached) {
            LaunchSpec spec = row_grid(a.rows(), rows_per_block(p), p.block_size);
            tell_lengths(spec, row_ptr, static_cast<double>(rows_per_block(p)));
            layout.launch(spec,
                          Code<T, Ptr, Col, Cached>{layout.in("row_ptr", Role::matrix_index, row_ptr),
                                                    layout.in("columns", Role::x_index, columns),
                                                    layout.in("values", Role::matrix, a.values().template as<T>()),
                                                    layout.x(), layout.y(), a.rows(), layout.scale(), cached});
          });
      });
    });
  }
};

}  // namespace warpspy::inline SIMT_TARGET
