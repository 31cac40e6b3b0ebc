// Tells where csr_merge's tiles begin (kernels/spmv/merge_tiles.hpp). A launch on a device makes it, byte for byte as
// merge_tiles() makes it on the host.
#pragma once

#include <algorithm>
#include <type_traits>

#include "kernels/convert/conversion.hpp"
#include "kernels/convert/steps.hpp"
#include "kernels/spmv/merge_tiles.hpp"

namespace warpspy::convert {
inline namespace SIMT_TARGET {

// Each beginning of a tile, and the end of the last tile, gets a thread. It computes how many rows have ended there
// (rows_ended).
template <class Ptr>
struct SearchDiagonals {
  using Position = std::make_unsigned_t<Ptr>;
  simt::Array<const Ptr> row_ptr;
  simt::Array<Position> first_rows;
  std::int64_t entries, steps;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t at = t.block * threads + t.thread, rows = row_ptr.size - 1, path = rows + entries;
    if (at >= first_rows.size) return;
    const std::int64_t diagonal = at * steps < path ? at * steps : path;
    std::int64_t least = diagonal > entries ? diagonal - entries : 0, most = diagonal < rows ? diagonal : rows;
    while (least < most) {
      const std::int64_t middle = (least + most) / 2;
      if (simt::ld(row_ptr, middle + 1) < diagonal - middle)
        least = middle + 1;
      else
        most = middle;
    }
    simt::st(first_rows, at, static_cast<Position>(least));
  }
};

}  // namespace SIMT_TARGET

template <class Stage, class Ptr>
simt::Array<std::make_unsigned_t<Ptr>> lay_out_merge_tiles(Stage& stage, const simt::Array<const Ptr>& row_ptr,
                                                           index_t entries, index_t steps) {
  const index_t path = row_ptr.size - 1 + entries, tiles = std::max<index_t>(1, (path + steps - 1) / steps);
  const auto first_rows = stage.template out<std::make_unsigned_t<Ptr>>("first_rows", tiles + 1);
  stage.launch(item_grid(tiles + 1, threads), SearchDiagonals<Ptr>{row_ptr, first_rows, entries, steps});
  return first_rows;
}

// A conversion for tests: it runs only this preparation, from a CSR.
struct ToMergeTiles {
  static constexpr const char* format = "merge_tiles";
  struct Params {
    int steps = 160;
    bool operator==(const Params&) const = default;
  };
  static Fields<Params> fields() {
    return {{&Params::steps,
             {.id = "steps", .label = {}, .help = {}, .type = ParamSpec::Type::integer, .min = 1, .max = 11264}}};
  }
  static std::vector<MadeArray> on_host(const CsrFormat& a, const Params& p) {
    return a.row_ptr().visit([&]<class Ptr>(std::span<const Ptr> row_ptr) -> std::vector<MadeArray> {
      return {made_array("first_rows", MergeTilesOf<Ptr>{row_ptr, p.steps}().first_rows)};
    });
  }
  template <class Stage, class T = typename Stage::Value>
  static void lay_out(const CsrFormat& a, const FormatFacts&, const Params& p, Stage& stage) {
    stage.typed(a, [&]<class Ptr, class Col>(const TypedArrays<T, Ptr, Col>& csr) {
      lay_out_merge_tiles(stage, csr.row_ptr, a.nnz(), p.steps);
    });
  }
};

}  // namespace warpspy::convert
