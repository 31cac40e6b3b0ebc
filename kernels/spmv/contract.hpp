// C++ concepts state what a layout offers to kernels, and what a kernel's file offers to all other code. If a part is
// missing, the compiler's error names that part, rather than a line deep inside a template.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/spmv/spmv.hpp"

namespace warpspy::inline SIMT_TARGET {

// A stand-in for the functions that a layout gets, used only in the requirements below. It is never called.
struct AnyWork {
  int operator()() const;
};
struct AnyNumber {
  int operator()(index_t i) const;
};
struct AnyUse {
  template <class Cached>
  void operator()(const Cached& cached) const;
};

// A layout collects the arrays of one product, each with its role (such as x, y or matrix), and the product's launches.
template <class P>
concept Layout = requires(P& layout, index_t count, std::span<const std::int32_t> data, std::vector<std::int32_t> own,
                          const ScaleY<typename P::Value>& code) {
  typename P::Value;
  { P::template unrolled<DynamicCaches> } -> std::convertible_to<bool>;
  { layout.in("", Role::matrix, data) } -> std::same_as<simt::Array<const std::int32_t>>;
  { layout.made("", Role::matrix, own) } -> std::same_as<simt::Array<const std::int32_t>>;
  { layout.template scratch<typename P::Value>("", count) } -> std::same_as<simt::Array<typename P::Value>>;
  {
    layout.template scratch<typename P::Value>("", count, AnyNumber{})
  } -> std::same_as<simt::Array<typename P::Value>>;
  { layout.x() } -> std::same_as<simt::Array<const typename P::Value>>;
  { layout.x(count) } -> std::same_as<simt::Array<const typename P::Value>>;
  { layout.y() } -> std::same_as<simt::Array<typename P::Value>>;
  { layout.scale() } -> std::same_as<Scale<typename P::Value>>;
  { layout.prepare(AnyWork{}) } -> std::same_as<const int&>;
  layout.y_in_order(data);
  layout.with_caches(AnyUse{});
  layout.launch(LaunchSpec{}, code);
};

// These concepts name the parts of a kernel's file, one by one.
template <class K>
concept NamesItsInput = requires { typename K::Input; };
template <class K>
concept HasParams = std::equality_comparable<typename K::Params> && std::default_initializable<typename K::Params>;
template <class K>
concept ListsItsFields = requires {
  { K::fields() } -> std::same_as<Fields<typename K::Params>>;
};
template <class K>
concept SaysWhatItIs = requires {
  { K::info() } -> std::same_as<KernelInfo>;
};
// Every kernel needs tags, except a kernel that reads no matrix.
template <class K>
concept SaysWhatItIsLike = requires {
  { K::tags } -> std::same_as<const Tags&>;
  requires !K::tags.empty() || std::same_as<typename K::Input, NoFormat>;
};
template <class K>
concept SaysHowFarFromItsBytes = requires {
  { K::slowdown } -> std::same_as<const Slowdown&>;
  requires K::slowdown.factor > 0 && K::slowdown.source[0] != 0;
};
template <class K, class P>
concept LaysOutAProduct = requires(const typename K::Input& input, const typename K::Params& params, P& layout) {
  { K::lay_out(input, params, layout) } -> std::same_as<void>;
};

template <class K, class P>
concept ProductKernel = Layout<P> && NamesItsInput<K> && HasParams<K> && ListsItsFields<K> && SaysWhatItIs<K> &&
                        SaysWhatItIsLike<K> && SaysHowFarFromItsBytes<K> && LaysOutAProduct<K, P>;

// If the kernel K lacks a part, the message names the part, and the compiler adds the name of K.
template <class K, Layout P>
constexpr void require_kernel() {
  static_assert(NamesItsInput<K>, "a kernel has `using Input = ...`: the format that it reads, or NoFormat");
  static_assert(HasParams<K>, "a kernel has `struct Params` of defaults with `bool operator==(...) const = default`");
  static_assert(ListsItsFields<K>, "a kernel has `static Fields<Params> fields()`: the table of its parameters");
  static_assert(SaysWhatItIs<K>, "a kernel has `static KernelInfo info()`: its id, label, help, source and format");
  static_assert(SaysWhatItIsLike<K>, "a kernel has `static constexpr Tags tags`: what it is like, at least one of Tag");
  static_assert(SaysHowFarFromItsBytes<K>,
                "a kernel has `static constexpr Slowdown slowdown`: beside csr_even, and who measured that");
  if constexpr (NamesItsInput<K> && HasParams<K>)
    static_assert(LaysOutAProduct<K, P>,
                  "a kernel has `template <class Layout> static void lay_out(const Input&, const Params&, Layout&)`");
}

}  // namespace warpspy::inline SIMT_TARGET
