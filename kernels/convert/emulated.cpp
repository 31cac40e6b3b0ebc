// Conversions in the emulator.
#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

#include "kernels/convert/conversion.hpp"
#include "kernels/convert/list.hpp"
#include "kernels/convert/on_device.hpp"
#include "kernels/spmv/emulated_product.hpp"

namespace warpspy {
namespace convert {
namespace {

// Sorts by the lowest digit of the keys, then by the next, and so on: each time it counts the keys with each digit.
template <class Order, class Key>
struct SortByDigits {
  static constexpr int digit_bits = 8;
  static constexpr std::int64_t digits = 1 << digit_bits;

  simt::Array<const Key> given;
  Sorted<Order, Key> before, sorted;  // `before`: as the digits up to now have sorted them
  simt::Array<std::int64_t> next;     // where the next key with a digit goes
  std::int64_t key_count;

  void operator()(simt::Thread) const {
    for (std::int64_t k = 0; k < given.size; ++k) {
      simt::st(sorted.keys, k, simt::ld(given, k));
      simt::st(sorted.order, k, static_cast<Order>(k));
    }
    for (int shift = 0; shift < 63 && (key_count - 1) >> shift > 0; shift += digit_bits) sort_by(shift);
  }

 private:
  void sort_by(int shift) const {
    const auto digit_of = [&](Key key) { return static_cast<std::int64_t>(key) >> shift & (digits - 1); };
    for (std::int64_t d = 0; d <= digits; ++d) simt::st(next, d, 0);
    for (std::int64_t k = 0; k < given.size; ++k) {
      const Key key = simt::ld(sorted.keys, k);
      simt::st(before.keys, k, key);
      simt::st(before.order, k, simt::ld(sorted.order, k));
      const std::int64_t after = digit_of(key) + 1;
      simt::st(next, after, simt::ld(next, after) + 1);
    }
    for (std::int64_t d = 1; d <= digits; ++d) simt::st(next, d, simt::ld(next, d) + simt::ld(next, d - 1));
    for (std::int64_t k = 0; k < given.size; ++k) {
      const Key key = simt::ld(before.keys, k);
      const std::int64_t digit = digit_of(key), place = simt::ld(next, digit);
      simt::st(sorted.keys, place, key);
      simt::st(sorted.order, place, simt::ld(before.order, k));
      simt::st(next, digit, place + 1);
    }
  }
};

// Lays out a conversion: its sizes are foreseen by the host, since no launch runs before all are laid out.
template <class T>
class EmulatedStage {
 public:
  using Value = T;
  EmulatedStage(const ProductInputs& in, const Format* foreseen) : layout_(in, {}, 0), host_(foreseen) {}

  template <class F>
  void typed(const CsrFormat& a, const F& f) {
    const auto array = [&]<class E>(const char* name, std::span<const E> data) {
      return layout_.in(name, std::is_same_v<E, T> ? Role::matrix : Role::matrix_index, data);
    };
    with_typed_arrays<T>(a, array, f);
  }
  template <class E>
  simt::Array<E> scratch(const char* name, index_t count) {
    return layout_.template scratch<E>(name, count);
  }
  // The same; fill(span) writes what a later launch may go by.
  template <class E, class Fill>
  simt::Array<E> scratch(const char* name, index_t count, const Fill& fill) {
    const simt::Array<E> array = scratch<E>(name, count);
    if (host_) fill(std::span<E>(array.data, static_cast<std::size_t>(count)));
    return array;
  }
  template <class E>
  simt::Array<E> out(const char* name, index_t count) {
    const simt::Array<E> array = scratch<E>(name, count);
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(E);
    out_.push_back({name, reinterpret_cast<const std::byte*>(array.data), bytes});
    if (!host_ || bytes == 0) return array;
    for (const ArrayView& host : host_->arrays())
      if (host.name == name && host.bytes() == bytes) std::memcpy(array.data, host.data, bytes);
    return array;
  }
  template <class Code>
  void launch(const LaunchSpec& spec, const Code& code) {
    layout_.launch(spec, code);
  }
  template <class Code>
  void launch_of_values(const LaunchSpec& spec, const Code& code) {
    of_values_.push_back(static_cast<int>(layout_.launches().shapes().size()));
    launch(spec, code);
  }
  template <class Foreseen>
  index_t counted(const simt::Array<std::int64_t>& array, const Foreseen& foreseen) {
    const index_t number = foreseen();
    foreseen_.push_back({array.data, number});
    return number;
  }

  template <class Foreseen>
  std::vector<index_t> counted_all(const simt::Array<std::int32_t>& array, const Foreseen& foreseen) {
    const std::vector<index_t> numbers = foreseen();
    all_foreseen_.push_back({array.data, numbers});
    return numbers;
  }
  // Equal keys stay in the order in which they stand. A GPU sorts by the toolkit's CUB, which is not emulated: in its
  // place one thread sorts. The keys are less than key_count.
  template <class Order, class Key>
  Sorted<Order, Key> sorted(const simt::Array<const Key>& keys, index_t key_count) {
    using Sort = SortByDigits<Order, Key>;
    const auto pairs = [&] {
      return Sorted<Order, Key>{scratch<Order>("order of entries", keys.size), scratch<Key>("sorted keys", keys.size)};
    };
    const Sorted<Order, Key> before = pairs(), all = pairs();
    const auto next = scratch<std::int64_t>("next of a digit", Sort::digits + 1);
    launch({.grid = 1, .block = 1}, Sort{keys, before, all, next, key_count});
    return all;
  }

  std::vector<MadeArray> made(const std::string& format) const {
    for (const auto& [counted, numbers] : all_foreseen_)
      if (!std::equal(numbers.begin(), numbers.end(), counted))
        throw Error("making " + format + " counted other lengths of rows than the host had foreseen");
    for (const auto& [counted, number] : foreseen_)
      if (*counted != number)
        throw Error("making " + format + " counted " + std::to_string(*counted) + ", where the host had foreseen " +
                    std::to_string(number));
    std::vector<MadeArray> all;
    for (const Out& o : out_)
      if (o.bytes > 0) all.push_back({o.name, {o.data, o.data + o.bytes}});
    return all;
  }
  EmulatedLayout<T>& layout() { return layout_; }
  const std::vector<int>& launches_of_values() const { return of_values_; }

 private:
  struct Out {
    std::string name;
    const std::byte* data;
    std::size_t bytes;
  };
  EmulatedLayout<T> layout_;
  const Format* host_;
  std::vector<Out> out_;
  std::vector<int> of_values_;
  std::vector<std::pair<const std::int64_t*, index_t>> foreseen_;
  std::vector<std::pair<const std::int32_t*, std::vector<index_t>>> all_foreseen_;
};

template <class T>
class Emulated final : public EmulatedConversion {
 public:
  Emulated(const ProductInputs& in, std::string format, const Format* foreseen)
      : csr_(in.format), format_(std::move(format)), stage_(in, foreseen) {
    of().common.kernel = "to_" + format_;
  }
  EmulatedStage<T>& stage() { return stage_; }

  const std::vector<LaunchShape>& launches() const override { return of().shapes(); }
  const std::vector<simt::ArrayInfo>& arrays() const override { return of().common.arrays; }
  const std::vector<simt::Site>& sites() const override { return of().common.sites.sites(); }
  void emulate_block(int launch, std::int64_t block, simt::BlockTrace* trace, simt::Additions* later) override {
    of().run(launch, block, {}, trace, later);
  }
  bool emulate_warps(int launch, std::int64_t block, simt::WarpRange warps, simt::BlockTrace* trace,
                     simt::Additions* later) override {
    return of().run(launch, block, warps, trace, later);
  }
  std::optional<std::pair<index_t, index_t>> rows_of_block(std::int64_t) const override { return std::nullopt; }
  std::vector<double> y() const override { return {}; }
  std::vector<MadeArray> made() const override { return stage_.made(format_); }
  const std::vector<int>& launches_of_values() const override { return stage_.launches_of_values(); }

 private:
  EmulatedLaunches& of() { return stage_.layout().launches(); }
  const EmulatedLaunches& of() const { return const_cast<Emulated*>(this)->of(); }
  std::shared_ptr<const Format> csr_;
  std::string format_;
  EmulatedStage<T> stage_;
};

template <class To>
std::unique_ptr<EmulatedConversion> emulate(const ConversionInputs& in) {
  const auto params = params_of_conversion<To>(in.params);
  ProductInputs of_csr;
  of_csr.format = in.csr, of_csr.precision = in.csr->precision();
  const auto laid_out = [&](auto precision) -> std::unique_ptr<EmulatedConversion> {
    auto made = std::make_unique<Emulated<decltype(precision)>>(of_csr, To::format, in.foreseen);
    To::lay_out(*in.csr, *in.facts, params, made->stage());
    return made;
  };
  return in.csr->precision() == Precision::f32 ? laid_out(float{}) : laid_out(double{});
}

template <class To>
concept Sorts = requires { To::sorts; };

template <class To>
ConversionRow row() {
  ConversionRow row{
      .format = To::format, .emulate = emulate<To>, .counts_values = counts_values<To>, .sorts = Sorts<To>};
#if defined(WARPSPY_HAVE_CUDA)
  row.on_device = on_device<To>;
#endif
  return row;
}
template <class... To>
std::vector<ConversionRow> rows_of(std::tuple<To...>*) {
  return {row<To>()...};
}

template <class To>
std::vector<MadeArray> on_host(const ConversionInputs& in) {
  std::vector<MadeArray> all = To::on_host(*in.csr, params_of_conversion<To>(in.params));
  std::erase_if(all, [](const MadeArray& a) { return a.bytes.empty(); });
  return all;
}
template <class... To>
std::vector<PreparationRow> preparations_of(std::tuple<To...>*) {
  return {{row<To>(), specs_of(To::fields()), on_host<To>}...};
}

}  // namespace
}  // namespace convert

#if !defined(WARPSPY_HAVE_CUDA)
std::vector<MadeArray> downloaded(const std::vector<ThereArray>&) { return {}; }  // nothing lies there
#endif

const std::vector<ConversionRow>& conversions() {
  static const std::vector<ConversionRow> all = convert::rows_of(static_cast<convert::ConversionList*>(nullptr));
  return all;
}

const ConversionRow* conversion_to(const std::string& format) {
  const auto& all = conversions();
  const auto at = std::find_if(all.begin(), all.end(), [&](const ConversionRow& r) { return r.format == format; });
  return at == all.end() ? nullptr : &*at;
}

const std::vector<PreparationRow>& preparations() {
  static const std::vector<PreparationRow> all =
      convert::preparations_of(static_cast<convert::PreparationList*>(nullptr));
  return all;
}

}  // namespace warpspy
