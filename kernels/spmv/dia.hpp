// Diagonals, one thread per row (Bell & Garland 2008, section 4.1 and figures 15 and 16). Neighbouring lanes read
// neighbouring values and neighbouring entries of x: everything is coalesced, and no column index is read.
// Where a diagonal runs outside the matrix neither x nor the padding is read, as figure 16 draws it (its listing reads
// the padding first). Padding inside the matrix is 0 and is multiplied with x like an entry.
#pragma once

#include "core/formats/dia.hpp"
#include "kernels/spmv/spmv.hpp"

namespace warpspy::inline SIMT_TARGET {

struct Dia {
  using Input = DiaFormat;
  struct Params {
    int block_size = 256;
    int offsets = 0;  // 1: through shared memory
    bool operator==(const Params&) const = default;
  };

  // Position counts rows, columns and diagonals, and wraps: what lies left of the first column is right of the last.
  template <class T, class Offset, class Position, class Cached>
  struct Code {
    simt::Array<const Offset> offsets;
    simt::Array<const T> values;
    simt::Array<const T> x;
    simt::Array<T> y;
    Position rows, cols, diagonals;
    std::int64_t pitch;
    bool shared_offsets;
    Scale<T> scale;
    Cached cached;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      const Position row = static_cast<Position>(t.block * t.block_size + t.thread);
      std::int64_t k = row;  // of the value
      T dot = 0;
      if (shared_offsets) {
        // The block loads as many offsets at a time as it has threads.
        SIMT_DYNAMIC_SHARED(Offset, near, 0, t.block_size);
        for (Position first = 0; first < diagonals; first += t.block_size) {
          if (first > 0) simt::sync_block();  // all threads have used the previous offsets
          if (first + t.thread < diagonals)
            simt::st(near, t.thread, simt::ld(cached.columns, offsets, first + t.thread));
          simt::sync_block();
          const Position left = diagonals - first, most = t.block_size;
          const int count = static_cast<int>(left < most ? left : most);
          SIMT_UNROLL_BY_4
          for (int n = 0; n < count; ++n, k += pitch) {
            const Position column = row + static_cast<Position>(simt::ld(near, n));
            if (row < rows && column < cols) dot += simt::ld(cached.values, values, k) * simt::ld(cached.x, x, column);
          }
        }
        if (row < rows) scale.store(y, row, dot);
        return;
      }
      if (row >= rows) return;
      SIMT_UNROLL_BY_4
      for (Position n = 0; n < diagonals; ++n, k += pitch) {
        const Position column = row + static_cast<Position>(simt::ld(cached.columns, offsets, n));
        if (column < cols) dot += simt::ld(cached.values, values, k) * simt::ld(cached.x, x, column);
      }
      scale.store(y, row, dot);
    }
  };

  static Fields<Params> fields() {
    return {{&Params::block_size, warps_spec()},
            {&Params::offsets,
             {.id = "offsets",
              .label = "Offsets",
              .help = "Directly: every thread loads the offset of each diagonal, the same for a whole warp. Shared: "
                      "each block loads it once, into shared memory (Bell & Garland 2008, section 4.1).",
              .type = ParamSpec::Type::choice,
              .min = 0,
              .max = 1,
              .choices = {"direct", "shared"}}}};
  }
  static constexpr Tags tags = Tag::diagonals;
  static constexpr Slowdown slowdown = {1, not_measured};
  static std::vector<ParamSet> validated() { return {ParamSet{}}; }
  static KernelInfo info() {
    return {"dia", "DIA", "One thread per row over whole diagonals: all coalesced, and no column indices.",
            "Bell & Garland 2008, section 4.1 and figure 15", "dia"};
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    const auto launch = [&]<class Position, class Offset>(Position rows, std::span<const Offset> offsets) {
      if constexpr (compiled_indices<Position, Offset> && compiled_indices<Offset, Position>)
        layout.with_caches([&]<class Cached>(const Cached& cached) {
          LaunchSpec spec = row_grid(a.rows(), p.block_size, p.block_size);
          if (p.offsets == 1) spec.shared_bytes = p.block_size * static_cast<int>(sizeof(Offset));
          layout.launch(
              spec, Code<T, Offset, Position, Cached>{layout.in("offsets", Role::matrix, offsets),
                                                      layout.in("values", Role::matrix, a.values().template as<T>()),
                                                      layout.x(), layout.y(), rows, static_cast<Position>(a.cols()),
                                                      static_cast<Position>(a.diagonals()), a.pitch(), p.offsets == 1,
                                                      layout.scale(), cached});
        });
    };
    a.offsets().visit([&](auto offsets) {
      if (std::max(a.rows(), a.cols()) <= INT32_MAX)
        launch(static_cast<std::uint32_t>(a.rows()), offsets);
      else
        launch(static_cast<std::uint64_t>(a.rows()), offsets);
    });
  }
};

}  // namespace warpspy::inline SIMT_TARGET
