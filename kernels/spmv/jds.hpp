// Product with a matrix in JDS (jagged diagonals), whose rows are sorted by length; each row gets one thread (Saad
// 1989; Bell & Garland 2008, section 3.7, call it a generalisation of ELL). The rows of a warp have similar lengths,
// and neighbouring lanes read neighbouring entries, though a diagonal may begin at any alignment. Each thread stores
// its element of y in the order of the matrix. Such stores are scattered, but no second launch has to reorder y.
#pragma once

#include "core/formats/jds.hpp"
#include "kernels/spmv/spmv.hpp"

namespace warpspy::inline SIMT_TARGET {

struct Jds {
  using Input = JdsFormat;
  struct Params {
    int block_size = 256;
    bool operator==(const Params&) const = default;
  };

  template <class T, class Row, class Ptr, class Col, class Cached>
  struct Code {
    simt::Array<const Row> permutation;
    simt::Array<const Ptr> diagonal_ptr;
    simt::Array<const Col> columns;
    simt::Array<const T> values;
    simt::Array<const T> x;
    simt::Array<T> y;
    std::int64_t rows, diagonals;
    Scale<T> scale;
    Cached cached;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      const std::int64_t i = t.block * t.block_size + t.thread;
      if (i >= rows) return;
      T dot = 0;
      std::int64_t begin = simt::ld(cached.pointers, diagonal_ptr, 0);
      for (std::int64_t n = 0; n < diagonals; ++n) {
        const std::int64_t end = simt::ld(cached.pointers, diagonal_ptr, n + 1);
        const std::int64_t k = begin + i;
        if (k >= end) break;  // diagonals only get shorter, so no later one has this row
        const Col column = simt::ld(cached.columns, columns, k);
        dot += simt::ld(cached.values, values, k) * simt::ld(cached.x, x, column);
        begin = end;
      }
      const Row row = simt::ld(cached.pointers, permutation, i);
      scale.store(y, row, dot);
    }
  };

  static Fields<Params> fields() { return {{&Params::block_size, warps_spec()}}; }
  static constexpr Tags tags = Tag::thread_per_row | Tag::reorders_rows;
  static constexpr Slowdown slowdown = {1.3, of_eight_draws};
  static KernelInfo info() {
    return {"jds", "JDS",
            "One thread per row, rows sorted by length: coalesced without padding, but y is stored out of order.",
            "Saad 1989; Bell & Garland 2008, section 3.7", "jds"};
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    const auto launch = [&]<class Row, class Ptr, class Col>(std::span<const Row> permutation,
                                                             std::span<const Ptr> diagonal_ptr,
                                                             std::span<const Col> columns) {
      if constexpr (compiled_indices<Ptr, Col> && compiled_indices<Ptr, Row>)
        layout.with_caches([&]<class Cached>(const Cached& cached) {
          LaunchSpec spec = row_grid(a.rows(), p.block_size, p.block_size);
          spec.loads_in_flight = 1;             // the loop also loads where the next diagonal begins
          spec.rows_per_block = 0;              // a block's rows of y are not neighbours
          spec.longest = {{0, a.diagonals()}};  // the first row is the longest
          layout.launch(spec, Code<T, Row, Ptr, Col, Cached>{
                                  layout.in("permutation", Role::matrix, permutation),
                                  layout.in("diagonal_ptr", Role::matrix_index, diagonal_ptr),
                                  layout.in("columns", Role::x_index, columns),
                                  layout.in("values", Role::matrix, a.values().template as<T>()), layout.x(),
                                  layout.y(), a.rows(), a.diagonals(), layout.scale(), cached});
        });
    };
    visit_all(launch, a.permutation(), a.diagonal_ptr(), a.columns());
  }
};

}  // namespace warpspy::inline SIMT_TARGET
