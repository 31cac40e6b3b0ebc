// Converts CSR to compact CSR. The number of different values decides how values are stored, and columns are stored in
// 16 bits if they fit.
#pragma once

#include "core/formats/csr_compact.hpp"
#include "kernels/convert/distinct.hpp"

namespace warpspy::convert {
inline namespace SIMT_TARGET {

// Writes the index of each value in the table of different values. A block keeps this table in its shared memory.
template <class T>
struct IndexValues {
  simt::Array<const T> values;
  simt::Array<const T> table;
  simt::Array<std::uint8_t> value_index;
  std::int64_t grid;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    using Bits = BitsOf<T>;
    SIMT_SHARED(Bits, sorted, ValueFacts::most_distinct);
    const int count = static_cast<int>(table.size);
    for (int i = t.thread; i < count; i += threads) simt::st(sorted, i, bits_of(simt::ld(table, i)));
    simt::sync_block();
    for (std::int64_t k = t.block * threads + t.thread; k < values.size; k += grid * threads)
      simt::st(value_index, k, static_cast<std::uint8_t>(place_of(sorted, count, bits_of(simt::ld(values, k)))));
  }
};

struct NarrowValues {
  simt::Array<const double> values;
  simt::Array<float> to;
  std::int64_t grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (std::int64_t k = t.block * threads + t.thread; k < to.size; k += grid * threads)
      simt::st(to, k, as_f32(simt::ld(values, k)));
  }
};

}  // namespace SIMT_TARGET

struct ToCsrCompact {
  static constexpr const char* format = "csr_compact";
  static constexpr bool counts_values = true;
  struct Params {
    bool operator==(const Params&) const = default;
  };
  static Fields<Params> fields() { return {}; }

  template <class Stage, class T = typename Stage::Value>
  static void lay_out(const CsrFormat& a, const FormatFacts& facts, const Params&, Stage& stage) {
    stage.typed(a, [&]<class Ptr, class Col>(const TypedArrays<T, Ptr, Col>& csr) {
      lay_out_values(facts, csr.values, stage);
      if (has_short_columns(a.cols(), a.nnz()))
        lay_out_copy<std::uint16_t>(stage, "columns", csr.columns, a.nnz());
      else
        lay_out_copy<Col>(stage, "columns", csr.columns, a.nnz());
      lay_out_copy<Ptr>(stage, "row_ptr", csr.row_ptr, a.rows() + 1);
    });
  }

 private:
  template <class E, class Stage, class F>
  static void lay_out_copy(Stage& stage, const char* name, const simt::Array<const F>& from, index_t count) {
    const LaunchSpec grid = strided_grid(count);
    const Copy<F, E> copy{from, stage.template out<E>(name, count), grid.grid};
    std::is_floating_point_v<F> ? launch_of_values(stage, grid, copy) : stage.launch(grid, copy);
  }

  template <class Stage, class T>
  static void lay_out_values(const FormatFacts& facts, const simt::Array<const T>& values, Stage& stage) {
    constexpr Precision precision = sizeof(T) == 4 ? Precision::f32 : Precision::f64;
    const index_t nnz = values.size;
    // As on the host, nothing is known of a complex matrix.
    if (nnz == 0 || facts.csr().is_complex()) return lay_out_copy<T>(stage, "values", values, nnz);
    const auto host = [&]() -> const ValueFacts& { return facts.values(precision); };
    const Distinct<T> found = lay_out_distinct(stage, values, [&] {
      const auto few = static_cast<index_t>(host().distinct.size());
      return few > 0 ? few : index_t{most_kept};
    });
    const index_t distinct = found.count < most_kept ? found.count : 0;
    ValueForm form = value_form_of(distinct, false, nnz, precision);
    if constexpr (precision == Precision::f64)  // a pass over the values, only where it can change the form
      if (const ValueForm exact = value_form_of(distinct, true, nnz, precision);
          exact != form && lay_out_exact(stage, values, [&] { return host().exact_in_f32; }))
        form = exact;

    const LaunchSpec grid = strided_grid(nnz);
    switch (form) {
      case ValueForm::one:
        return lay_out_copy<T>(stage, "table", found.sorted, distinct);
      case ValueForm::indexed: {
        const auto value_index = stage.template out<std::uint8_t>("value_index", nnz);
        const auto table = stage.template out<T>("table", distinct);
        launch_of_values(stage, {.grid = 1, .block = threads}, Copy<T, T>{found.sorted, table, 1});
        return launch_of_values(stage, grid, IndexValues<T>{values, as_const(table), value_index, grid.grid});
      }
      case ValueForm::narrow:
        if constexpr (precision == Precision::f64)
          launch_of_values(stage, grid, NarrowValues{values, stage.template out<float>("values", nnz), grid.grid});
        return;
      case ValueForm::whole:
        return lay_out_copy<T>(stage, "values", values, nnz);
    }
  }
};

}  // namespace warpspy::convert
