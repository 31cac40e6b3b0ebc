// Computes y = A x from a matrix in CSC. Threads read a column and add the product of each entry to y by an atomic.
// (Steinberger et al. 2016, sections II and IV, describe it as the transposed product of the CSR of A^T.)
#pragma once

#include "core/formats/csc.hpp"
#include "kernels/spmv/csr_transposed.hpp"

namespace warpspy::inline SIMT_TARGET {

struct Csc {
  static constexpr bool overlaps = true;
  using Input = CscFormat;
  using Params = SegmentParams;

  static Fields<Params> fields() { return segment_fields("Threads per column"); }
  static constexpr Tags tags = Tag::atomics;
  static constexpr Slowdown slowdown = {3, of_eight_draws};
  static KernelInfo info() {
    return {"csc", "CSC", "y = A x from columns: entries are added to y by atomics.",
            "Steinberger et al. 2016, section IV", "csc"};
  }

  template <class Layout>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    a.col_ptr().visit([&]<class Ptr>(std::span<const Ptr> col_ptr) {
      a.row_indices().visit([&]<class Row>(std::span<const Row> rows) {
        if constexpr (compiled_indices<Ptr, Row>)
          plan_segments(layout, p, "col_ptr", col_ptr, "rows", rows, a.values(), a.rows());
      });
    });
  }
};

}  // namespace warpspy::inline SIMT_TARGET
