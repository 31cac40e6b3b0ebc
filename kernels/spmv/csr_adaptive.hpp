// Product with a matrix in CSR in which a row's length decides its number of threads (the predecessor of EVC-HYB:
// EVC-HYB, section 1 and figure 1). The rows are ordered by length and divided into ranges. Rows of up to 8 entries get
// one thread each, rows of up to 16 entries two, and so on up to a whole block. The matrix is not reordered: the order
// is an array of row numbers, made once before the first product.
#pragma once

#include "core/formats/csr.hpp"
#include "kernels/spmv/adaptive.hpp"

namespace warpspy::inline SIMT_TARGET {

struct CsrAdaptive {
  using Input = CsrFormat;
  struct Params {
    int block_size = 512;
    int entries = 8;
    int order = 0;
    bool operator==(const Params&) const = default;
  };

  template <class T, class Ptr, class Col, class Cached>
  struct Code {
    simt::Array<const std::int32_t> row_order;
    simt::Array<const Ptr> row_ptr;
    simt::Array<const Col> columns;
    simt::Array<const T> values;
    simt::Array<const T> x;
    simt::Array<T> y;
    AdaptiveRanges ranges;
    Scale<T> scale;
    Cached cached;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      // Unsigned, so that a step past the last of almost 2^31 entries does not overflow.
      using Position = std::make_unsigned_t<Ptr>;
      const AdaptiveRanges::Share mine = ranges.share_of(t.block, t);
      const bool there = mine.row < mine.end;
      T sum = 0;
      std::int32_t row = 0;
      if (there) {
        row = simt::ld(cached.pointers, row_order, mine.row);
        const Position begin = simt::ld(cached.pointers, row_ptr, row);
        const Position end = simt::ld(cached.pointers, row_ptr, row + std::int64_t{1});
        for (Position k = begin + mine.lane; k < end; k += 1 << mine.range) {
          const Col column = simt::ld(cached.columns, columns, k);
          sum += simt::ld(cached.values, values, k) * simt::ld(cached.x, x, column);
        }
      }
      sum = sum_over_group(sum, t, mine.range);
      if (there && mine.lane == 0) scale.store(y, row, sum);
    }
  };

  static Fields<Params> fields() {
    return {{&Params::block_size, block_size_spec()},
            {&Params::entries, entries_per_thread_spec()},
            {&Params::order,
             {.id = "order",
              .label = "Order in a range",
              .help = "By length: neighbouring groups of threads have equally long rows, as in the paper. As in the "
                      "matrix: rows of a range keep their order, and neighbours read entries that lie side by side.",
              .type = ParamSpec::Type::choice,
              .min = 0,
              .max = 1,
              .choices = {"by length", "as in the matrix"}}}};
  }
  static constexpr Tags tags = Tag::threads_per_row | Tag::reorders_rows;
  static constexpr Slowdown slowdown = {2, of_eight_draws};
  static KernelInfo info() {
    return {"csr_adaptive", "CSR adaptive",
            "Rows ordered by length in ranges; longer rows get more threads, up to a whole block. The order is made "
            "once, before the first product.",
            "EVC-HYB, section 1 and figure 1", "csr"};
  }

  // Returns the row numbers sorted by length (or by range). Rows of equal length keep the order of the matrix.
  template <class Ptr>
  static std::vector<std::int32_t> ordered(std::span<const Ptr> row_ptr, const Params& p, AdaptiveRanges& ranges) {
    const std::size_t rows = row_ptr.size() - 1;
    const auto length = [&](std::size_t r) { return static_cast<index_t>(row_ptr[r + 1] - row_ptr[r]); };
    const auto range = [&](std::size_t r) { return range_of(length(r), p.entries, p.block_size); };
    const auto key = [&](std::size_t r) { return static_cast<std::size_t>(p.order == 0 ? length(r) : range(r)); };
    std::array<index_t, AdaptiveRanges::most> in_range{};
    std::size_t largest = 0;
    for (std::size_t r = 0; r < rows; ++r)
      ++in_range[static_cast<std::size_t>(range(r))], largest = std::max(largest, key(r));
    ranges = ranges_of(in_range, p.block_size);
    std::vector<std::size_t> next(largest + 2, 0);
    for (std::size_t r = 0; r < rows; ++r) ++next[key(r) + 1];
    for (std::size_t k = 1; k < next.size(); ++k) next[k] += next[k - 1];
    std::vector<std::int32_t> order(rows);
    for (std::size_t r = 0; r < rows; ++r) order[next[key(r)]++] = static_cast<std::int32_t>(r);
    return order;
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    if (a.rows() > INT32_MAX)
      throw Error("kernel csr_adaptive orders at most 2147483647 rows, and the matrix has " + std::to_string(a.rows()),
                  {}, "use kernel csr_vector");
    a.row_ptr().visit([&]<class Ptr>(std::span<const Ptr> row_ptr) {
      a.columns().visit([&]<class Col>(std::span<const Col> columns) {
        if constexpr (compiled_indices<Ptr, Col>) {
          const auto& prepared = layout.prepare([&] {
            AdaptiveRanges ranges;
            auto order = ordered(row_ptr, p, ranges);
            return std::pair(std::move(order), ranges);
          });
          const auto order = layout.made("row_order", Role::pointer_index, prepared.first);
          const AdaptiveRanges& ranges = prepared.second;
          LaunchSpec spec{.grid = std::max<std::int64_t>(1, ranges.block[AdaptiveRanges::most]),
                          .block = p.block_size,
                          .loads_in_flight = 1};
          tell_ranges(spec, ranges, 0, longest_in_ranges(row_ptr, p.entries, p.block_size), p.order == 0);
          layout.with_caches([&]<class Cached>(const Cached& cached) {
            layout.launch(spec,
                          Code<T, Ptr, Col, Cached>{order, layout.in("row_ptr", Role::matrix_index, row_ptr),
                                                    layout.in("columns", Role::x_index, columns),
                                                    layout.in("values", Role::matrix, a.values().template as<T>()),
                                                    layout.x(), layout.y(), ranges, layout.scale(), cached});
          });
        }
      });
    });
  }
};

}  // namespace warpspy::inline SIMT_TARGET
