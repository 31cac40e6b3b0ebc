// Product with a matrix in HYB: first the ELL part with one thread per row, then the COO part (Bell & Garland 2008,
// section 4.5). The first launch writes all of y. In the second launch each warp sums an interval of the COO entries by
// segmented reduction and adds to y. A row of the COO part may span several warps, so each warp adds one sum per row by
// an atomic. This saves the third launch that coo_segmented.hpp needs for such rows. But the order of additions may
// differ from run to run.
#pragma once

#include "core/formats/hyb.hpp"
#include "kernels/spmv/coo_warp.hpp"
#include "kernels/spmv/ell_part.hpp"

namespace warpspy::inline SIMT_TARGET {

struct Hyb {
  using Input = HybFormat;
  struct Params {
    int block_size = 256;
    int coo_warps = 8192;
    bool operator==(const Params&) const = default;
  };

  template <class T, class Col, class Cached>
  struct EllCode {
    EllPart<T, Col> ell;
    simt::Array<const T> x;
    simt::Array<T> y;
    std::int64_t rows, pitch, width;
    Scale<T> scale;
    Cached cached;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      const std::int64_t row = t.block * t.block_size + t.thread;
      if (row >= rows) return;
      const T dot = ell.dot(cached, x, row, pitch, width);
      scale.store(y, row, dot);
    }
  };

  template <class T, class Row, class Col, class Cached>
  struct CooCode {
    CooEntries<T, Row, Col> coo;
    simt::Array<const T> x;
    simt::Array<T> y;
    CooIntervals intervals;
    Scale<T> scale;
    Cached cached;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      const int lane = t.thread % simt::warp_size;
      const std::int64_t warp = (t.block * t.block_size + t.thread) / simt::warp_size;
      if (warp >= intervals.warps) return;
      const RowSum<T, Row> carry = sum_by_rows<T, Row>(
          lane, intervals.begin(warp), intervals.end(warp), [&](std::int64_t k) { return coo.product(cached, x, k); },
          [&](Row row, T sum) { simt::atomic_add(y, row, scale.scaled(sum)); });
      if (lane == 0 && carry.row >= 0) simt::atomic_add(y, carry.row, scale.scaled(carry.sum));
    }
  };

  static Fields<Params> fields() {
    return {{&Params::block_size, warps_spec()}, {&Params::coo_warps, coo_warps_spec()}};
  }
  static constexpr Tags tags = Tag::long_rows_apart | Tag::several_launches;
  static constexpr Slowdown slowdown = {1, not_measured};
  static std::vector<ParamSet> validated() { return {ParamSet{}}; }
  static KernelInfo info() {
    return {"hyb", "HYB", "ELL for the first entries of every row, then COO for the rest: two launches.",
            "Bell & Garland 2008, section 4.5", "hyb"};
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    const auto launch = [&]<class Row, class Col>(std::span<const Row> coo_rows, std::span<const Col> coo_columns) {
      if constexpr (compiled_coo<Row, Col>)
        layout.with_caches([&]<class Cached>(const Cached& cached) {
          const auto x = layout.x();
          const EllPart<T, Col> ell{
              layout.in("ell_columns", Role::guarding_x_index, a.ell_columns().template as<Col>()),
              layout.in("ell_values", Role::matrix, a.ell_values().template as<T>())};
          LaunchSpec spec = row_grid(a.rows(), p.block_size, p.block_size);
          if (a.coo_entries() > 0) spec.rows_per_block = 0;
          layout.launch(spec, EllCode<T, Col, Cached>{ell, x, layout.y(), a.rows(), a.pitch(), a.width(),
                                                      layout.scale(), cached});
          if (a.coo_entries() == 0) return;
          const CooIntervals intervals = coo_intervals(a.coo_entries(), p.coo_warps);
          const CooEntries<T, Row, Col> coo{layout.in("coo_rows", Role::matrix, coo_rows),
                                            layout.in("coo_columns", Role::hoisted_x_index, coo_columns),
                                            layout.in("coo_values", Role::matrix, a.coo_values().template as<T>())};
          LaunchSpec rest = item_grid(intervals.warps * simt::warp_size, p.block_size);
          layout.launch(rest, CooCode<T, Row, Col, Cached>{coo, x, layout.y(), intervals, layout.scale(), cached});
        });
    };
    visit_all(launch, a.coo_rows(), a.coo_columns());
  }
};

}  // namespace warpspy::inline SIMT_TARGET
