// Product with a matrix in COO, with one thread per entry. The thread adds its product to y by an atomic. It is the
// simplest COO kernel; Bell & Garland 2008, section 4.4, avoid its atomics by segmented reduction. Neighbouring entries
// often belong to the same row. Lanes of a warp then add to the same address, one after another, which takes time. The
// order of additions, and with it their rounding, may differ from run to run.
#pragma once

#include "core/formats/coo.hpp"
#include "kernels/spmv/coo_warp.hpp"
#include "kernels/spmv/spmv.hpp"

namespace warpspy::inline SIMT_TARGET {

struct CooAtomic {
  using Input = CooFormat;
  struct Params {
    int block_size = 256;
    bool operator==(const Params&) const = default;
  };

  template <class T, class Row, class Col, class Cached>
  struct Code {
    simt::Array<const Row> row_of;
    simt::Array<const Col> columns;
    simt::Array<const T> values;
    simt::Array<const T> x;
    simt::Array<T> y;
    std::int64_t entries;
    Scale<T> scale;
    Cached cached;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      const std::int64_t k = t.block * t.block_size + t.thread;
      if (k >= entries) return;
      const Row row = simt::ld(cached.pointers, row_of, k);
      const Col column = simt::ld(cached.columns, columns, k);
      const T product = simt::ld(cached.values, values, k) * simt::ld(cached.x, x, column);
      simt::atomic_add(y, row, scale.scaled(product));
    }
  };

  static Fields<Params> fields() { return {{&Params::block_size, warps_spec()}}; }
  static constexpr Tags tags = Tag::splits_rows | Tag::atomics;
  static constexpr Slowdown slowdown = {2.5, of_eight_draws};
  static KernelInfo info() {
    return {"coo_atomic", "COO with atomics",
            "One thread per entry. Any row lengths, but the entries of a row queue up at its element of y.",
            "the alternative to Bell & Garland 2008, section 4.4", "coo"};
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    const auto launch = [&]<class Row, class Col>(std::span<const Row> rows, std::span<const Col> columns) {
      if constexpr (compiled_coo<Row, Col>)
        layout.with_caches([&]<class Cached>(const Cached& cached) {
          scale_y_first(layout, a.rows());
          LaunchSpec spec = item_grid(a.nnz(), p.block_size);
          layout.launch(spec, Code<T, Row, Col, Cached>{layout.in("rows", Role::matrix, rows),
                                                        layout.in("columns", Role::x_index, columns),
                                                        layout.in("values", Role::matrix, a.values().template as<T>()),
                                                        layout.x(), layout.y(), a.nnz(), layout.scale(), cached});
        });
    };
    visit_all(launch, a.row_indices(), a.columns());
  }
};

}  // namespace warpspy::inline SIMT_TARGET
