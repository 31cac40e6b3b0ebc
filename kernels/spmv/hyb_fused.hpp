// Product with a matrix in HYB in one launch. The first blocks compute the COO part, which takes longest until its
// first result; the other blocks compute the ELL part. Bell & Garland 2008, section 4.5, launch one part after the
// other. Here blocks of both parts add to the same rows in any order, so all additions are atomic. They add to a y that
// already holds beta y. With beta = 1, as in the paper's y = A x + y, no other launch is needed; otherwise a launch
// that computes y = beta y comes first. If the matrix has no COO part, the ELL part stores y, in one launch for any
// beta. The order of additions may differ from run to run.
#pragma once

#include "core/formats/hyb.hpp"
#include "kernels/spmv/coo_warp.hpp"
#include "kernels/spmv/ell_part.hpp"

namespace warpspy::inline SIMT_TARGET {

struct HybFused {
  using Input = HybFormat;
  struct Params {
    int block_size = 256;
    int coo_warps = 8192;
    bool operator==(const Params&) const = default;
  };

  template <class T, class Row, class Col, class Cached>
  struct Code {
    EllPart<T, Col> ell;
    CooEntries<T, Row, Col> coo;
    simt::Array<const T> x;
    simt::Array<T> y;
    std::int64_t rows, pitch, width;
    CooIntervals intervals;
    std::int64_t coo_blocks;  // 0: no COO part
    Scale<T> scale;
    Cached cached;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      if (t.block < coo_blocks) {
        const int lane = t.thread % simt::warp_size;
        const std::int64_t warp = (t.block * t.block_size + t.thread) / simt::warp_size;
        if (warp >= intervals.warps) return;
        const RowSum<T, Row> carry = sum_by_rows<T, Row>(
            lane, intervals.begin(warp), intervals.end(warp), [&](std::int64_t k) { return coo.product(cached, x, k); },
            [&](Row row, T sum) { simt::atomic_add(y, row, scale.scaled(sum)); });
        if (lane == 0 && carry.row >= 0) simt::atomic_add(y, carry.row, scale.scaled(carry.sum));
        return;
      }
      const std::int64_t row = (t.block - coo_blocks) * t.block_size + t.thread;
      if (row >= rows) return;
      const T dot = ell.dot(cached, x, row, pitch, width);
      if (coo_blocks == 0)
        scale.store(y, row, dot);
      else
        simt::atomic_add(y, row, scale.scaled(dot));
    }
  };

  static Fields<Params> fields() {
    return {{&Params::block_size, warps_spec()}, {&Params::coo_warps, coo_warps_spec()}};
  }
  static constexpr Tags tags = Tag::long_rows_apart | Tag::atomics;
  static constexpr Slowdown slowdown = {1, not_measured};
  static KernelInfo info() {
    return {"hyb_fused", "HYB fused",
            "The ELL and the COO part side by side in one launch, both adding to y by atomics; y is scaled before.",
            "Bell & Garland 2008, section 4.5, in one launch", "hyb"};
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    const auto launch = [&]<class Row, class Col>(std::span<const Row> coo_rows, std::span<const Col> coo_columns) {
      if constexpr (compiled_coo<Row, Col>)
        layout.with_caches([&]<class Cached>(const Cached& cached) {
          const EllPart<T, Col> ell{
              layout.in("ell_columns", Role::guarding_x_index, a.ell_columns().template as<Col>()),
              layout.in("ell_values", Role::matrix, a.ell_values().template as<T>())};
          const CooEntries<T, Row, Col> coo{layout.in("coo_rows", Role::matrix, coo_rows),
                                            layout.in("coo_columns", Role::hoisted_x_index, coo_columns),
                                            layout.in("coo_values", Role::matrix, a.coo_values().template as<T>())};
          const CooIntervals intervals = coo_intervals(a.coo_entries(), p.coo_warps);
          LaunchSpec spec = row_grid(a.rows(), p.block_size, p.block_size);
          const index_t coo_blocks =
              a.coo_entries() == 0 ? 0 : item_grid(intervals.warps * simt::warp_size, p.block_size).grid;
          if (coo_blocks > 0) {
            spec.grid += coo_blocks;
            spec.sections = {coo_blocks};
            spec.rows_per_block = 0;
            scale_y_first(layout, a.rows());
          }
          layout.launch(spec, Code<T, Row, Col, Cached>{ell, coo, layout.x(), layout.y(), a.rows(), a.pitch(),
                                                        a.width(), intervals, coo_blocks, layout.scale(), cached});
        });
    };
    visit_all(launch, a.coo_rows(), a.coo_columns());
  }
};

}  // namespace warpspy::inline SIMT_TARGET
