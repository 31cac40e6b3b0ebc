// Computes y = A^T x from a matrix in CSR without storing A^T. The product of every entry is added to y at the entry's
// column, by an atomic (Steinberger et al. 2016, section IV and algorithm 2). The paper gives a row to one thread (coop
// = 1); several threads read long rows side by side. The paper's GPU has no atomic addition in f64, so it adds by
// compare-and-swap (algorithm 3); a parameter can choose that here. An earlier launch computes y = beta y.
#pragma once

#include "core/formats/csr.hpp"
#include "kernels/spmv/spmv.hpp"

namespace warpspy::inline SIMT_TARGET {

struct Addition {
  enum : int { atomic, swap };
};

// Segments (rows of a CSR, columns of a CSC) with 2^coop_exponent threads each: entry k of segment s adds its value
// times x[s] to y[indices[k]]. The indices are indices of y, so they are read even if x is not.
template <class T, class Ptr, class Index, int addition, class Cached>
struct AddSegments {
  static constexpr bool awaits_previous = true;

  simt::Array<const Ptr> pointers;
  simt::Array<const Index> indices;
  simt::Array<const T> values;
  simt::Array<const T> x;
  simt::Array<T> y;
  std::int64_t segments;
  int coop_exponent;
  Scale<T> scale;
  Cached cached;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    simt::PreviousLaunch previous;
    // Unsigned, so that a step past the last of almost 2^31 entries does not overflow.
    using Position = std::make_unsigned_t<Ptr>;
    constexpr int unroll = 4;  // loads in flight before the first addition; no load is moved past it
    const int coop = 1 << coop_exponent;
    const std::int64_t segment = (t.block * t.block_size + t.thread) >> coop_exponent;
    if (segment >= segments) return;
    const Position begin = simt::ld(cached.pointers, pointers, segment);
    const Position end = simt::ld(cached.pointers, pointers, segment + 1);
    if (begin == end) return;
    T factor = 0;
    bool awaited = false;
    for (Position k = begin + (t.thread & (coop - 1)); k < end; k += coop * unroll) {
      Index to[unroll];
      T value[unroll];
      SIMT_UNROLL
      for (int u = 0; u < unroll; ++u) {
        to[u] = -1;
        value[u] = 0;
        if (k + u * coop >= end) continue;
        to[u] = simt::ld(cached.pointers, indices, k + u * coop);
        value[u] = simt::ld(cached.values, values, k + u * coop);
      }
      if (!awaited) {  // the loads of the first entries have started
        previous.await();
        factor = scale.scaled(simt::ld(cached.x, x, segment));
        awaited = true;
      }
      SIMT_UNROLL
      for (int u = 0; u < unroll; ++u)
        if (to[u] >= 0) add(to[u], value[u] * factor);
    }
  }

  SIMT_DEVICE void add(Index to, T value, simt::Where where = simt::Where::current()) const {
    if constexpr (addition == Addition::swap)
      simt::swap_add(y, to, value, where);
    else
      simt::atomic_add(y, to, value, where);
  }
};

// Parameters that tell how many threads share a segment (a row of a CSR, or a column of a CSC).
struct SegmentParams {
  int coop = 1;
  int addition = Addition::atomic;
  int block_size = 128;
  bool operator==(const SegmentParams&) const = default;
};
inline Fields<SegmentParams> segment_fields(const char* label) {
  return {{&SegmentParams::coop,
           {.id = "coop",
            .label = label,
            .help = "1 is the paper's. More threads read the entries of a long one side by side.",
            .type = ParamSpec::Type::power_of_two,
            .min = 1,
            .max = 32,
            .tried = {1, 2, 4, 8, 16, 32}}},
          {&SegmentParams::addition,
           {.id = "addition",
            .label = "Additions in f64",
            .help = "Atomic: where the GPU has none for f64 (before compute capability 6.0) it is a loop of "
                    "compare-and-swap anyway. Compare-and-swap: on any GPU, as Steinberger et al. did (algorithm 3): "
                    "each thread waits for the answer, and tries again where another one was first.",
            .type = ParamSpec::Type::choice,
            .min = 0,
            .max = 1,
            .choices = {"atomic", "compare-and-swap"},
            .searched = false}},
          {&SegmentParams::block_size, warps_spec()}};
}

// Lays out the two launches: ScaleY computes y = beta y, then AddSegments adds the products. `indices_name` is the name
// of the index array in traces.
template <class Layout, class Ptr, class Index, class Values>
void plan_segments(Layout& layout, const SegmentParams& p, const char* pointers_name, std::span<const Ptr> pointers,
                   const char* indices_name, std::span<const Index> indices, const Values& values, index_t out) {
  using T = typename Layout::Value;
  const auto segments = static_cast<index_t>(pointers.size()) - 1;
  layout.with_caches([&]<class Cached>(const Cached& cached) {
    layout.launch(item_grid(out, p.block_size), ScaleY<T>{layout.y(), layout.scale().beta, out});
    LaunchSpec spec = item_grid(segments * p.coop, p.block_size);
    tell_lengths(spec, pointers, static_cast<double>(p.block_size) / p.coop);
    const auto add_by = [&]<int addition>() {
      layout.launch(spec, AddSegments<T, Ptr, Index, addition, Cached>{
                              layout.in(pointers_name, Role::matrix_index, pointers),
                              layout.in(indices_name, Role::matrix, indices),
                              layout.in("values", Role::matrix, values.template as<T>()), layout.x(), layout.y(),
                              segments, exponent_of(p.coop), layout.scale(), cached});
    };
    if constexpr (sizeof(T) == 8)
      if (p.addition == Addition::swap) return add_by.template operator()<Addition::swap>();
    add_by.template operator()<Addition::atomic>();
  });
}

struct CsrTransposed {
  static constexpr bool overlaps = true;
  using Input = CsrFormat;
  using Params = SegmentParams;

  static Fields<Params> fields() { return segment_fields("Threads per row"); }
  static constexpr Tags tags = Tag::atomics;
  static constexpr Slowdown slowdown = {1, not_measured};
  static KernelInfo info() {
    KernelInfo info{"csr_transposed", "CSR transposed",
                    "y = A^T x from the CSR of A: entries are added to y by atomics, no transpose is stored.",
                    "Steinberger et al. 2016, section IV", "csr"};
    info.operation = Operation::transposed_product;
    return info;
  }

  template <class Layout>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    a.row_ptr().visit([&]<class Ptr>(std::span<const Ptr> row_ptr) {
      a.columns().visit([&]<class Col>(std::span<const Col> columns) {
        if constexpr (compiled_indices<Ptr, Col>)
          plan_segments(layout, p, "row_ptr", row_ptr, "columns", columns, a.values(), a.cols());
      });
    });
  }
};

}  // namespace warpspy::inline SIMT_TARGET
