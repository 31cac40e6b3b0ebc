// Product with a matrix in HYB-R: one launch for each ELL part, then one launch for the COO part (HYB-R, section IV.B
// and figure 3). In the paper y has the order of the sorted rows and is reordered afterwards; with `reorder_y` a last
// launch does so. Otherwise each thread adds to its row of y directly, which saves that launch. The first ELL part has
// all rows and writes all of y. In a later part each row has one thread, so that thread adds without atomics. A row of
// the COO part may span several warps, so each warp adds one sum per row by an atomic.
#pragma once

#include "core/formats/hyb_r.hpp"
#include "kernels/spmv/coo_warp.hpp"
#include "kernels/spmv/ell_part.hpp"
#include "kernels/spmv/y_order.hpp"

namespace warpspy::inline SIMT_TARGET {

struct HybR {
  using Input = HybRFormat;
  struct Params {
    int block_size = 256;
    int coo_warps = 8192;
    int reorder_y = YOrder::scatter;
    bool operator==(const Params&) const = default;
  };

  template <class T, class Row, class Col, class Cached>
  struct EllCode {
    EllPart<T, Col> ell;
    simt::Array<const Row> permutation;  // empty: rows are not sorted
    simt::Array<const T> x;
    simt::Array<T> y;
    std::int64_t begin, rows, pitch, width;
    bool first;
    Scale<T> scale;
    Cached cached;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      const std::int64_t i = t.block * t.block_size + t.thread;
      if (i >= rows) return;
      std::int64_t row = i;
      if (permutation.size > 0) row = simt::ld(cached.pointers, permutation, i);
      const T dot = ell.dot(cached, x, begin + i, pitch, width);
      if (first)
        scale.store(y, row, dot);
      else
        simt::st(y, row, simt::ld(y, row) + scale.scaled(dot));
    }
  };

  template <class T, class Row, class Col, class Cached>
  struct CooCode {
    CooEntries<T, Row, Col> coo;
    simt::Array<const Row> permutation;
    simt::Array<const T> x;
    simt::Array<T> y;
    CooIntervals intervals;
    Scale<T> scale;
    Cached cached;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      const int lane = t.thread % simt::warp_size;
      const std::int64_t warp = (t.block * t.block_size + t.thread) / simt::warp_size;
      if (warp >= intervals.warps) return;
      const auto add = [&](Row i, T sum) {
        const Row row = permutation.size > 0 ? simt::ld(cached.pointers, permutation, i) : i;
        simt::atomic_add(y, row, scale.scaled(sum));
      };
      const RowSum<T, Row> carry = sum_by_rows<T, Row>(
          lane, intervals.begin(warp), intervals.end(warp), [&](std::int64_t k) { return coo.product(cached, x, k); },
          add);
      if (lane == 0 && carry.row >= 0) add(carry.row, carry.sum);
    }
  };

  static Fields<Params> fields() {
    return {{&Params::block_size, warps_spec()},
            {&Params::coo_warps, coo_warps_spec()},
            {&Params::reorder_y, reorder_y_spec()}};
  }
  static constexpr Tags tags = Tag::long_rows_apart | Tag::reorders_rows | Tag::several_launches;
  static constexpr Slowdown slowdown = {1, not_measured};
  static KernelInfo info() {
    return {"hyb_r", "HYB-R", "One launch for each ELL part, over fewer and fewer rows, then one for COO.",
            "HYB-R, section IV.B and figure 3", "hyb_r"};
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    const auto launch = [&]<class Row, class Col>(std::span<const Row> coo_rows, std::span<const Col> coo_columns) {
      if constexpr (compiled_coo<Row, Col>)
        layout.with_caches([&]<class Cached>(const Cached& cached) {
          const auto x = layout.x();
          const auto to = sorted_rows(layout, a.permutation().template as<Row>(), p.reorder_y);
          const EllPart<T, Col> ell{
              layout.in("ell_columns", Role::guarding_x_index, a.ell_columns().template as<Col>()),
              layout.in("ell_values", Role::matrix, a.ell_values().template as<T>())};
          for (const HybRPart& part : a.parts()) {
            LaunchSpec spec = row_grid(part.rows, p.block_size, p.block_size);
            if (a.permuted() || a.coo_entries() > 0) spec.rows_per_block = 0;
            layout.launch(spec,
                          EllCode<T, Row, Col, Cached>{ell, to.permutation, x, to.y(layout), part.begin, part.rows,
                                                       part.pitch, part.width, part.skip == 0, to.scale, cached});
          }
          if (a.coo_entries() > 0) launch_coo(layout, a, p, coo_rows, coo_columns, x, to, cached);
          to.put_back(layout, p.block_size, cached);
        });
    };
    visit_all(launch, a.coo_rows(), a.coo_columns());
  }

 private:
  template <class Layout, class Row, class Col, class T, class Cached>
  static void launch_coo(Layout& layout, const Input& a, const Params& p, std::span<const Row> coo_rows,
                         std::span<const Col> coo_columns, const simt::Array<const T>& x, const SortedRows<T, Row>& to,
                         const Cached& cached) {
    const CooIntervals intervals = coo_intervals(a.coo_entries(), p.coo_warps);
    const CooEntries<T, Row, Col> coo{layout.in("coo_rows", Role::matrix, coo_rows),
                                      layout.in("coo_columns", Role::hoisted_x_index, coo_columns),
                                      layout.in("coo_values", Role::matrix, a.coo_values().template as<T>())};
    LaunchSpec rest = item_grid(intervals.warps * simt::warp_size, p.block_size);
    layout.launch(rest,
                  CooCode<T, Row, Col, Cached>{coo, to.permutation, x, to.y(layout), intervals, to.scale, cached});
  }
};

}  // namespace warpspy::inline SIMT_TARGET
