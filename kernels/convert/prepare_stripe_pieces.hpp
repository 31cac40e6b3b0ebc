// CSR in the order of stripes of columns, with marks for the ends of pieces (kernels/spmv/stripe_pieces.hpp). Launches
// on a device make it, byte for byte as StripePiecesOf makes it on the host.
#pragma once

#include "kernels/convert/conversion.hpp"
#include "kernels/convert/prepare_row_marks.hpp"
#include "kernels/convert/prepare_striped.hpp"
#include "kernels/spmv/stripe_pieces.hpp"

namespace warpspy::convert {
inline namespace SIMT_TARGET {

// Each sorted entry gets a lane, and each mark (32 entries) a warp. It writes the mark's bits, and how many bits are
// set.
template <class T, class Col, class Order>
struct FillPieces {
  Sorted<const Order, const std::int32_t> sorted;  // by stripe
  simt::Array<const std::int32_t> rows;            // of the entries in the order of the CSR
  simt::Array<const Col> columns;
  simt::Array<const T> values;
  simt::Array<T> to_values;
  simt::Array<std::int32_t> to_columns, marks;
  simt::Array<std::int64_t> ended;  // of each mark

  SIMT_DEVICE std::int32_t row(std::int64_t k, simt::Where where = simt::Where::current()) const {
    return simt::ld(rows, simt::ld(sorted.order, k, where), where);
  }
  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t k = t.block * threads + t.thread, entries = to_values.size;
    if (k / simt::warp_size >= ended.size) return;
    bool ends = false;
    if (k < entries) {
      const Order from = simt::ld(sorted.order, k);
      simt::st(to_values, k, simt::ld(values, from));
      simt::st(to_columns, k, static_cast<std::int32_t>(simt::ld(columns, from)));
      if (k + 1 < entries) ends = row(k) != row(k + 1) || simt::ld(sorted.keys, k) != simt::ld(sorted.keys, k + 1);
    }
    const std::uint32_t bits = simt::ballot(ends);
    if (t.thread % simt::warp_size != 0) return;
    simt::st(marks, k / marked * 2, static_cast<std::int32_t>(bits));
    simt::st(ended, k / marked, simt::count_bits(bits));
  }
};

// Each sorted entry gets a thread. If a piece ends there, it writes the piece's row.
template <class Order>
struct RowsOfMarkedPieces {
  simt::Array<const Order> order;
  simt::Array<const std::int32_t> rows;  // as above
  EndsByMarks ends;
  simt::Array<std::int32_t> to;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t k = t.block * threads + t.thread;
    if (k >= order.size) return;
    const auto bits = static_cast<std::uint32_t>(simt::ld(ends.marks, k / marked * 2));
    if (!(bits >> k % marked & 1) && k + 1 != order.size) return;
    simt::st(to, ends.before(k), simt::ld(rows, simt::ld(order, k)));
  }
};

// The arrays that the launches fill.
template <class T>
struct StripePiecesArrays {
  simt::Array<T> values;
  simt::Array<std::int32_t> columns, marks, rows;
};

}  // namespace SIMT_TARGET

// Lays out the launches and returns the arrays. `foreseen` computes on the host what launches will count, for an
// emulator in which no launch has run yet.
template <class Stage, class Foreseen, class T = typename Stage::Value>
StripePiecesArrays<T> lay_out_stripe_pieces(Stage& stage, const char* kernel, const CsrFormat& a, index_t width,
                                            index_t padded_entries, const Foreseen& foreseen) {
  StripePiecesArrays<T> made{};
  require_pieces(kernel, a.nnz());
  if (a.nnz() == 0) return made;
  const index_t stripes = std::max<index_t>(1, (a.cols() + width - 1) / width), words = padded_entries / marked;
  stage.typed(a, [&]<class Ptr, class Col>(const TypedArrays<T, Ptr, Col>& csr) {
    const auto rows = stage.template scratch<std::int32_t>("rows of entries", a.nnz());
    const auto keys = stage.template scratch<std::int32_t>("stripes of entries", a.nnz());
    stage.launch(
        {.grid = (a.nnz() + tile - 1) / tile, .block = threads},
        StripesOfEntries<Ptr, Col>{csr.row_ptr, csr.columns, rows, keys, a.rows() - 1, static_cast<Col>(width)});
    const Sorted<std::int32_t, std::int32_t> sorted = stage.template sorted<std::int32_t>(as_const(keys), stripes);
    made.values = stage.template out<T>("values", a.nnz());
    made.columns = stage.template out<std::int32_t>("columns", a.nnz());
    made.marks = stage.template out<std::int32_t>("marks", 2 * words);
    const auto ended = stage.template scratch<std::int64_t>("pieces that end", words);
    const LaunchSpec lanes = item_grid(padded_entries, threads), each = strided_grid(words);
    stage.launch(lanes, FillPieces<T, Col, std::int32_t>{{as_const(sorted.order), as_const(sorted.keys)},
                                                         as_const(rows),
                                                         csr.columns,
                                                         csr.values,
                                                         made.values,
                                                         made.columns,
                                                         made.marks,
                                                         ended});
    const index_t pieces =
        1 + lay_out_sums(stage, ended, [&] { return static_cast<index_t>(foreseen().rows.size()) - 1; });
    stage.launch(each, CountsOfMarks{as_const(ended), made.marks, each.grid});
    made.rows = stage.template out<std::int32_t>("rows", pieces);
    stage.launch(lanes, RowsOfMarkedPieces<std::int32_t>{
                            as_const(sorted.order), as_const(rows), {as_const(made.marks)}, made.rows});
  });
  return made;
}

// A conversion for tests: it runs only this preparation, from a CSR.
struct ToStripePieces {
  static constexpr const char* format = "stripe_pieces";
  static constexpr bool sorts = true;
  struct Params {
    int width = 96;
    bool operator==(const Params&) const = default;
  };
  static Fields<Params> fields() {
    return {{&Params::width,
             {.id = "width", .label = {}, .help = {}, .type = ParamSpec::Type::integer, .min = 16, .max = 65536}}};
  }
  static index_t padded(const CsrFormat& a) { return (a.nnz() + 255) / 256 * 256; }
  template <class T>
  static StripePieces<T> made_by_host(const CsrFormat& a, index_t width) {
    return StripePiecesOf<T>{format, a, width, padded(a)}();
  }
  static std::vector<MadeArray> on_host(const CsrFormat& a, const Params& p) {
    const auto of = [&]<class T>(T) -> std::vector<MadeArray> {
      const StripePieces<T> s = made_by_host<T>(a, p.width);
      return {made_array("values", s.values), made_array("columns", s.columns), made_array("marks", s.marks),
              made_array("rows", s.rows)};
    };
    return a.precision() == Precision::f32 ? of(float{}) : of(double{});
  }
  template <class Stage, class T = typename Stage::Value>
  static void lay_out(const CsrFormat& a, const FormatFacts&, const Params& p, Stage& stage) {
    lay_out_stripe_pieces(stage, format, a, p.width, padded(a), [&] { return made_by_host<T>(a, p.width); });
  }
};

}  // namespace warpspy::convert
