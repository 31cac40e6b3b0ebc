// Product with a matrix in CSR, with `coop` threads per row. Each thread loads aligned packs of four neighbouring
// columns and values with one instruction. Fewer and wider loads keep more bytes in flight, which rows of 20 and more
// entries need (Reguly & Giles 2012, section 4.3, has one entry per load). A pack (four neighbouring entries, loaded
// together) may reach into the next row. Its entries of that row are loaded, but not added.
#pragma once

#include "core/formats/csr.hpp"
#include "kernels/spmv/spmv.hpp"

namespace warpspy::inline SIMT_TARGET {

struct CsrPacks {
  using Input = CsrFormat;
  static constexpr bool overlaps = true;
  struct Params {
    int coop = 8;
    int block_size = 128;
    bool operator==(const Params&) const = default;
  };
  static constexpr int pack = 4;

  template <class T, class Ptr, class Col, int coop, class Cached>
  struct Code {
    static constexpr bool awaits_previous = true;
    simt::Array<const Ptr> row_ptr;
    simt::Array<const Col> columns;
    simt::Array<const T> values;
    simt::Array<const T> x;
    simt::Array<T> y;
    std::int64_t rows;
    Scale<T> scale;
    Cached cached;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      // Tells how many values, and how many columns, one load of 16 bytes brings.
      constexpr int values_pack = 16 / sizeof(T), columns_pack = 16 / sizeof(Col);
      const int lane = t.thread % coop;
      const std::int64_t row = (t.block * t.block_size + t.thread) / coop;
      simt::PreviousLaunch previous;
      T sum = 0;
      if (row < rows) {
        const std::int64_t begin = simt::ld(cached.pointers, row_ptr, row);
        const std::int64_t end = simt::ld(cached.pointers, row_ptr, row + 1);
        for (std::int64_t k = begin / pack * pack + lane * pack; k < end; k += coop * pack) {
          Col column[pack];
          T value[pack];
          if (k + pack <= columns.size) {
            SIMT_UNROLL
            for (int i = 0; i < pack; i += columns_pack) {
              const auto loaded = simt::ld_pack<columns_pack>(cached.columns, columns, k + i);
              SIMT_UNROLL
              for (int j = 0; j < columns_pack; ++j) column[i + j] = loaded.v[j];
            }
            SIMT_UNROLL
            for (int i = 0; i < pack; i += values_pack) {
              const auto loaded = simt::ld_pack<values_pack>(cached.values, values, k + i);
              SIMT_UNROLL
              for (int j = 0; j < values_pack; ++j) value[i + j] = loaded.v[j];
            }
          } else {  // the last entries of the matrix
            SIMT_UNROLL
            for (int i = 0; i < pack; ++i) {
              column[i] = 0;
              value[i] = 0;
              if (k + i < end) {
                column[i] = simt::ld(cached.columns, columns, k + i);
                value[i] = simt::ld(cached.values, values, k + i);
              }
            }
          }
          previous.await();
          SIMT_UNROLL
          for (int i = 0; i < pack; ++i)
            if (begin <= k + i && k + i < end) sum += value[i] * simt::ld(cached.x, x, column[i]);
        }
      }
      previous.await();
      // Outside the condition: every lane of the warp takes part.
      sum = simt::sum_down(sum, coop);
      if (row < rows && lane == 0) scale.store(y, row, sum);
    }
  };

  static Fields<Params> fields() {
    return {{&Params::coop,
             {.id = "coop",
              .label = "Threads per row",
              .help = "Threads that share a row, four entries each at a time.",
              .type = ParamSpec::Type::power_of_two,
              .min = 2,
              .max = 32,
              .tried = {2, 4, 8, 16, 32}}},
            {&Params::block_size, block_size_spec()}};
  }
  static constexpr Tags tags = Tag::threads_per_row | Tag::many_in_flight;
  static constexpr Slowdown slowdown = {1.3, of_eight_draws};
  static KernelInfo info() {
    return {"csr_packs", "CSR packs", "As CSR vector, but every load brings four neighbouring entries.",
            "after Reguly & Giles 2012, section 4.3", "csr"};
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    visit_all(
        [&]<class Ptr, class Col>(std::span<const Ptr> row_ptr, std::span<const Col> columns) {
          if constexpr (compiled_indices<Ptr, Col>)
            layout.with_caches([&]<class Cached>(const Cached& cached) {
              with_value<2, 4, 8, 16, 32>(p.coop, [&]<int coop>() {
                LaunchSpec spec = row_grid(a.rows(), p.block_size / coop, p.block_size);
                spec.loads_in_flight = 16;
                tell_lengths(spec, row_ptr, p.block_size / coop);
                layout.launch(spec, Code<T, Ptr, Col, coop, Cached>{
                                        layout.in("row_ptr", Role::matrix_index, row_ptr),
                                        layout.in("columns", Role::x_index, columns),
                                        layout.in("values", Role::matrix, a.values().template as<T>()), layout.x(),
                                        layout.y(), a.rows(), layout.scale(), cached});
              });
            });
        },
        a.row_ptr(), a.columns());
  }
};

}  // namespace warpspy::inline SIMT_TARGET
