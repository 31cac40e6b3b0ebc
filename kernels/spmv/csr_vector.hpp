// CSR, `coop` threads per row, `repeat` rows per group of threads (Reguly & Giles 2012, sections 4.2 to 4.4, figure 3
// and equation 5; with coop = 32 and repeat = 1 the vector kernel of Bell & Garland 2008, section 4.3 and figure 22).
// The papers add the partial sums up in volatile shared memory and rely on a warp running in lockstep. Since Volta
// lanes may drift apart, so that needs barriers; a shuffle is both the barrier and the exchange, and needs no shared
// memory.
#pragma once

#include "core/formats/csr.hpp"
#include "kernels/spmv/spmv.hpp"

namespace warpspy::inline SIMT_TARGET {

struct CsrVector {
  using Input = CsrFormat;
  struct Params {
    int coop = 8;
    int block_size = 128;
    int repeat = 1;
    bool operator==(const Params&) const = default;
  };

  static constexpr int unroll = 4;  // a thread's entries whose loads are in flight together

  // One kernel per coop, as in the paper, so that the reduction is unrolled and row numbers are shifts.
  template <class T, class Ptr, class Col, int coop, class Cached>
  struct Code {
    simt::Array<const Ptr> row_ptr;
    simt::Array<const Col> columns;
    simt::Array<const T> values;
    simt::Array<const T> x;
    simt::Array<T> y;
    std::int64_t rows;
    int repeat;
    Scale<T> scale;
    Cached cached;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      // Unsigned, so that a step past the last of almost 2^31 entries does not overflow.
      using Position = std::make_unsigned_t<Ptr>;
      const int coop_index = t.thread % coop;
      std::int64_t row = (t.block * repeat * t.block_size + t.thread) / coop;
      for (int r = 0; r < repeat; ++r, row += t.block_size / coop) {
        T sum = 0;
        if (row < rows) {
          Position k = simt::ld(cached.pointers, row_ptr, row) + coop_index;
          const Position end = simt::ld(cached.pointers, row_ptr, row + 1);
          SIMT_NO_UNROLL
          for (; k + (unroll - 1) * coop < end; k += unroll * coop) {
            Col column[unroll];
            T value[unroll];
            SIMT_UNROLL
            for (int i = 0; i < unroll; ++i) {
              column[i] = simt::ld(cached.columns, columns, k + i * coop);
              value[i] = simt::ld(cached.values, values, k + i * coop);
            }
            SIMT_UNROLL
            for (int i = 0; i < unroll; ++i) sum += value[i] * simt::ld(cached.x, x, column[i]);
          }
          SIMT_NO_UNROLL
          for (; k < end; k += coop) {
            const Col column = simt::ld(cached.columns, columns, k);
            sum += simt::ld(cached.values, values, k) * simt::ld(cached.x, x, column);
          }
        }
        // Outside the condition: every lane of the warp takes part.
        sum = simt::sum_down(sum, coop);
        if (row < rows && coop_index == 0) scale.store(y, row, sum);
      }
    }
  };

  static Fields<Params> fields() {
    return {{&Params::coop,
             {.id = "coop",
              .label = "Threads per row",
              .help = "Threads that share a row. Near the square root of the mean row length is a good start "
                      "(Reguly & Giles 2012, section 5.1).",
              .type = ParamSpec::Type::power_of_two,
              .min = 1,
              .max = 32,
              .tried = {1, 2, 4, 8, 16, 32}}},
            {&Params::block_size, warps_spec()},
            {&Params::repeat,
             {.id = "repeat",
              .label = "Rows per group",
              .help = "Rows that each group of threads computes one after another. More rows make fewer blocks, which "
                      "reuse more of x in the cache.",
              .type = ParamSpec::Type::integer,
              .min = 1,
              .max = 64}}};
  }
  static constexpr Tags tags = Tag::threads_per_row;
  static constexpr Slowdown slowdown = {1, not_measured};
  static std::vector<ParamSet> validated() { return {{{"coop", 4}}, {{"coop", 32}}}; }
  static KernelInfo info() {
    return {"csr_vector", "CSR vector",
            "Several threads share a row, read it side by side and add up their parts by shuffles.",
            "Reguly & Giles 2012, figure 3; Bell & Garland 2008, section 4.3", "csr"};
  }
  // Equation 5: grid = 1 + (rows * coop - 1) / (repeat * block size).
  static index_t rows_per_block(const Params& p) { return static_cast<index_t>(p.repeat) * p.block_size / p.coop; }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    a.row_ptr().visit([&]<class Ptr>(std::span<const Ptr> row_ptr) {
      a.columns().visit([&]<class Col>(std::span<const Col> columns) {
        if constexpr (compiled_indices<Ptr, Col>)
          layout.with_caches([&]<class Cached>(const Cached& cached) {
            with_value<1, 2, 4, 8, 16, 32>(p.coop, [&]<int coop>() {
              LaunchSpec spec = row_grid(a.rows(), rows_per_block(p), p.block_size);
              tell_lengths(spec, row_ptr, static_cast<double>(rows_per_block(p)));
              layout.launch(spec, Code<T, Ptr, Col, coop, Cached>{
                                      layout.in("row_ptr", Role::matrix_index, row_ptr),
                                      layout.in("columns", Role::x_index, columns),
                                      layout.in("values", Role::matrix, a.values().template as<T>()), layout.x(),
                                      layout.y(), a.rows(), p.repeat, layout.scale(), cached});
            });
          });
      });
    });
  }
};

}  // namespace warpspy::inline SIMT_TARGET
