// csr_slots on compact values (core/formats/csr_compact.hpp); its columns are compact already.
#pragma once

#include "kernels/spmv/csr_slots.hpp"

namespace warpspy::inline SIMT_TARGET {

struct CsrCompactSlots {
  using Input = CsrCompactFormat;
  static constexpr bool overlaps = true, reads_pointers = false, reads_indices = false;
  using Params = CsrSlots::Params;

  static Fields<Params> fields() { return CsrSlots::fields(); }
  static KernelInfo info() {
    return {"csr_compact_slots", "CSR compact slots",
            "CSR slots on values that take fewer bytes: for graphs and other matrices with few different values, with "
            "columns all over the place.",
            "after Im & Yelick 2001, Kourtis, Goumas & Koziris 2008", "csr_compact"};
  }

  template <class Plan>
  static void plan(const Input& a, const Params& p, Plan& plan) {
    a.row_ptr().visit([&]<class Ptr>(std::span<const Ptr> row_ptr) {
      const auto run = [&](const auto& values, auto columns) {
        CsrSlots::launch("csr_compact_slots", row_ptr, columns, a.cols(), values, p, plan);
      };
      visit_compact<Ptr>(a, plan, run, CsrSlots::lay);
    });
  }
};

}  // namespace warpspy::inline SIMT_TARGET
