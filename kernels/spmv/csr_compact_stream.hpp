// The product of csr_stream for a matrix in compact CSR, whose values and columns take fewer bytes
// (core/formats/csr_compact.hpp). It uses the code of csr_stream, with accessors that unpack the compact arrays. A
// thread always processes 8 entries.
#pragma once

#include "kernels/spmv/csr_stream.hpp"

namespace warpspy::inline SIMT_TARGET {

struct CsrCompactStream {
  using Input = CsrCompactFormat;
  static constexpr bool overlaps = true;
  struct Params {
    int block_size = 256;
    bool operator==(const Params&) const = default;
  };
  static constexpr int items = 8;

  static Fields<Params> fields() { return {{&Params::block_size, block_size_spec()}}; }
  static constexpr Tags tags = Tag::sums_in_shared | Tag::many_in_flight;
  static constexpr Slowdown slowdown = {1.2, of_eight_draws};
  static KernelInfo info() {
    return {"csr_compact_stream", "CSR compact stream",
            "CSR stream on values and columns that take fewer bytes: for short rows with few different values.",
            "after Greathouse & Daga 2014, Kourtis, Goumas & Koziris 2008", "csr_compact"};
  }

  template <class Layout>
  static void lay_out(const Input& a, const Params& p, Layout& layout) {
    const CsrStream::Params stream{.items = items, .block_size = p.block_size};
    a.row_ptr().visit([&]<class Ptr>(std::span<const Ptr> row_ptr) {
      // There is no version for 64-bit row pointers.
      if constexpr (compiled_indices<Ptr, Ptr>)
        visit_compact<Ptr>(a, layout, [&](const auto& values, auto columns) {
          auto tiles = CsrStream::tiles_of(row_ptr, stream, layout);
          layout.with_caches([&](const auto& cached) {
            layout.launch(tiles.spec, CsrStream::code_of<items>(tiles, layout, row_ptr, columns, values, cached));
          });
        });
    });
  }
};

}  // namespace warpspy::inline SIMT_TARGET
