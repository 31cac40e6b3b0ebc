// Computes y = A^T x from a matrix in COO without storing A^T. The product of each entry is added to y at its column by
// an atomic (Steinberger et al. 2016, section IV). A thread loads two entries at the same time. Each entry has its row
// number, so long rows cost no more than short ones. An earlier launch computes y = beta y.
#pragma once

#include "core/formats/coo.hpp"
#include "kernels/spmv/coo_warp.hpp"
#include "kernels/spmv/spmv.hpp"

namespace warpspy::inline SIMT_TARGET {

struct CooTransposed {
  using Input = CooFormat;
  struct Params {
    int block_size = 256;
    bool operator==(const Params&) const = default;
  };
  static constexpr int unroll = 2;
  static constexpr bool overlaps = true;

  template <class T, class Row, class Col, class Cached>
  struct Code {
    static constexpr bool awaits_previous = true;

    simt::Array<const Row> rows;
    simt::Array<const Col> columns;
    simt::Array<const T> values;
    simt::Array<const T> x;
    simt::Array<T> y;
    std::int64_t entries;
    Scale<T> scale;
    Cached cached;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      simt::PreviousLaunch previous;
      const std::int64_t first = t.block * t.block_size * unroll + t.thread;
      Row row[unroll];
      Col column[unroll];
      T value[unroll];
      SIMT_UNROLL
      for (int u = 0; u < unroll; ++u) {
        const std::int64_t k = first + u * t.block_size;
        if (k >= entries) continue;
        row[u] = simt::ld(cached.columns, rows, k);
        column[u] = simt::ld(cached.pointers, columns, k);
        value[u] = simt::ld(cached.values, values, k);
      }
      previous.await();
      SIMT_UNROLL
      for (int u = 0; u < unroll; ++u)
        if (first + u * t.block_size < entries)
          simt::atomic_add(y, column[u], scale.scaled(value[u] * simt::ld(cached.x, x, row[u])));
    }
  };

  static Fields<Params> fields() { return {{&Params::block_size, warps_spec()}}; }
  static constexpr Tags tags = Tag::splits_rows | Tag::atomics;
  static constexpr Slowdown slowdown = {1, not_measured};
  static KernelInfo info() {
    KernelInfo info{"coo_transposed", "COO transposed",
                    "y = A^T x from the COO of A: every entry is added to y by an atomic, no transpose is stored.",
                    "after Steinberger et al. 2016, section IV", "coo"};
    info.operation = Operation::transposed_product;
    return info;
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    scale_y_first(layout, a.cols());
    visit_all(
        [&]<class Row, class Col>(std::span<const Row> rows, std::span<const Col> columns) {
          if constexpr (compiled_coo<Row, Col>)
            layout.with_caches([&]<class Cached>(const Cached& cached) {
              layout.launch(item_grid((a.nnz() + unroll - 1) / unroll, p.block_size),
                            Code<T, Row, Col, Cached>{layout.in("rows", Role::x_index, rows),
                                                      layout.in("columns", Role::matrix, columns),
                                                      layout.in("values", Role::matrix, a.values().template as<T>()),
                                                      layout.x(), layout.y(), a.nnz(), layout.scale(), cached});
            });
        },
        a.row_indices(), a.columns());
  }
};

}  // namespace warpspy::inline SIMT_TARGET
