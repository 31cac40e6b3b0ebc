// Product with a matrix in HYB-R in one launch. The first blocks compute the COO part, the other blocks the ELL parts
// one after another. The paper launches each part alone (HYB-R, section IV.B). Where HYB-R is slower than HYB, its
// section VI gives the extra launch as the reason. Here blocks of all parts add to the same rows in any order, so all
// additions are atomic. They add to a y that already holds beta y. With beta = 1 no other launch is needed; otherwise a
// launch that computes y = beta y comes first. If there is only one ELL part and no COO part, it stores y, in one
// launch for any beta. The order of additions may differ from run to run.
#pragma once

#include "core/formats/hyb_r.hpp"
#include "kernels/spmv/coo_warp.hpp"
#include "kernels/spmv/ell_part.hpp"
#include "kernels/spmv/y_order.hpp"

namespace warpspy::inline SIMT_TARGET {

struct HybRFused {
  using Input = HybRFormat;
  struct Params {
    int block_size = 256;
    int coo_warps = 8192;
    int reorder_y = YOrder::scatter;
    bool operator==(const Params&) const = default;
  };

  static constexpr int most_parts = 64;  // the format has at most so many ELL parts
  struct Part {
    std::int64_t first_block, begin, rows, pitch, width;
  };

  template <class T, class Row, class Col, class Cached>
  struct Code {
    EllPart<T, Col> ell;
    CooEntries<T, Row, Col> coo;
    simt::Array<const Row> permutation;  // empty: rows are not sorted
    simt::Array<const T> x;
    simt::Array<T> y;
    CooIntervals intervals;
    std::int64_t coo_blocks;
    int part_count;
    Scale<T> scale;
    Cached cached;
    Part parts[most_parts];  // by increasing first_block; they are kernel arguments, since all threads of a block read
                             // the same one

    SIMT_DEVICE void operator()(simt::Thread t) const {
      if (t.block < coo_blocks) {
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
        return;
      }
      int part = 0;
      while (part + 1 < part_count && t.block >= parts[part + 1].first_block) ++part;
      const Part own = parts[part];
      const std::int64_t i = (t.block - own.first_block) * t.block_size + t.thread;
      if (i >= own.rows) return;
      std::int64_t row = i;
      if (permutation.size > 0) row = simt::ld(cached.pointers, permutation, i);
      const T dot = ell.dot(cached, x, own.begin + i, own.pitch, own.width);
      if (coo_blocks == 0 && part_count == 1)
        scale.store(y, row, dot);
      else
        simt::atomic_add(y, row, scale.scaled(dot));
    }
  };

  static Fields<Params> fields() {
    return {{&Params::block_size, warps_spec()},
            {&Params::coo_warps, coo_warps_spec()},
            {&Params::reorder_y, reorder_y_spec()}};
  }
  static constexpr Tags tags = Tag::long_rows_apart | Tag::reorders_rows | Tag::atomics;
  static constexpr Slowdown slowdown = {1, not_measured};
  static KernelInfo info() {
    return {"hyb_r_fused", "HYB-R fused",
            "All ELL parts and the COO part side by side in one launch, adding to y by atomics; y is scaled before.",
            "HYB-R, section IV.B, in one launch", "hyb_r"};
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    if (a.parts().size() > most_parts)
      throw Error("kernel hyb_r_fused takes " + std::to_string(most_parts) + " ELL parts at most, not " +
                  std::to_string(a.parts().size()));
    const auto launch = [&]<class Row, class Col>(std::span<const Row> coo_rows, std::span<const Col> coo_columns) {
      if constexpr (compiled_coo<Row, Col>)
        layout.with_caches([&]<class Cached>(const Cached& cached) {
          const CooIntervals intervals = coo_intervals(a.coo_entries(), p.coo_warps);
          LaunchSpec spec{.grid = 0, .block = p.block_size};
          if (a.coo_entries() > 0) spec = item_grid(intervals.warps * simt::warp_size, p.block_size);
          const EllPart<T, Col> ell{
              layout.in("ell_columns", Role::guarding_x_index, a.ell_columns().template as<Col>()),
              layout.in("ell_values", Role::matrix, a.ell_values().template as<T>())};
          const CooEntries<T, Row, Col> coo{layout.in("coo_rows", Role::matrix, coo_rows),
                                            layout.in("coo_columns", Role::hoisted_x_index, coo_columns),
                                            layout.in("coo_values", Role::matrix, a.coo_values().template as<T>())};
          const auto to = sorted_rows(layout, a.permutation().template as<Row>(), p.reorder_y);
          Code<T, Row, Col, Cached> code{.ell = ell,
                                         .coo = coo,
                                         .permutation = to.permutation,
                                         .x = layout.x(),
                                         .y = to.y(layout),
                                         .intervals = intervals,
                                         .coo_blocks = spec.grid,
                                         .part_count = 0,
                                         .scale = to.scale,
                                         .cached = cached,
                                         .parts = {}};
          for (const HybRPart& part : a.parts()) {
            if (spec.grid > 0) spec.sections.push_back(spec.grid);
            code.parts[code.part_count++] = {spec.grid, part.begin, part.rows, part.pitch, part.width};
            spec.grid += row_grid(part.rows, p.block_size, p.block_size).grid;
          }
          if (code.coo_blocks == 0 && code.part_count == 1)
            spec.rows_per_block = p.block_size;
          else if (to.puts_back())
            layout.launch(item_grid(a.rows(), p.block_size), ScaleY<T>{to.sorted_y, 0, a.rows()});
          else
            scale_y_first(layout, a.rows());
          layout.launch(spec, code);
          to.put_back(layout, p.block_size, cached);
        });
    };
    visit_all(launch, a.coo_rows(), a.coo_columns());
  }
};

}  // namespace warpspy::inline SIMT_TARGET
