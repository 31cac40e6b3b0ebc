// Accessors give a kernel the values of its matrix, from a plain array or from the arrays of a compact format. Raw is
// what a lane loads for an entry. value() makes the value from the raw data. That may need another load, so it is
// called when the raw data have arrived.
#pragma once

#include "core/formats/csr_compact.hpp"
#include "kernels/spmv/lane_order.hpp"
#include "kernels/spmv/spmv.hpp"

namespace warpspy::inline SIMT_TARGET {

// Values that are stored as they are, or f64 values that are stored as f32.
template <class T, class Stored = T>
struct PlainValues {
  using Raw = Stored;
  simt::Array<const Stored> values;

  template <int n, class Policy, class I>
  SIMT_DEVICE simt::Pack<Raw, n> pack(const Policy& policy, I k, simt::Where where = simt::Where::current()) const {
    return simt::ld_pack<n>(policy, values, k, where);
  }
  template <class Policy, class I>
  SIMT_DEVICE Raw at(const Policy& policy, I k, simt::Where where = simt::Where::current()) const {
    return simt::ld(policy, values, k, where);
  }
  template <int items, class Policy, class Own>
  SIMT_DEVICE void of_lane(const Policy& policy, int tile, int lane, Own& own,
                           simt::Where where = simt::Where::current()) const {
    ld_of_lane<items>(policy, values, tile, lane, [&](int i, Raw raw) { own.raw(i) = raw; }, where);
  }
  template <class Policy>
  SIMT_DEVICE T value(const Policy&, Raw raw, simt::Where = simt::Where::current()) const {
    return raw;
  }
};

// For a matrix whose entries all have the same value: nothing is loaded.
template <class T>
struct OneValue {
  struct Raw {};
  T only;

  template <int n, class Policy, class I>
  SIMT_DEVICE simt::Pack<Raw, n> pack(const Policy&, I, simt::Where = simt::Where::current()) const {
    return {};
  }
  template <class Policy, class I>
  SIMT_DEVICE Raw at(const Policy&, I, simt::Where = simt::Where::current()) const {
    return {};
  }
  template <int items, class Policy, class Own>
  SIMT_DEVICE void of_lane(const Policy&, int, int, Own&, simt::Where = simt::Where::current()) const {}
  template <class Policy>
  SIMT_DEVICE T value(const Policy&, Raw, simt::Where = simt::Where::current()) const {
    return only;
  }
};

// The data of `n` entries of a lane: first as loaded, later the products in the same place.
template <class T, class Raw, int n>
struct LaneProducts {
  T value[n];
  Raw loaded[n];
  SIMT_DEVICE Raw& raw(int i) { return loaded[i]; }
};
template <class T, int n>
struct LaneProducts<T, T, n> {
  T value[n];
  SIMT_DEVICE T& raw(int i) { return value[i]; }
};

// For a matrix with few different values. Each entry has one byte, an index into a table of values. The table is small
// and stays in L1, so its loads do not use the matrix's cache policy.
template <class T>
struct IndexedValues {
  using Raw = std::uint8_t;
  simt::Array<const std::uint8_t> index;
  simt::Array<const T> table;

  template <int n, class Policy, class I>
  SIMT_DEVICE simt::Pack<Raw, n> pack(const Policy& policy, I k, simt::Where where = simt::Where::current()) const {
    return simt::ld_pack<n>(policy, index, k, where);
  }
  template <class Policy, class I>
  SIMT_DEVICE Raw at(const Policy& policy, I k, simt::Where where = simt::Where::current()) const {
    return simt::ld(policy, index, k, where);
  }
  template <int items, class Policy, class Own>
  SIMT_DEVICE void of_lane(const Policy& policy, int tile, int lane, Own& own,
                           simt::Where where = simt::Where::current()) const {
    ld_of_lane<items>(policy, index, tile, lane, [&](int i, Raw raw) { own.raw(i) = raw; }, where);
  }
  template <class Policy>
  SIMT_DEVICE T value(const Policy& policy, Raw raw, simt::Where where = simt::Where::current()) const {
    if (simt::is_constant(policy)) return simt::constant_of<T>;
    return simt::ld(simt::Fixed<simt::CachePolicy::plain>{}, table, raw, where);
  }
};

// Tells how an array of the format is laid out for a kernel: as it is stored, or in lane order, in tiles of `items`
// entries per lane. Lane order is made once and does not depend on the kernel's parameters.
struct AsStored {
  template <class Layout, class E>
  simt::Array<const E> operator()(Layout& layout, const char* name, Role role, std::span<const E> array) const {
    return layout.in(name, role, array);
  }
};
template <int items>
struct InLaneOrder {
  template <class Layout, class E>
  simt::Array<const E> operator()(Layout& layout, const char* name, Role role, std::span<const E> array) const {
    return layout.of_format(name, role, LaneOrderOf<E, items>{array});
  }
};

// Lays out values of the kernel's type, or f32 values for an f64 kernel.
template <class Layout, class Stored, class Lay = AsStored>
auto plain_values(Layout& layout, std::span<const Stored> values, const Lay& lay = {}) {
  return PlainValues<typename Layout::Value, Stored>{lay(layout, "values", Role::matrix, values)};
}

// Calls f(values, columns) for a compact CSR. values() lays out the arrays that the values come from; `columns` is a
// span. Calls nothing if no kernel is compiled for the format's index types (compiled_indices).
template <class Ptr, class Layout, class F, class Lay = AsStored>
void visit_compact(const CsrCompactFormat& a, Layout& layout, F&& f, const Lay& lay = {}) {
  using T = typename Layout::Value;
  const auto with = [&](const auto& values) {
    if (a.has_short_columns()) {
      if constexpr (compiled_indices<Ptr, std::int32_t>) f(values, a.short_columns());
    } else {
      a.columns().visit([&]<class Col>(std::span<const Col> columns) {
        if constexpr (compiled_indices<Ptr, Col>) f(values, columns);
      });
    }
  };
  const auto table = a.table().template as<T>();
  switch (a.form()) {
    case ValueForm::one:
      with([&] { return OneValue<T>{table[0]}; });
      break;
    case ValueForm::indexed:
      with([&] {
        return IndexedValues<T>{lay(layout, "value_index", Role::matrix_index, a.value_index()),
                                layout.in("table", Role::matrix, table)};
      });
      break;
    case ValueForm::narrow:
      if constexpr (sizeof(T) == 8) with([&] { return plain_values(layout, a.values().template as<float>(), lay); });
      break;
    case ValueForm::whole:
      with([&] { return plain_values(layout, a.values().template as<T>(), lay); });
  }
}

}  // namespace warpspy::inline SIMT_TARGET
