// Product with a matrix in BSR, whose blocks have r rows and c columns. Each of the r rows of a block row gets `coop`
// lanes, so a block row gets r * coop neighbouring lanes. (No paper has a listing; BSR is named in the conclusions of
// Bell & Garland 2008 and in Reguly & Giles 2012, section 2.) A lane takes every coop-th of the c * blocks products of
// its row: with coop = c the lanes read whole blocks in the order of memory, and c lanes read c neighbouring elements
// of x.
#pragma once

#include "core/formats/bsr.hpp"
#include "kernels/spmv/spmv.hpp"

namespace warpspy::inline SIMT_TARGET {

struct Bsr {
  using Input = BsrFormat;
  struct Params {
    int coop = 4;
    int block_size = 128;
    bool operator==(const Params&) const = default;
  };

  template <class T, class Ptr, class Col, class Cached>
  struct Code {
    simt::Array<const Ptr> block_ptr;
    simt::Array<const Col> block_columns;
    simt::Array<const T> values;
    simt::Array<const T> x;
    simt::Array<T> y;
    std::int64_t rows, cols;
    int r, c, coop_exponent;  // coop = 2^coop_exponent
    Scale<T> scale;
    Cached cached;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      const int coop = 1 << coop_exponent, lane = t.thread & (coop - 1);
      const std::int64_t row = (t.block * t.block_size + t.thread) >> coop_exponent;
      T sum = 0;
      if (row < rows) {
        const std::int64_t block_row = row / r, i = row % r;
        // Unsigned, so that a step past the last of almost 2^31 blocks does not overflow.
        using Position = std::make_unsigned_t<Ptr>;
        const Position begin = simt::ld(cached.pointers, block_ptr, block_row);
        const Position end = simt::ld(cached.pointers, block_ptr, block_row + 1);
        // Value k is entry j of row i of a block. Each step goes `coop` entries further. These two numbers move j and
        // the block without a division or a multiplication.
        const int blocks_on = coop / c, columns_on = coop % c;
        int j = lane % c;
        Position block = begin + lane / c;
        std::int64_t k = (static_cast<std::int64_t>(block) * r + i) * c + j;
        const int step = blocks_on * r * c + columns_on, to_next_block = (r - 1) * c;
        while (block < end) {
          const std::int64_t column = static_cast<std::int64_t>(simt::ld(cached.columns, block_columns, block)) * c + j;
          const T value = simt::ld(cached.values, values, k);
          if (column < cols) sum += value * simt::ld(cached.x, x, column);  // the last blocks may reach past the edge
          block += blocks_on;
          j += columns_on;
          k += step;
          if (j >= c) j -= c, ++block, k += to_next_block;
        }
      }
      // The shuffle stands outside the condition, since every lane of the warp must take part.
      sum = simt::sum_down(sum, coop);
      if (row < rows && lane == 0) scale.store(y, row, sum);
    }
  };

  static Fields<Params> fields() {
    return {{&Params::coop,
             {.id = "coop",
              .label = "Threads per row",
              .help = "Threads that share a row of the matrix. As many as a block has columns read whole blocks "
                      "as they lie in memory.",
              .type = ParamSpec::Type::power_of_two,
              .min = 1,
              .max = 32,
              .tried = {1, 2, 4, 8, 16, 32}}},
            {&Params::block_size, block_size_spec()}};
  }
  static constexpr Tags tags = Tag::blocks;
  static constexpr Slowdown slowdown = {2, of_eight_draws};
  static KernelInfo info() {
    return {"bsr", "BSR",
            "Groups of threads per row of blocks: one column index for a block of r x c values, x read in pieces of c.",
            "Bell & Garland 2008, conclusions; Reguly & Giles 2012, section 2", "bsr"};
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    a.block_ptr().visit([&]<class Ptr>(std::span<const Ptr> block_ptr) {
      a.block_columns().visit([&]<class Col>(std::span<const Col> block_columns) {
        if constexpr (compiled_indices<Ptr, Col>)
          layout.with_caches([&]<class Cached>(const Cached& cached) {
            LaunchSpec spec = row_grid(a.rows(), p.block_size / p.coop, p.block_size);
            spec.loads_in_flight = 1;
            tell_lengths(spec, block_ptr, static_cast<double>(p.block_size) / p.coop / a.block_rows());
            layout.launch(spec, Code<T, Ptr, Col, Cached>{
                                    layout.in("block_ptr", Role::matrix_index, block_ptr),
                                    layout.in("block_columns", Role::x_index, block_columns),
                                    layout.in("values", Role::matrix, a.values().template as<T>()), layout.x(),
                                    layout.y(), a.rows(), a.cols(), static_cast<int>(a.block_rows()),
                                    static_cast<int>(a.block_cols()), exponent_of(p.coop), layout.scale(), cached});
          });
      });
    });
  }
};

}  // namespace warpspy::inline SIMT_TARGET
