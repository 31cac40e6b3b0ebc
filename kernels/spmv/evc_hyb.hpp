// Product with a matrix in EVC-HYB, whose ELL part and CSR part are computed in one launch (EVC-HYB, section 2.2,
// algorithm 1, listings 1 and 2). The first blocks compute the ELL part: each thread computes one or several rows of
// equal length. The other blocks compute the CSR part, where longer rows get more threads. In the listings every block
// searches its range in parallel, through shared memory and a barrier. Here an array names the range of each block, and
// the ranges of the CSR part are arguments. The listings' ELL loop tests no padding, so its loads do not wait for one
// another; here four entries are loaded at once.
#pragma once

#include "core/formats/evc_hyb.hpp"
#include "kernels/spmv/adaptive.hpp"
#include "kernels/spmv/ell_part.hpp"
#include "kernels/spmv/y_order.hpp"

namespace warpspy::inline SIMT_TARGET {

struct EvcHyb {
  using Input = EvcHybFormat;
  struct Params {
    int block_size = 256;
    int rows_per_thread = 128;
    int entries = 8;
    int reorder_y = YOrder::scatter;
    bool operator==(const Params&) const = default;
  };

  template <class T, class Ptr, class Col, class Row, class Cached>
  struct Code {
    // For each block of the ELL part the number of its group; then the data of each group (see EvcGroup).
    simt::Array<const std::int32_t> block_group;
    simt::Array<const std::int64_t> group_block, group_row, group_begin, group_width;
    EllPart<T, Col> ell_part;
    simt::Array<const Ptr> csr_ptr;
    simt::Array<const Col> csr_columns;
    simt::Array<const T> csr_values;
    simt::Array<const Row> permutation;
    simt::Array<const T> x;
    simt::Array<T> y;
    simt::Array<T> sorted_y;  // y in sorted order, which a second launch reorders; empty if there is no such launch
    std::int64_t ell_blocks, split_row;
    AdaptiveRanges ranges;
    int reorder_y;
    Scale<T> scale;
    Cached cached;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      if (t.block < ell_blocks)
        ell(t);
      else
        csr(t);
    }

    SIMT_DEVICE void ell(simt::Thread t) const {
      const std::int32_t group = simt::ld(cached.pointers, block_group, t.block);
      const std::int64_t first_block = simt::ld(cached.pointers, group_block, group);
      const std::int64_t blocks = simt::ld(cached.pointers, group_block, group + 1) - first_block;
      const std::int64_t first_row = simt::ld(cached.pointers, group_row, group);
      const std::int64_t rows = simt::ld(cached.pointers, group_row, group + 1) - first_row;
      const std::int64_t begin = simt::ld(cached.pointers, group_begin, group);
      const std::int64_t width = simt::ld(cached.pointers, group_width, group);
      const std::int64_t step = t.block_size * blocks;
      for (std::int64_t row = t.block_size * (t.block - first_block) + t.thread; row < rows; row += step)
        store(first_row + row, ell_part.dot(cached, x, begin + row, rows, width));
    }

    SIMT_DEVICE void csr(simt::Thread t) const {
      const AdaptiveRanges::Share mine = ranges.share_of(t.block - ell_blocks, t);
      const bool there = mine.row < mine.end;
      T sum = 0;
      if (there) {
        const std::int64_t begin = simt::ld(cached.pointers, csr_ptr, mine.row);
        const std::int64_t end = simt::ld(cached.pointers, csr_ptr, mine.row + 1);
        for (std::int64_t k = begin + mine.lane; k < end; k += 1 << mine.range) {
          const Col column = simt::ld(cached.columns, csr_columns, k);
          if (column >= 0) sum += simt::ld(cached.values, csr_values, k) * simt::ld(cached.x, x, column);
        }
      }
      sum = sum_over_group(sum, t, mine.range);
      if (there && mine.lane == 0) store(split_row + mine.row, sum);
    }

    SIMT_DEVICE void store(std::int64_t place, T dot) const {
      if (reorder_y == YOrder::scatter)
        scale.store(y, simt::ld(cached.pointers, permutation, place), dot);
      else if (reorder_y == YOrder::afterwards)
        simt::st(sorted_y, place, dot);
      else
        scale.store(y, place, dot);
    }
  };

  static Fields<Params> fields() {
    return {{&Params::block_size, block_size_spec()},
            {&Params::rows_per_thread,
             {.id = "rows_per_thread",
              .label = "Rows per thread",
              .help = "Of the ELL part, at most. Rows half as long as the longest go to threads by twos, a quarter as "
                      "long by fours, and so on up to this many. The paper sets no limit: with rows of up to 128 "
                      "entries that is 128.",
              .type = ParamSpec::Type::power_of_two,
              .min = 1,
              .max = 128,
              .tried = {1, 2, 4}}},
            {&Params::entries, entries_per_thread_spec()},
            {&Params::reorder_y, reorder_y_spec()}};
  }
  static constexpr Tags tags = Tag::long_rows_apart | Tag::reorders_rows;
  static constexpr Slowdown slowdown = {1.8, of_eight_draws};
  static KernelInfo info() {
    return {"evc_hyb", "EVC-HYB",
            "ELL for short rows and CSR for long ones in one launch; short rows share a thread, long ones share a "
            "block.",
            "EVC-HYB, section 2.2 and listings 1 and 2", "evc_hyb"};
  }

  // The groups of the ELL part, and the group of each block. These arrays are small, so their integer type is fixed.
  struct Groups {
    std::vector<std::int32_t> of_block;
    std::vector<std::int64_t> block, row, begin, width;
  };
  static Groups groups_of(const Input& a, const Params& p) {
    Groups g;
    const index_t longest = a.groups().empty() ? 0 : a.groups().back().width;
    for (const EvcGroup& group : a.groups()) {
      index_t rows_per_thread = 1;
      while (rows_per_thread < p.rows_per_thread && 2 * rows_per_thread * group.width <= longest) rows_per_thread *= 2;
      const index_t rows_per_block = rows_per_thread * p.block_size;
      g.block.push_back(static_cast<std::int64_t>(g.of_block.size()));
      g.of_block.insert(g.of_block.end(), static_cast<std::size_t>((group.rows + rows_per_block - 1) / rows_per_block),
                        static_cast<std::int32_t>(g.row.size()));
      g.row.push_back(group.row);
      g.begin.push_back(group.begin);
      g.width.push_back(group.width);
    }
    g.block.push_back(static_cast<std::int64_t>(g.of_block.size()));
    g.row.push_back(a.split_row());
    return g;
  }
  // The rows of the CSR part are sorted by length, so each range is a run of neighbouring rows.
  static AdaptiveRanges ranges_of_csr(const Input& a, const Params& p) {
    std::array<index_t, AdaptiveRanges::most> in_range{};
    a.csr_ptr().visit([&](auto ptr) {
      for (std::size_t i = 0; i + 1 < ptr.size(); ++i)
        ++in_range[static_cast<std::size_t>(range_of(ptr[i + 1] - ptr[i], p.entries, p.block_size))];
    });
    return ranges_of(in_range, p.block_size);
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    a.csr_ptr().visit([&]<class Ptr>(std::span<const Ptr> csr_ptr) {
      a.csr_columns().visit([&]<class Col>(std::span<const Col> csr_columns) {
        a.permutation().visit([&]<class Row>(std::span<const Row> permutation) {
          if constexpr (compiled_indices<Ptr, Col> && compiled_indices<Ptr, Row>)
            layout.with_caches([&]<class Cached>(const Cached& cached) {
              Code<T, Ptr, Col, Row, Cached> code{};
              const auto& prepared = layout.prepare([&] { return std::pair(groups_of(a, p), ranges_of_csr(a, p)); });
              const Groups& groups = prepared.first;
              code.ell_blocks = static_cast<std::int64_t>(groups.of_block.size());
              code.block_group = layout.made("block_group", Role::pointer_index, groups.of_block);
              code.group_block = layout.made("group_block", Role::matrix_index, groups.block);
              code.group_row = layout.made("group_row", Role::matrix, groups.row);
              code.group_begin = layout.made("group_begin", Role::matrix_index, groups.begin);
              code.group_width = layout.made("group_width", Role::matrix_index, groups.width);
              code.ranges = prepared.second;
              if (p.reorder_y == YOrder::never) layout.y_in_order(permutation);
              code.ell_part.columns =
                  layout.in("ell_columns", Role::guarding_x_index, a.ell_columns().template as<Col>());
              code.ell_part.values = layout.in("ell_values", Role::matrix, a.ell_values().template as<T>());
              code.csr_ptr = layout.in("csr_ptr", Role::matrix_index, csr_ptr);
              code.csr_columns = layout.in("csr_columns", Role::hoisted_x_index, csr_columns);
              code.csr_values = layout.in("csr_values", Role::matrix, a.csr_values().template as<T>());
              if (p.reorder_y != YOrder::never) code.permutation = layout.in("permutation", Role::matrix, permutation);
              code.x = layout.x();
              code.y = layout.y();
              if (p.reorder_y == YOrder::afterwards) code.sorted_y = layout.template scratch<T>("sorted_y", a.rows());
              code.split_row = a.split_row();
              code.reorder_y = p.reorder_y;
              code.scale = layout.scale();
              code.cached = cached;
              const std::int64_t blocks = code.ell_blocks + code.ranges.block[AdaptiveRanges::most];
              LaunchSpec spec{.grid = std::max<std::int64_t>(1, blocks), .block = p.block_size};
              tell_ranges(spec, code.ranges, code.ell_blocks, longest_in_ranges(csr_ptr, p.entries, p.block_size),
                          true);
              layout.launch(spec, code);
              if (p.reorder_y == YOrder::afterwards)
                layout.launch(
                    item_grid(a.rows(), p.block_size),
                    PutBackY<T, Row, Cached>{code.permutation, code.sorted_y, code.y, a.rows(), code.scale, cached});
            });
        });
      });
    });
  }
};

}  // namespace warpspy::inline SIMT_TARGET
