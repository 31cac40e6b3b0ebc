// Computes y = A^T x from a matrix in CSC. The CSC of A is the CSR of A^T, so this is the plain CSR product with
// columns in place of rows (Steinberger et al. 2016, section II). It needs no atomics.
#pragma once

#include "core/formats/csc.hpp"
#include "kernels/spmv/spmv.hpp"

namespace warpspy::inline SIMT_TARGET {

struct CscTransposed {
  using Input = CscFormat;
  struct Params {
    int coop = 8;
    int block_size = 128;
    bool operator==(const Params&) const = default;
  };

  template <class T, class Ptr, class Row, class Cached>
  struct Code {
    simt::Array<const Ptr> col_ptr;
    simt::Array<const Row> rows;
    simt::Array<const T> values;
    simt::Array<const T> x;
    simt::Array<T> y;
    std::int64_t cols;
    int coop_exponent;  // coop = 2^coop_exponent
    Scale<T> scale;
    Cached cached;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      // Unsigned, so that a step of coop past the last of almost 2^31 entries does not overflow.
      using Position = std::make_unsigned_t<Ptr>;
      const int coop = 1 << coop_exponent, lane = t.thread & (coop - 1);
      const std::int64_t column = (t.block * t.block_size + t.thread) >> coop_exponent;
      T sum = 0;
      if (column < cols) {
        const Position begin = simt::ld(cached.pointers, col_ptr, column);
        const Position end = simt::ld(cached.pointers, col_ptr, column + 1);
        Position k = begin + lane;
        const Position rounds = k < end ? (end - k + coop - 1) >> coop_exponent : 0;
        SIMT_UNROLL_BY_4
        for (Position n = 0; n < rounds; ++n, k += coop) {
          const Row row = simt::ld(cached.columns, rows, k);  // it indexes x
          sum += simt::ld(cached.values, values, k) * simt::ld(cached.x, x, row);
        }
      }
      // Outside the condition: every lane of the warp takes part.
      sum = simt::sum_down(sum, coop);
      if (column < cols && lane == 0) scale.store(y, column, sum);
    }
  };

  static Fields<Params> fields() {
    return {{&Params::coop,
             {.id = "coop",
              .label = "Threads per column",
              .help = "Threads that share a column, which is a row of the transpose. Near the square root of the mean "
                      "column length is a good start.",
              .type = ParamSpec::Type::power_of_two,
              .min = 1,
              .max = 32,
              .tried = {1, 2, 4, 8, 16, 32}}},
            {&Params::block_size, warps_spec()}};
  }
  static constexpr Tags tags = Tag::threads_per_row;
  static constexpr Slowdown slowdown = {1, not_measured};
  static KernelInfo info() {
    KernelInfo info{"csc_transposed", "CSC transposed",
                    "y = A^T x from columns, which are the rows of the transpose: threads share a column, no atomics.",
                    "Steinberger et al. 2016, section II", "csc"};
    info.operation = Operation::transposed_product;
    return info;
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    a.col_ptr().visit([&]<class Ptr>(std::span<const Ptr> col_ptr) {
      a.row_indices().visit([&]<class Row>(std::span<const Row> rows) {
        if constexpr (compiled_indices<Ptr, Row>)
          layout.with_caches([&]<class Cached>(const Cached& cached) {
            LaunchSpec spec = row_grid(a.cols(), p.block_size / p.coop, p.block_size);
            tell_lengths(spec, col_ptr, static_cast<double>(p.block_size) / p.coop);
            layout.launch(spec,
                          Code<T, Ptr, Row, Cached>{
                              layout.in("col_ptr", Role::matrix_index, col_ptr), layout.in("rows", Role::x_index, rows),
                              layout.in("values", Role::matrix, a.values().template as<T>()), layout.x(), layout.y(),
                              a.cols(), exponent_of(p.coop), layout.scale(), cached});
          });
      });
    });
  }
};

}  // namespace warpspy::inline SIMT_TARGET
