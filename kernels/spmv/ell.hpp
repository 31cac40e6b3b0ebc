// ELLPACK, `coop` threads per row (Bell & Garland 2008, section 4.2 and figure 17, with coop = 1). Neighbouring lanes
// read neighbouring entries, so columns and values are fully coalesced; of padding only the column is read.
// The paper tells padding by its value 0; here it is the column -1, so that a stored zero times infinity still counts.
// Where the format keeps row lengths no padding is read at all (ELLPACK-R, HYB-R, section III: each thread stops at the
// end of its row).
// With coop > 1 lane i of a row takes entries i, i + coop ...: a warp then reads coop pieces of columns side by side,
// each of 32 / coop entries, and matrices of few long rows still fill the device.
#pragma once

#include "core/formats/ell.hpp"
#include "kernels/spmv/spmv.hpp"

namespace warpspy::inline SIMT_TARGET {

struct Ell {
  using Input = EllFormat;
  struct Params {
    int coop = 1;
    int block_size = 256;
    bool operator==(const Params&) const = default;
  };

  static constexpr int unroll = 4;  // slots whose loads are in flight together

  template <class T, class Len, class Col, class Cached>
  struct Code {
    simt::Array<const Len> lengths;  // empty unless the format stores row lengths
    simt::Array<const Col> columns;
    simt::Array<const T> values;
    simt::Array<const T> x;
    simt::Array<T> y;
    std::int64_t rows, pitch, width;
    int coop_exponent;  // coop = 2^coop_exponent
    Scale<T> scale;
    Cached cached;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      // Rows are not longer than there are columns; slots may be more than their indices count.
      using Length = std::make_unsigned_t<Col>;
      const int coop = 1 << coop_exponent, coop_index = t.thread & (coop - 1);
      const std::int64_t row = (t.block * t.block_size + t.thread) >> coop_exponent;
      T dot = 0;
      if (row < rows) {
        Length length = static_cast<Length>(width);
        if (lengths.size > 0) length = static_cast<Length>(simt::ld(cached.pointers, lengths, row));
        const Length first = coop_index;
        const Length rounds = first < length ? (length - first + coop - 1) >> coop_exponent : 0;
        const std::int64_t step = pitch << coop_exponent;
        std::int64_t k = coop_index * pitch + row;
        Length n = 0;
        // Three steps, so that the loads of each are in flight together.
        SIMT_NO_UNROLL
        for (; n + unroll <= rounds; n += unroll, k += unroll * step) {
          Col column[unroll];
          T value[unroll], near[unroll];
          SIMT_UNROLL
          for (int i = 0; i < unroll; ++i) column[i] = simt::ld(cached.columns, columns, k + i * step);
          SIMT_UNROLL
          for (int i = 0; i < unroll; ++i) {
            value[i] = near[i] = 0;
            if (column[i] < 0) continue;
            value[i] = simt::ld(cached.values, values, k + i * step);
            near[i] = simt::ld(cached.x, x, column[i]);
          }
          SIMT_UNROLL
          for (int i = 0; i < unroll; ++i) dot += value[i] * near[i];
        }
        SIMT_NO_UNROLL
        for (; n < rounds; ++n, k += step) {
          const Col column = simt::ld(cached.columns, columns, k);
          if (column >= 0) dot += simt::ld(cached.values, values, k) * simt::ld(cached.x, x, column);
        }
      }
      // Outside the condition: every lane of the warp takes part.
      dot = simt::sum_down(dot, coop);
      if (row < rows && coop_index == 0) scale.store(y, row, dot);
    }
  };

  static Fields<Params> fields() {
    return {{&Params::coop,
             {.id = "coop",
              .label = "Threads per row",
              .help = "Threads that share a row, each taking every coop-th entry. More than one helps where rows are "
                      "long and few.",
              .type = ParamSpec::Type::power_of_two,
              .min = 1,
              .max = 32,
              .tried = {1, 2, 4, 8, 16, 32}}},
            {&Params::block_size, warps_spec()}};
  }
  static constexpr Tags tags = Tag::thread_per_row;
  static constexpr Slowdown slowdown = {1, of_eight_draws};
  static std::vector<ParamSet> validated() { return {ParamSet{}}; }
  static KernelInfo info() {
    return {"ell", "ELL",
            "One or several threads per row over padded rows: coalesced reads, but padding is read too unless the row "
            "lengths are kept.",
            "Bell & Garland 2008, section 4.2 and figure 17; HYB-R, section III", "ell"};
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    const auto launch = [&]<class Len, class Col>(std::span<const Len> lengths, std::span<const Col> columns) {
      // A row is at most as long as there are columns.
      if constexpr (sizeof(Len) <= sizeof(Col) && compiled_indices<Col, Col>)
        layout.with_caches([&]<class Cached>(const Cached& cached) {
          LaunchSpec spec = row_grid(a.rows(), p.block_size / p.coop, p.block_size);
          layout.launch(spec, Code<T, Len, Col, Cached>{layout.in("row_lengths", Role::matrix_index, lengths),
                                                        layout.in("columns", Role::guarding_x_index, columns),
                                                        layout.in("values", Role::matrix, a.values().template as<T>()),
                                                        layout.x(), layout.y(), a.rows(), a.pitch(), a.width(),
                                                        exponent_of(p.coop), layout.scale(), cached});
        });
    };
    visit_all(launch, a.row_lengths(), a.columns());
  }
};

}  // namespace warpspy::inline SIMT_TARGET
