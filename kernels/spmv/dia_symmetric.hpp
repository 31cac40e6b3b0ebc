// Product with a symmetric matrix of which the lower diagonals are stored (core/formats/dia_symmetric.hpp). Each thread
// has some neighbouring rows, as in dia_packs. For entries left of the main diagonal it reads a diagonal's values at
// its rows. For entries right of it, it reads the values `distance` rows further down. Another thread reads these
// values for its own rows, at about the same time if the distance is short. So a value comes from L2 or DRAM once, and
// from L1 or L2 the second time. No atomics are used, so the result is always the same.
#pragma once

#include "core/formats/dia_symmetric.hpp"
#include "kernels/spmv/dia_packs.hpp"

namespace warpspy::inline SIMT_TARGET {

struct DiaSymmetric {
  using Input = DiaSymmetricFormat;
  static constexpr bool overlaps = true;
  struct Params {
    int rows_per_thread = 1;
    int block_size = 256;
    bool operator==(const Params&) const = default;
  };

  template <class T, class Offset, int pack, class Cached>
  struct Code {
    static constexpr bool awaits_previous = true;
    static constexpr int at_once = 3;  // diagonals
    simt::Array<const Offset> offsets;
    simt::Array<const T> values;
    simt::Array<const T> x;
    simt::Array<T> y;
    std::int64_t rows;
    Offset pitch;
    int diagonals;
    Scale<T> scale;
    Cached cached;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      const std::int64_t row = (t.block * t.block_size + t.thread) * pack;
      if (row >= rows) return;
      simt::PreviousLaunch previous;
      T dot[pack] = {};
      for (int first = 0; first < diagonals; first += at_once) {
        simt::Pack<T, pack> lower[at_once] = {};
        T upper[at_once][pack] = {};
        std::int64_t distance[at_once] = {};
        SIMT_UNROLL
        for (int u = 0; u < at_once; ++u) {
          if (first + u >= diagonals) continue;
          distance[u] = -std::int64_t{simt::ld(cached.columns, offsets, first + u)};
          const std::int64_t at = (first + u) * static_cast<std::int64_t>(pitch) + row;
          lower[u] = simt::ld_pack<pack>(cached.values, values, at);
          SIMT_UNROLL
          for (int r = 0; r < pack; ++r)
            if (distance[u] > 0 && row + r + distance[u] < rows)
              upper[u][r] = simt::ld(cached.values, values, at + r + distance[u]);
        }
        previous.await();
        SIMT_UNROLL
        for (int u = 0; u < at_once; ++u) {
          if (first + u >= diagonals) continue;
          SIMT_UNROLL
          for (int r = 0; r < pack; ++r) {
            const std::int64_t left = row + r - distance[u], right = row + r + distance[u];
            if (left >= 0 && left < rows) dot[r] += lower[u].v[r] * simt::ld(cached.x, x, left);
            if (distance[u] > 0 && right < rows) dot[r] += upper[u][r] * simt::ld(cached.x, x, right);
          }
        }
      }
      previous.await();  // in case there is no diagonal
      SIMT_UNROLL
      for (int r = 0; r < pack; ++r)
        if (row + r < rows) scale.store(y, row + r, dot[r]);
    }
  };

  static Fields<Params> fields() {
    return {{&Params::rows_per_thread, DiaPacks::rows_per_thread_spec()}, {&Params::block_size, block_size_spec()}};
  }
  static constexpr Tags tags = Tag::diagonals | Tag::many_in_flight;
  static constexpr Slowdown slowdown = {1, not_measured};
  static KernelInfo info() {
    return {"dia_symmetric", "DIA symmetric",
            "Each stored diagonal is used twice, for itself and for the one across the main diagonal: half of the "
            "matrix is read, and no atomics are needed.",
            "after Bell & Garland 2008, section 4.1", "dia_symmetric"};
  }

  template <class Layout, class T = typename Layout::Value>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    a.offsets().visit([&]<class Offset>(std::span<const Offset> offsets) {
      if constexpr (compiled_indices<Offset, Offset>)
        layout.with_caches([&]<class Cached>(const Cached& cached) {
          DiaPacks::with_rows<T>(a.pitch(), p.rows_per_thread, [&]<int rows>() {
            LaunchSpec spec = row_grid(a.rows(), index_t{p.block_size} * rows, p.block_size);
            spec.loads_in_flight = Code<T, Offset, rows, Cached>::at_once;
            layout.launch(
                spec, Code<T, Offset, rows, Cached>{layout.in("offsets", Role::matrix, offsets),
                                                    layout.in("values", Role::matrix, a.values().template as<T>()),
                                                    layout.x(), layout.y(), a.rows(), static_cast<Offset>(a.pitch()),
                                                    static_cast<int>(a.diagonals()), layout.scale(), cached});
          });
        });
    });
  }
};

}  // namespace warpspy::inline SIMT_TARGET
