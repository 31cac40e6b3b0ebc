// A symmetric matrix of which half is stored (core/formats/csr_symmetric.hpp). `coop` threads have a row: they add up
// its entries for its own element of y, and each entry's other product goes to the element of its column. These meet in
// shared memory first, where the block keeps a window of y: its own rows and `window` elements before them, which holds
// most columns where the matrix is a band. What lies before the window is added in L2, entry by entry; so is the window
// in the end, element by element, neighbouring lanes side by side. Other blocks add there too, so y is scaled by a
// launch before.
#pragma once

#include "core/formats/csr_symmetric.hpp"
#include "kernels/spmv/spmv.hpp"

namespace warpspy::inline SIMT_TARGET {

struct CsrSymmetric {
  using Input = CsrSymmetricFormat;
  struct Params {
    int coop = 4;
    int window = 1024;
    int block_size = 256;
    bool operator==(const Params&) const = default;
  };

  template <class T, class Ptr, class Col, class Cached>
  struct Code {
    simt::Array<const Ptr> row_ptr;
    simt::Array<const Col> columns;
    simt::Array<const T> values;
    simt::Array<const T> x;
    simt::Array<T> y;
    std::int64_t rows;
    int coop, window;  // window: elements before the block's rows
    Scale<T> scale;
    Cached cached;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      const int own_rows = t.block_size / coop;
      const std::int64_t first = t.block * own_rows, begin = first > window ? first - window : 0;
      const std::int64_t end = first + own_rows < rows ? first + own_rows : rows;
      const int size = static_cast<int>(end - begin);
      SIMT_DYNAMIC_SHARED(T, sums, 0, window + own_rows);
      for (int i = t.thread; i < size; i += t.block_size) simt::st(sums, i, T{0});
      simt::sync_block();

      const std::int64_t row = first + t.thread / coop;
      const int part = t.thread % coop;
      T dot = 0;
      if (row < rows) {
        // Unsigned, so that a step past the last of almost 2^31 entries does not overflow.
        using Position = std::make_unsigned_t<Ptr>;
        const Position last = simt::ld(cached.pointers, row_ptr, row + 1);
        const T of_row = simt::ld(cached.x, x, row);
        for (Position k = simt::ld(cached.pointers, row_ptr, row) + part; k < last; k += coop) {
          const Col column = simt::ld(cached.columns, columns, k);
          const T value = simt::ld(cached.values, values, k);
          dot += value * simt::ld(cached.x, x, column);
          if (column == row) continue;
          if (column >= begin)
            simt::atomic_add(sums, static_cast<int>(column - begin), value * of_row);
          else
            simt::atomic_add(y, column, scale.scaled(value * of_row));
        }
      }
      dot = simt::sum_down(dot, coop);
      if (part == 0 && row < rows) simt::atomic_add(sums, static_cast<int>(row - begin), dot);
      simt::sync_block();
      for (int i = t.thread; i < size; i += t.block_size) {
        const T sum = simt::ld(sums, i);
        if (sum != T{0}) simt::atomic_add(y, begin + i, scale.scaled(sum));
      }
    }
  };

  static Fields<Params> fields() {
    return {{&Params::coop,
             {.id = "coop",
              .label = "Threads per row",
              .help = "Threads that share a row.",
              .type = ParamSpec::Type::power_of_two,
              .min = 1,
              .max = 32,
              .tried = {2, 4, 8, 16}}},
            {&Params::window,
             {.id = "window",
              .label = "Window",
              .help = "Elements of y before the rows of a block that it keeps in shared memory. Columns before them "
                      "take an atomic in L2 for each entry.",
              .type = ParamSpec::Type::power_of_two,
              .min = 1,
              .max = 4096,
              .tried = {256, 1024, 4096}}},
            {&Params::block_size, block_size_spec()}};
  }
  static constexpr Tags tags = Tag::threads_per_row | Tag::atomics;
  static constexpr Slowdown slowdown = {5, "a guess"};
  static KernelInfo info() {
    return {"csr_symmetric", "CSR symmetric",
            "Each stored entry is used twice, for its row and for its column: half of the matrix is read, and added to "
            "y by atomics. Slower than CSR where columns are far apart.",
            "after Gkountouvas et al. 2013", "csr_symmetric"};
  }

  template <class Plan, class T = typename Plan::Value>
  static void plan(const Input& a, const Params& p, Plan& plan) {
    visit_all(
        [&]<class Ptr, class Col>(std::span<const Ptr> row_ptr, std::span<const Col> columns) {
          if constexpr (Plan::template compiled<Ptr, Col> && Plan::template compiled<Ptr, Ptr>) {
            const int own_rows = p.block_size / p.coop;
            LaunchSpec spec = row_grid(a.rows(), own_rows, p.block_size);
            spec.rows_per_block = 0;
            spec.shared_bytes = (p.window + own_rows) * static_cast<int>(sizeof(T));
            spec.longest = longest_of(row_ptr, own_rows);
            spec.instructions = 13.4;  // counted by an H100
            plan.with_caches([&]<class Cached>(const Cached& cached) {
              scale_y_first(plan, a.rows());
              plan.launch(spec, Code<T, Ptr, Col, Cached>{plan.in("row_ptr", Role::matrix_index, row_ptr),
                                                          plan.in("columns", Role::x_index, columns),
                                                          plan.in("values", Role::matrix, a.values().template as<T>()),
                                                          plan.x(), plan.y(), a.rows(), p.coop, p.window, plan.scale(),
                                                          cached});
            });
          }
        },
        a.row_ptr(), a.columns());
  }
};

}  // namespace warpspy::inline SIMT_TARGET
