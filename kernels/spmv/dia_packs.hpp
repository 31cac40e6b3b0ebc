// Product with a matrix in DIA with several rows per thread. Each thread reads the values of neighbouring rows with one
// instruction, and loads three diagonals at a time. So loads are wide, and more bytes are in flight. The rest is as in
// Bell & Garland 2008, section 4.1. Where a diagonal runs outside the matrix, the kernel reads the padding, as their
// listing does, but not x.
#pragma once

#include "core/formats/dia.hpp"
#include "kernels/spmv/spmv.hpp"

namespace warpspy::inline SIMT_TARGET {

struct DiaPacks {
  using Input = DiaFormat;
  static constexpr bool overlaps = true;
  struct Params {
    int rows_per_thread = 2;
    int block_size = 256;
    bool operator==(const Params&) const = default;
  };

  template <class T, class Offset, int pack, class Cached>
  struct Code {
    static constexpr bool awaits_previous = true;
    simt::Array<const Offset> offsets;
    simt::Array<const T> values;
    simt::Array<const T> x;
    simt::Array<T> y;
    std::int64_t rows;
    Offset cols, pitch;
    int diagonals;
    Scale<T> scale;
    Cached cached;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      constexpr int unroll = 3;
      // Unsigned, as wide as an offset: a column left of the matrix wraps to a huge number, beyond the last column.
      using Column = std::make_unsigned_t<Offset>;
      const std::int64_t row = (t.block * t.block_size + t.thread) * pack;
      if (row >= rows) return;
      simt::PreviousLaunch previous;
      T dot[pack] = {};
      for (int first = 0; first < diagonals; first += unroll) {
        simt::Pack<T, pack> value[unroll] = {};
        SIMT_UNROLL
        for (int u = 0; u < unroll; ++u)
          if (first + u < diagonals)
            value[u] = simt::ld_pack<pack>(cached.values, values, (first + u) * static_cast<std::int64_t>(pitch) + row);
        previous.await();
        SIMT_UNROLL
        for (int u = 0; u < unroll; ++u) {
          if (first + u >= diagonals) continue;
          const Column column = static_cast<Column>(row) + simt::ld(cached.columns, offsets, first + u);
          SIMT_UNROLL
          for (int r = 0; r < pack; ++r)
            if (static_cast<Column>(column + r) < static_cast<Column>(cols))
              dot[r] += value[u].v[r] * simt::ld(cached.x, x, static_cast<Column>(column + r));
        }
      }
      previous.await();  // in case there is no diagonal
      SIMT_UNROLL
      for (int r = 0; r < pack; ++r)
        if (row + r < rows) scale.store(y, row + r, dot[r]);
    }
  };

  static ParamSpec rows_per_thread_spec() {
    return {.id = "rows_per_thread",
            .label = "Rows per thread",
            .help =
                "Neighbouring rows whose values a thread reads with one instruction; at most 16 bytes of them. "
                "Where columns of the array do not begin at a multiple of it, 1.",
            .type = ParamSpec::Type::power_of_two,
            .min = 1,
            .max = 4,
            .tried = {1, 2, 4}};
  }
  static Fields<Params> fields() {
    return {{&Params::rows_per_thread, rows_per_thread_spec()}, {&Params::block_size, block_size_spec()}};
  }
  static constexpr Tags tags = Tag::diagonals | Tag::many_in_flight;
  static constexpr Slowdown slowdown = {1, not_measured};
  static KernelInfo info() {
    return {"dia_packs", "DIA packs",
            "Threads compute neighbouring rows, with wide loads and several diagonals in flight.",
            "after Bell & Garland 2008, section 4.1", "dia"};
  }

  // Calls launch<rows>() with the largest number of rows per thread that the pitch allows. `pitch` is the length of a
  // stored diagonal.
  template <class T, class Launch>
  static void with_rows(index_t pitch, int rows_per_thread, const Launch& launch) {
    int pack = std::min<int>(rows_per_thread, 16 / sizeof(T));
    if (pitch % pack != 0) pack = 1;
    if constexpr (sizeof(T) == 4)
      with_value<1, 2, 4>(pack, launch);
    else
      with_value<1, 2>(pack, launch);
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    a.offsets().visit([&]<class Offset>(std::span<const Offset> offsets) {
      if constexpr (compiled_indices<Offset, Offset>)
        layout.with_caches([&]<class Cached>(const Cached& cached) {
          with_rows<T>(a.pitch(), p.rows_per_thread, [&]<int rows>() {
            LaunchSpec spec = row_grid(a.rows(), index_t{p.block_size} * rows, p.block_size);
            spec.loads_in_flight = 3;
            layout.launch(spec, Code<T, Offset, rows, Cached>{
                                    layout.in("offsets", Role::matrix, offsets),
                                    layout.in("values", Role::matrix, a.values().template as<T>()), layout.x(),
                                    layout.y(), a.rows(), static_cast<Offset>(a.cols()), static_cast<Offset>(a.pitch()),
                                    static_cast<int>(a.diagonals()), layout.scale(), cached});
          });
        });
    });
  }
};

}  // namespace warpspy::inline SIMT_TARGET
