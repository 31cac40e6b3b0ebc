// The product of csr_even for a matrix in compact CSR, whose values and columns take fewer bytes
// (core/formats/csr_compact.hpp). It uses the code of csr_even, with accessors that unpack the compact arrays. A lane
// always processes 8 entries at a time.
#pragma once

#include "kernels/spmv/csr_even.hpp"

namespace warpspy::inline SIMT_TARGET {

struct CsrCompactEven {
  using Input = CsrCompactFormat;
  static constexpr bool overlaps = true, reads_pointers = false;
  struct Params {
    int run = 2;
    int block_size = 128;
    bool operator==(const Params&) const = default;
  };
  static constexpr int items = 8;

  static Fields<Params> fields() {
    Fields<Params> own;
    for (const ParamSpec& spec : specs_of(CsrEven::fields())) {
      if (spec.id == "run") own.push_back({&Params::run, spec});
      if (spec.id == "block_size") own.push_back({&Params::block_size, spec});
    }
    return own;
  }
  static constexpr Tags tags = Tag::splits_rows | Tag::sums_in_shared | Tag::many_in_flight;
  static constexpr Slowdown slowdown = {1.2, of_eight_draws};
  static KernelInfo info() {
    return {"csr_compact_even", "CSR compact even",
            "CSR even on values and columns that take fewer bytes: for graphs and other matrices with few different "
            "values.",
            "after Liu & Vinter 2015, Kourtis, Goumas & Koziris 2008", "csr_compact"};
  }

  template <class Layout>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    const CsrEven::Params even{.items = items, .run = p.run, .block_size = p.block_size};
    a.row_ptr().visit([&]<class Ptr>(std::span<const Ptr> row_ptr) {
      visit_compact<Ptr>(a, layout, [&](const auto& values, auto columns) {
        const auto shares = CsrEven::shares_of("csr_compact_even", row_ptr, items, p.block_size,
                                               CsrEven::tiles_per_share(even), layout);
        layout.with_caches([&](const auto& cached) {
          layout.launch(shares.spec, CsrEven::code_of<items>(a.nnz(), shares, layout, columns, values, cached));
        });
      });
    });
  }
};

}  // namespace warpspy::inline SIMT_TARGET
