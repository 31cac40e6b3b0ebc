// Runs any product kernel in the emulator.
#pragma once

#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kernels/spmv/contract.hpp"
#include "kernels/spmv/emulated_launches.hpp"
#include "kernels/spmv/spmv.hpp"

namespace warpspy {

// A kernel's lay_out() fills this in: the launches of one product and its arrays, with modelled addresses that are
// multiples of 256 bytes, as from cudaMalloc. The format's arrays are not copied; x, y and scratch belong to the
// layout.
template <class T>
class EmulatedLayout {
 public:
  using Value = T;
  // Whether loops around loads are unrolled.
  template <class Cached>
  static constexpr bool unrolled = true;

  EmulatedLayout(const ProductInputs& in, const CommonParams& common, index_t output_size)
      : caches_(caches_of(common)),
        overlap_(common.overlap != 0),
        machine_code_(in.machine_code),
        scale_{static_cast<T>(in.alpha), static_cast<T>(in.beta)},
        x_(in.x.begin(), in.x.end()),
        y_(static_cast<std::size_t>(output_size), std::numeric_limits<T>::quiet_NaN()) {
    if (in.beta != 0) std::copy(in.y.begin(), in.y.end(), y_.begin());
  }
  EmulatedLayout(const EmulatedLayout&) = delete;
  EmulatedLayout& operator=(const EmulatedLayout&) = delete;

  template <class E>
  simt::Array<E> in(const char* name, Role role, std::span<E> data) {
    const std::uint64_t bytes = data.size_bytes();
    const simt::Array<E> array{data.data(), static_cast<std::int64_t>(data.size()), next_,
                               static_cast<std::uint16_t>(launches_.common.arrays.size()), role};
    launches_.common.arrays.push_back({name, next_, bytes, role});
    next_ += (std::max<std::uint64_t>(bytes, 1) + 255) / 256 * 256;
    return array;
  }
  // x, followed by zeros if it needs more elements. Call it once, since arrays point to it.
  simt::Array<const T> x(index_t at_least = 0) {
    x_.resize(std::max(x_.size(), static_cast<std::size_t>(at_least)));
    x_array_ = in("x", Role::x, std::span<T>(x_));
    return {x_array_.data, x_array_.size, x_array_.base, x_array_.id, x_array_.role};
  }
  // The array of x, for a launch that writes the x of the next product. x must be laid out before. The array is empty
  // if the kernel reads no x.
  simt::Array<T> next_x() {
    first_x_ = x_;
    return x_array_;
  }
  // An array that launches change and that stays between products.
  template <class E>
  simt::Array<E> state(const char* name, std::vector<E> first) {
    const auto kept = std::make_shared<State<E>>(State<E>{first, first});
    states_.push_back({name, [kept] { return std::vector<double>(kept->now.begin(), kept->now.end()); },
                       [kept] { std::copy(kept->first.begin(), kept->first.end(), kept->now.begin()); }});
    return in(name, Role::scratch, std::span<E>(kept->now));
  }
  // Element i of the kernel's y is element order()[i] of the result; empty if they are the same.
  const std::vector<index_t>& order() const { return order_; }
  std::size_t launch_count() const { return launches_.shapes().size(); }
  EmulatedLaunches& launches() { return launches_; }
  // Lays the first `count` launches out once more, behind all others.
  void repeat_launches(std::size_t count) { launches_.repeat(count); }
  // Every call returns the same array.
  simt::Array<T> y() {
    if (!y_array_.data) y_array_ = in("y", Role::y, std::span<T>(y_));
    return y_array_;
  }
  // Makes an array of `count` elements that one launch writes and the next one reads. They begin as NaN, or as an
  // invalid index, so that an element read too early is found.
  template <class E>
  simt::Array<E> scratch(const char* name, index_t count) {
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(E);
    scratch_.push_back(std::make_unique<std::byte[]>(bytes));
    std::fill_n(scratch_.back().get(), bytes, std::byte{0xff});
    return in(name, Role::scratch,
              std::span<E>(reinterpret_cast<E*>(scratch_.back().get()), static_cast<std::size_t>(count)));
  }
  // Makes a scratch array whose elements are known before the first launch: element i is foreseen(i). If only a sample
  // of the first launch's blocks runs, the next launch still reads the right numbers.
  template <class E, class Foreseen>
  simt::Array<E> scratch(const char* name, index_t count, const Foreseen& foreseen) {
    const simt::Array<E> array = scratch<E>(name, count);
    for (index_t i = 0; i < count; ++i) array.data[i] = foreseen(i);
    return array;
  }
  // An array that the kernel needs beside its format's, kept as long as the product.
  template <class E, class Memory>
  simt::Array<const E> made(const char* name, Role role, std::vector<E, Memory> data) {
    const auto kept = std::make_shared<const std::vector<E, Memory>>(std::move(data));
    made_.push_back(kept);
    return in(name, role, std::span<const E>(*kept));
  }
  // Makes an array once, before the first product. make() uses only the format and not the kernel's parameters, so the
  // array stays when these change.
  template <class Make>
  auto of_format(const char* name, Role role, Make&& make) {
    const auto& data = prepare(make);
    return in(name, role, std::span(data));
  }
  // Calls work() once, before the first product, and keeps the result as long as the layout. Its time is reported
  // separately.
  template <class Work>
  const auto& prepare(Work&& work) {
    const auto start = std::chrono::steady_clock::now();
    const auto result = std::make_shared<const std::decay_t<decltype(work())>>(work());
    setup_us_ += std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
    made_.push_back(result);
    return *result;
  }
  // Declares that element i of the kernel's y is element order[i] of the result. y is reordered before the product, and
  // back when the result is read, as an iterative method would do once at its start and end. Call it before y().
  template <class I>
  void y_in_order(std::span<const I> order) {
    order_.assign(order.begin(), order.end());
    std::vector<T> sorted;
    for (const index_t row : order_) sorted.push_back(y_[static_cast<std::size_t>(row)]);
    std::copy(sorted.begin(), sorted.end(), y_.begin());  // copied in place, since arrays point to y_
  }
  Scale<T> scale() const { return scale_; }
  // Calls use(caches).
  template <class Use>
  void with_caches(Use&& use) const {
    use(caches_);
  }

  template <class Code>
  void launch(const LaunchSpec& spec, const Code& code) {
    launches_.add(spec, code, overlap_, machine_code_);
  }

 private:
  template <class>
  friend class EmulatedSpmv;

  template <class E>
  struct State {
    std::vector<E> first, now;
  };
  struct NamedState {
    std::string name;
    std::function<std::vector<double>()> read;
    std::function<void()> restart;
  };

  DynamicCaches caches_;
  bool overlap_;
  const MachineCode* machine_code_;
  Scale<T> scale_;
  std::vector<T> x_, y_, first_x_;
  simt::Array<T> x_array_, y_array_;
  std::vector<NamedState> states_;
  std::vector<std::unique_ptr<std::byte[]>> scratch_;
  std::vector<std::shared_ptr<const void>> made_;
  std::vector<index_t> order_;    // order of y; empty if it is the result's order
  std::uint64_t next_ = 1 << 20;  // any address but 0
  double setup_us_ = 0;
  EmulatedLaunches launches_;
};

template <class T>
class EmulatedSpmv final : public EmulatedProduct {
 public:
  EmulatedSpmv(const KernelInfo& info, const ProductInputs& in, const CommonParams& common)
      : format_(in.format), rows_(require_vectors(info, in)), layout_(in, common, rows_) {
    layout_.launches_.common.kernel = info.id;
  }
  EmulatedLayout<T>& layout() { return layout_; }

  const std::vector<LaunchShape>& launches() const override { return layout_.launches_.shapes(); }
  const std::vector<simt::ArrayInfo>& arrays() const override { return layout_.launches_.common.arrays; }
  const std::vector<simt::Site>& sites() const override { return layout_.launches_.common.sites.sites(); }
  void emulate_block(int launch, std::int64_t block, simt::BlockTrace* trace, simt::Additions* later) override {
    layout_.launches_.run(launch, block, {}, trace, later);
  }
  bool emulate_warps(int launch, std::int64_t block, simt::WarpRange warps, simt::BlockTrace* trace,
                     simt::Additions* later) override {
    return layout_.launches_.run(launch, block, warps, trace, later);
  }
  std::optional<std::pair<index_t, index_t>> rows_of_block(std::int64_t block) const override {
    const index_t rows = layout_.launches_.rows_per_block();
    if (rows == 0) return std::nullopt;
    return std::pair{std::min(rows_, block * rows), std::min(rows_, (block + 1) * rows)};
  }
  std::vector<double> y() const override { return in_result_order(layout_.y_, layout_.order_); }
  double setup_us() const override { return layout_.setup_us_; }
  std::vector<double> state(const std::string& name) const override {
    for (const auto& s : layout_.states_)
      if (s.name == name) return s.read();
    return {};
  }
  void restart() override {
    for (const auto& s : layout_.states_) s.restart();
    std::copy(layout_.first_x_.begin(), layout_.first_x_.end(), layout_.x_.begin());
  }

 private:
  std::shared_ptr<const Format> format_;
  index_t rows_;
  EmulatedLayout<T> layout_;
};

template <class Kernel>
std::unique_ptr<EmulatedProduct> emulate(const ProductInputs& in) {
  require_kernel<Kernel, EmulatedLayout<float>>();
  const KernelInfo info = kernel_info<Kernel>();
  const auto& a = input_of<typename Kernel::Input>(info, in);
  const auto params = split_params<Kernel>(in.params);  // the kernel's parameters and the common ones
  const auto laid_out = [&](auto precision) -> std::unique_ptr<EmulatedProduct> {
    auto product = std::make_unique<EmulatedSpmv<decltype(precision)>>(info, in, params.second);
    Kernel::lay_out(a, params.first, product->layout());
    if (product->launches().empty()) refuse_wide_indices(info.id);
    return product;
  };
  return in.precision == Precision::f32 ? laid_out(float{}) : laid_out(double{});
}

}  // namespace warpspy
