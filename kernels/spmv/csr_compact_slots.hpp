// The product of csr_slots for a matrix in compact CSR, whose values take fewer bytes (core/formats/csr_compact.hpp).
// The 16-bit slots that csr_slots reads in place of columns are compact already.
#pragma once

#include "kernels/spmv/csr_slots.hpp"

namespace warpspy::inline SIMT_TARGET {

struct CsrCompactSlots {
  using Input = CsrCompactFormat;
  static constexpr bool overlaps = true, reads_pointers = false, reads_indices = false;
  using Params = CsrSlots::Params;

  static Fields<Params> fields() { return CsrSlots::fields(); }
  static constexpr Tags tags = CsrSlots::tags;
  static constexpr Slowdown slowdown = {1.2, "not measured, has what csr_compact_even has"};
  // This start is for graphs, in which some blocks need much more of x than others. In f32, 48 KiB of shared memory
  // took 56 us for eu-2005's stand-in and 35 us for Stanford_Berkeley's; 216 KiB took 65 us and 57 us (H200,
  // 2026-11-26).
  static std::vector<Start> starts() {
    return {{.params = {{"blocks", 2}}, .first = true},
            {.params = {{"share_kib", 0.22}, {"blocks", 2}, {"block_size", 512}},
             .first = true,
             .least_shared_kib = 96,
             .only_value_bytes = 4},
            {.params = {{"share_kib", 0.96}, {"blocks", 1}, {"block_size", 1024}}},
            {.params = {{"share_kib", 0.43}, {"blocks", 1}, {"block_size", 1024}}},
            {.params = {{"share_kib", 0.43}, {"blocks", 2}, {"block_size", 512}}}};
  }
  static KernelInfo info() {
    return {"csr_compact_slots", "CSR compact slots",
            "CSR slots on values that take fewer bytes: for graphs and other matrices with few different values, with "
            "columns all over the place.",
            "after Im & Yelick 2001, Kourtis, Goumas & Koziris 2008", "csr_compact"};
  }

  template <class Layout>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    a.row_ptr().visit([&]<class Ptr>(std::span<const Ptr> row_ptr) {
      const auto run = [&](const auto& values, auto columns) {
        CsrSlots::launch("csr_compact_slots", row_ptr, columns, a.cols(), values, p, layout);
      };
      visit_compact<Ptr>(a, layout, run, CsrSlots::lay);
    });
  }
};

}  // namespace warpspy::inline SIMT_TARGET
