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

  template <class T, class Offset, class Cached>
  struct Code {
    simt::Array<const Offset> offsets;
    simt::Array<const T> values;
    simt::Array<const T> x;
    simt::Array<T> y;
    std::int64_t rows, cols, pitch, diagonals;
    bool shared_offsets;
    Scale<T> scale;
    Cached cached;

    SIMT_DEVICE void operator()(simt::Thread t) const {
      const std::int64_t row = t.block * t.block_size + t.thread;
      T dot = 0;
      if (shared_offsets) {
        // As many at a time as the block has threads.
        SIMT_DYNAMIC_SHARED(Offset, near, 0, t.block_size);
        for (std::int64_t first = 0; first < diagonals; first += t.block_size) {
          if (first > 0) simt::sync_block();  // all are done with those before
          if (first + t.thread < diagonals)
            simt::st(near, t.thread, simt::ld(cached.columns, offsets, first + t.thread));
          simt::sync_block();
          const std::int64_t left = diagonals - first;
          const int count = left < t.block_size ? static_cast<int>(left) : t.block_size;
          for (int n = 0; n < count; ++n) {
            const std::int64_t column = row + simt::ld(near, n);
            if (row < rows && column >= 0 && column < cols)
              dot += simt::ld(cached.values, values, (first + n) * pitch + row) * simt::ld(cached.x, x, column);
          }
        }
        if (row < rows) scale.store(y, row, dot);
        return;
      }
      if (row >= rows) return;
      for (std::int64_t n = 0; n < diagonals; ++n) {
        const std::int64_t column = row + simt::ld(cached.columns, offsets, n);
        if (column >= 0 && column < cols)
          dot += simt::ld(cached.values, values, n * pitch + row) * simt::ld(cached.x, x, column);
      }
      scale.store(y, row, dot);
    }
  };

  static Fields<Params> fields() {
    return {{&Params::block_size, block_size_spec()},
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
  static KernelInfo info() {
    return {"dia", "DIA", "One thread per row over whole diagonals: all coalesced, and no column indices.",
            "Bell & Garland 2008, section 4.1 and figure 15", "dia"};
  }

  template <class Plan, class T = typename Plan::Value>
  static void plan(const Input& a, const Params& p, Plan& plan) {
    a.offsets().visit([&]<class Offset>(std::span<const Offset> offsets) {
      if constexpr (Plan::template compiled<Offset, Offset>)
        plan.with_caches([&]<class Cached>(const Cached& cached) {
          LaunchSpec spec = row_grid(a.rows(), p.block_size, p.block_size);
          if (p.offsets == 1) spec.shared_bytes = p.block_size * static_cast<int>(sizeof(Offset));
          plan.launch(
              spec, Code<T, Offset, Cached>{plan.in("offsets", offsets), plan.in("values", a.values().template as<T>()),
                                            plan.x(), plan.y(), a.rows(), a.cols(), a.pitch(), a.diagonals(),
                                            p.offsets == 1, plan.scale(), cached});
        });
    });
  }
};

}  // namespace warpspy::inline SIMT_TARGET
