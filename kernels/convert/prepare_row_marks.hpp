// Marks that tell the row of any entry; csr_even_transposed reads them (kernels/spmv/row_marks.hpp). Launches on a
// device make them, byte for byte as row_marks() makes them on the host.
#pragma once

#include "kernels/convert/conversion.hpp"
#include "kernels/convert/entry_ends.hpp"
#include "kernels/spmv/row_marks.hpp"

namespace warpspy::convert {

inline constexpr int marked = 32;  // entries of a mark

inline namespace SIMT_TARGET {

// Each mark (32 entries) gets a thread. It writes the mark's bits, and how many bits are set. The matrix has at least
// one entry for every block.
template <class Ptr>
struct BitsOfMarks {
  simt::Array<const Ptr> row_ptr;
  simt::Array<std::int32_t> marks;
  simt::Array<std::int64_t> ended;  // of each mark
  std::int64_t entries;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(int, ends, threads);
    SIMT_SHARED(std::int64_t, bounds, 2);
    const std::int64_t first = t.block * threads * marked, last = entries - 1;  // the last row has no bit
    const std::int64_t past = first + threads * marked < last ? first + threads * marked : last;
    mark_ends(t, ends, bounds, row_ptr, first, past, marked);
    const std::int64_t at = t.block * threads + t.thread;
    if (at >= ended.size) return;
    const int bits = simt::ld(ends, t.thread);
    simt::st(marks, 2 * at, bits);
    simt::st(ended, at, simt::count_bits(static_cast<std::uint32_t>(bits)));
  }
};

// Writes how many rows end before each mark.
struct CountsOfMarks {
  simt::Array<const std::int64_t> ended;  // before each mark
  simt::Array<std::int32_t> marks;
  std::int64_t grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (std::int64_t at = t.block * threads + t.thread; at < ended.size; at += grid * threads)
      simt::st(marks, 2 * at + 1, static_cast<std::int32_t>(simt::ld(ended, at)));
  }
};

// Counts the row ends before an entry for ListFilledRows, from the marks.
struct EndsByMarks {
  simt::Array<const std::int32_t> marks;
  SIMT_DEVICE std::int64_t before(std::int64_t entry, simt::Where where = simt::Where::current()) const {
    const auto bits = static_cast<std::uint32_t>(simt::ld(marks, entry / marked * 2, where));
    return simt::ld(marks, entry / marked * 2 + 1, where) + simt::count_bits(bits & ((1u << entry % marked) - 1));
  }
};

// The arrays that the launches fill.
struct RowMarksArrays {
  simt::Array<std::int32_t> marks, rows;
};

}  // namespace SIMT_TARGET

// `padded_entries` is the number of entries, rounded up to whole tiles of at most 256 entries. Lays out the launches
// and returns the arrays. `foreseen` computes on the host what launches will count, for an emulator in which no launch
// has run yet.
template <class Stage, class Ptr, class Foreseen>
RowMarksArrays lay_out_row_marks(Stage& stage, const simt::Array<const Ptr>& row_ptr, index_t entries,
                                 index_t padded_entries, const Foreseen& foreseen) {
  const index_t rows = row_ptr.size - 1, words = padded_entries / marked;
  RowMarksArrays made{};
  made.marks = stage.template out<std::int32_t>("marks", 2 * words);
  if (entries == 0) return made;
  const auto ended = stage.template scratch<std::int64_t>("rows that end", words);
  stage.launch(item_grid(words, threads), BitsOfMarks<Ptr>{row_ptr, made.marks, ended, entries});
  const index_t filled = 1 + lay_out_sums(stage, ended, [&] {
                           const RowMarks host = foreseen();
                           return (host.rows.empty() ? rows : static_cast<index_t>(host.rows.size())) - 1;
                         });
  const LaunchSpec each = strided_grid(words);
  stage.launch(each, CountsOfMarks{as_const(ended), made.marks, each.grid});
  if (filled == rows) return made;
  made.rows = stage.template out<std::int32_t>("rows", filled);
  stage.launch(item_grid(rows, threads),
               ListFilledRows<Ptr, EndsByMarks>{row_ptr, {as_const(made.marks)}, made.rows, {}, rows});
  return made;
}

// A conversion for tests: it runs only this preparation, from a CSR.
struct ToRowMarks {
  static constexpr const char* format = "row_marks";
  struct Params {
    bool operator==(const Params&) const = default;
  };
  static Fields<Params> fields() { return {}; }
  static index_t padded(const CsrFormat& a) { return (a.nnz() + 255) / 256 * 256; }
  static RowMarks made_by_host(const CsrFormat& a) {
    return a.row_ptr().visit(
        [&]<class Ptr>(std::span<const Ptr> row_ptr) { return RowMarksOf<Ptr>{row_ptr, padded(a)}(); });
  }
  static std::vector<MadeArray> on_host(const CsrFormat& a, const Params&) {
    const RowMarks m = made_by_host(a);
    return {made_array("marks", m.marks), made_array("rows", m.rows)};
  }
  template <class Stage, class T = typename Stage::Value>
  static void lay_out(const CsrFormat& a, const FormatFacts&, const Params&, Stage& stage) {
    stage.typed(a, [&]<class Ptr, class Col>(const TypedArrays<T, Ptr, Col>& csr) {
      lay_out_row_marks(stage, csr.row_ptr, a.nnz(), padded(a), [&] { return made_by_host(a); });
    });
  }
};

}  // namespace warpspy::convert
