// COO by segmented reduction (Bell & Garland 2008, section 4.4, figures 24 and 25, and the source that accompanies the
// paper). Each warp sums up an interval of the entries; it adds to y the rows that end in it, each in no other warp,
// and leaves what it has of its last row as a carry. A second launch of one block adds up the carries the same way. So
// there are no atomics, and the result is the same whatever the order of blocks.
#pragma once

#include "core/formats/coo.hpp"
#include "kernels/spmv/coo_warp.hpp"

namespace warpspy::inline SIMT_TARGET {

struct CooSegmented {
  using Input = CooFormat;
  struct Params {
    int block_size = 256;
    int coo_warps = 8192;
    bool operator==(const Params&) const = default;
  };

  template <class T, class Row, class Col, class Cached>
  struct Code {
    CooEntries<T, Row, Col> coo;
    simt::Array<const T> x;
    simt::Array<T> y;
    simt::Array<Row> carry_rows;
    simt::Array<T> carry_sums;
    CooIntervals intervals;
    Scale<T> scale;
    Cached cached;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      const int lane = t.thread % simt::warp_size;
      const std::int64_t warp = (t.block * t.block_size + t.thread) / simt::warp_size;
      if (warp >= intervals.warps) return;
      const RowSum<T, Row> carry = sum_by_rows<T, Row>(
          lane, intervals.begin(warp), intervals.end(warp), [&](std::int64_t k) { return coo.product(cached, x, k); },
          [&](Row row, T sum) { simt::st(y, row, simt::ld(y, row) + scale.scaled(sum)); });
      if (lane != 0) return;
      simt::st(carry_rows, warp, carry.row);
      simt::st(carry_sums, warp, carry.sum);
    }
  };

  // One block: each warp takes a share of the carries, then the first warp the carries of these.
  template <class T, class Row>
  struct Carries {
    simt::Array<Row> rows;
    simt::Array<T> sums;
    simt::Array<T> y;
    std::int64_t count;
    Scale<T> scale;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      SIMT_SHARED(Row, last_rows, simt::warp_size);
      SIMT_SHARED(T, last_sums, simt::warp_size);
      const int lane = t.thread % simt::warp_size, warp = t.thread / simt::warp_size;
      const int warps = t.block_size / simt::warp_size;
      const CooIntervals shares{count, (count + t.block_size - 1) / t.block_size * simt::warp_size, warps};
      const RowSum<T, Row> carry = sum_by_rows<T, Row>(
          lane, shares.begin(warp), shares.end(warp),
          [&](std::int64_t k) { return RowSum<T, Row>{simt::ld(rows, k), simt::ld(sums, k)}; },
          [&](Row row, T sum) { add(row, sum); });
      if (lane == 0) {
        simt::st(last_rows, warp, carry.row);
        simt::st(last_sums, warp, carry.sum);
      }
      simt::sync_block();
      if (warp > 0) return;
      const RowSum<T, Row> last = sum_by_rows<T, Row>(
          lane, 0, warps,
          [&](std::int64_t k) { return RowSum<T, Row>{simt::ld(last_rows, k), simt::ld(last_sums, k)}; },
          [&](Row row, T sum) { add(row, sum); });
      if (lane == 0) add(last.row, last.sum);
    }

    // A warp without a row to carry leaves -1.
    SIMT_DEVICE void add(Row row, T sum, simt::Where where = simt::Where::current()) const {
      if (row >= 0) simt::st(y, row, simt::ld(y, row, where) + scale.scaled(sum), where);
    }
  };

  static Fields<Params> fields() {
    return {{&Params::block_size, warps_spec()}, {&Params::coo_warps, coo_warps_spec()}};
  }
  static constexpr Tags tags = Tag::splits_rows | Tag::several_launches;
  static constexpr Slowdown slowdown = {1.4, of_eight_draws};
  static std::vector<ParamSet> validated() { return {ParamSet{}}; }
  static KernelInfo info() {
    return {"coo_segmented", "COO segmented",
            "Warps sum up equal intervals of entries by segmented reduction: whatever the row lengths, the same work, "
            "and no atomics.",
            "Bell & Garland 2008, section 4.4 and figure 24", "coo"};
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    const auto launch = [&]<class Row, class Col>(std::span<const Row> rows, std::span<const Col> columns) {
      if constexpr (compiled_coo<Row, Col>)
        layout.with_caches([&]<class Cached>(const Cached& cached) {
          const CooIntervals intervals = coo_intervals(a.nnz(), p.coo_warps);
          const auto carry_rows = layout.template scratch<Row>("carry_rows", intervals.warps, [&](index_t warp) {
            return rows[static_cast<std::size_t>(std::min((warp + 1) * intervals.interval, intervals.entries)) - 1];
          });
          const auto carry_sums = layout.template scratch<T>("carry_sums", intervals.warps);
          const CooEntries<T, Row, Col> coo{layout.in("rows", Role::matrix, rows),
                                            layout.in("columns", Role::hoisted_x_index, columns),
                                            layout.in("values", Role::matrix, a.values().template as<T>())};
          scale_y_first(layout, a.rows());
          LaunchSpec spec = item_grid(intervals.warps * simt::warp_size, p.block_size);
          layout.launch(spec, Code<T, Row, Col, Cached>{coo, layout.x(), layout.y(), carry_rows, carry_sums, intervals,
                                                        layout.scale(), cached});
          // One lane per carry, in the fewest warps, at most 16: with more, warps would wait longer for each other.
          const index_t wanted = (intervals.warps + simt::warp_size - 1) / simt::warp_size * simt::warp_size;
          const int block_size = static_cast<int>(std::clamp<index_t>(wanted, simt::warp_size, 512));
          layout.launch({.grid = 1, .block = block_size},
                        Carries<T, Row>{carry_rows, carry_sums, layout.y(), intervals.warps, layout.scale()});
        });
    };
    visit_all(launch, a.row_indices(), a.columns());
  }
};

}  // namespace warpspy::inline SIMT_TARGET
