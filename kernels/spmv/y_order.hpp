// Some formats sort the rows of the matrix, so y comes in another order. There are three choices. Each thread stores
// its element of y in the order of the matrix. Or a launch after the product reorders y, as in the papers (EVC-HYB,
// section 3.1 and figure 4; HYB-R, section IV.B). Or y stays in the sorted order, as in an iterative method that
// reorders only once, at its end.
#pragma once

#include "kernels/spmv/spmv.hpp"

namespace warpspy::inline SIMT_TARGET {

struct YOrder {
  enum : int { scatter, afterwards, never };
};

inline ParamSpec reorder_y_spec() {
  return {.id = "reorder_y",
          .label = "Order of y",
          .help =
              "Scatter: results are stored where the matrix has their rows. Second launch: they are stored as "
              "they come, and reordered after; its lines tell what that costs. Never: y stays in the order of "
              "the rows' lengths, as in an iterative method that reorders once at its end; y is put back into "
              "order outside the kernel.",
          .type = ParamSpec::Type::choice,
          .min = 0,
          .max = 2,
          .choices = {"scatter", "second launch", "never"},
          .searched = false};
}

// The second launch, which brings y into the order of the matrix's rows.
template <class T, class Row, class Cached>
struct PutBackY {
  simt::Array<const Row> permutation;
  simt::Array<T> sorted_y, y;
  std::int64_t rows;
  Scale<T> scale;
  Cached cached;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t place = t.block * t.block_size + t.thread;
    if (place >= rows) return;
    // Two statements, since compilers evaluate the arguments of a call in different orders.
    const Row row = simt::ld(cached.pointers, permutation, place);
    scale.store(y, row, simt::ld(sorted_y, place));
  }
};

// Tells where a product stores y, by `reorder_y`: the permutation, the factors alpha and beta, and the array. Formats
// that did not sort the rows have no choice.
template <class T, class Row>
struct SortedRows {
  std::span<const Row> order;
  simt::Array<const Row> permutation = {};  // empty: rows are stored in the format's order
  simt::Array<T> sorted_y = {};             // what put_back() reorders; empty if it has nothing to do
  Scale<T> scale;

  bool puts_back() const { return sorted_y.size > 0; }
  template <class Layout>
  simt::Array<T> y(Layout& layout) const {
    return puts_back() ? sorted_y : layout.y();
  }
  // Adds the last launch, which reorders y, if one is needed.
  template <class Layout, class Cached>
  void put_back(Layout& layout, int block_size, const Cached& cached) const {
    if (!puts_back()) return;
    const auto rows = static_cast<index_t>(order.size());
    layout.launch(item_grid(rows, block_size),
                  PutBackY<T, Row, Cached>{layout.in("permutation", Role::matrix, order), sorted_y, layout.y(), rows,
                                           layout.scale(), cached});
  }
};
template <class Layout, class Row, class T = typename Layout::Value>
SortedRows<T, Row> sorted_rows(Layout& layout, std::span<const Row> order, int reorder_y) {
  if (order.empty() || reorder_y == YOrder::scatter)
    return {.order = order, .permutation = layout.in("permutation", Role::matrix, order), .scale = layout.scale()};
  if (reorder_y == YOrder::never) {
    layout.y_in_order(order);
    return {.order = order, .scale = layout.scale()};
  }
  return {.order = order,
          .sorted_y = layout.template scratch<T>("sorted_y", static_cast<index_t>(order.size())),
          .scale = {1, 0}};
}

}  // namespace warpspy::inline SIMT_TARGET
