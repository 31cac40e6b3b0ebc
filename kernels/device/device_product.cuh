// Any product kernel on a CUDA device.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/device/cuda.hpp"
#include "kernels/device/device_arrays.hpp"
#include "kernels/device/launches.hpp"
#include "kernels/device/prepared.hpp"
#include "kernels/spmv/contract.hpp"
#include "kernels/spmv/spmv.hpp"

namespace warpspy {

template <class Code>
__device__ __forceinline__ void run_product(const Code& code, bool overlap) {
  // Called at once: the next launch then gets places on SMs when no block of this launch needs them.
  if (overlap) {
    simt::let_next_launch_begin();
    if constexpr (!simt::awaits_previous<Code>) simt::PreviousLaunch{}.await();
  }
  code(
      simt::Thread{static_cast<std::int64_t>(blockIdx.x), static_cast<int>(threadIdx.x), static_cast<int>(blockDim.x)});
}
template <class Code>
__global__ void spmv_kernel(const Code code, bool overlap) {
  run_product(code, overlap);
}
// For code that says how large its blocks are at most, and how many blocks an SM should hold at least.
template <class Code>
__global__ void __launch_bounds__(Code::threads_at_most, Code::blocks_at_least)
    bounded_spmv_kernel(const Code code, bool overlap) {
  run_product(code, overlap);
}
template <class Code>
constexpr auto kernel_of() {
  if constexpr (requires { Code::blocks_at_least; })
    return bounded_spmv_kernel<Code>;
  else
    return spmv_kernel<Code>;
}

// A kernel's name with its own parameters, without those that all kernels have. Prepared arrays may depend only on
// these.
inline std::string own_params(const std::string& kernel, const ParamSet& params) {
  static const std::vector<ParamSpec> common = specs_of(common_fields());
  std::string text = kernel;
  for (const auto& [id, value] : params)
    if (std::none_of(common.begin(), common.end(), [&](const ParamSpec& spec) { return spec.id == id; }))
      text += " " + id + "=" + std::to_string(value);
  return text;
}

// A kernel's lay_out() fills this in: the arrays of one product on the device, and its launches.
template <class T>
class DeviceLayout {
 public:
  using Value = T;
  // Loops around loads are unrolled if a load is one instruction, without a decision on the cache policy.
  template <class Cached>
  static constexpr bool unrolled = !std::is_same_v<Cached, DynamicCaches>;

  DeviceLayout(const std::string& kernel, const ProductInputs& in, const CommonParams& common, index_t output_size)
      : kernel_(kernel),
        launches_(kernel),
        common_(common),
        kept_(in.kept || !in.format ? in.kept : std::make_shared<DeviceArrays>(in.format)),
        prepared_(kept_ ? kept_->prepared(own_params(kernel, in.params)) : std::make_shared<PreparedArrays>()),
        scale_{static_cast<T>(in.alpha), static_cast<T>(in.beta)},
        x_(in.x.begin(), in.x.end()),
        y_(static_cast<std::size_t>(output_size)) {
    if (in.beta == 0)
      y_.poison();
    else
      y_ = cuda::DeviceBuffer<T>(std::span<const T>(std::vector<T>(in.y.begin(), in.y.end())));
  }

  template <class E>
  simt::Array<E> in(const char*, Role, std::span<E> host) {
    return {static_cast<E*>(uploaded(host.data(), host.size_bytes())), static_cast<std::int64_t>(host.size())};
  }
  // x, followed by zeros if it needs more elements.
  simt::Array<const T> x(index_t at_least = 0) {
    x_.resize(std::max(x_.size(), static_cast<std::size_t>(at_least)));
    const auto array = in("x", Role::x, std::span<const T>(x_));
    x_array_ = {const_cast<T*>(array.data), array.size};  // in memory of its own, which the host's copy fills
    return array;
  }
  // As EmulatedLayout: the same array, for a launch that writes the next product's x.
  simt::Array<T> next_x() const { return x_array_; }
  // An array that launches change and that stays between products.
  template <class E>
  simt::Array<E> state(const char* name, std::vector<E> first) {
    const cuda::DeviceBytes& bytes = arrays_.emplace_back(first.size() * sizeof(E));
    bytes.upload(first.data());
    const auto size = static_cast<std::int64_t>(first.size());
    E* const there = static_cast<E*>(bytes.data());
    const auto kept = std::make_shared<const std::vector<E>>(std::move(first));
    states_.push_back({name, there, sizeof(E),
                       [there, kept] {
                         std::vector<E> now(kept->size());
                         cuda::check(cudaMemcpy(now.data(), there, now.size() * sizeof(E), cudaMemcpyDeviceToHost),
                                     "reading a vector of the solve");
                         return std::vector<double>(now.begin(), now.end());
                       },
                       [there, kept] {
                         cuda::check(cudaMemcpy(there, kept->data(), kept->size() * sizeof(E), cudaMemcpyHostToDevice),
                                     "writing a vector of the solve");
                       }});
    return {there, size};
  }
  const std::vector<index_t>& order() const { return order_; }
  std::size_t launch_count() const { return launches_.shapes().size(); }
  void repeat_launches(std::size_t count) { launches_.repeat(count); }
  void overlap_launches() { launches_.overlap_all(); }
  std::vector<double> state_of(const std::string& name) const {
    for (const NamedState& s : states_)
      if (s.name == name) return s.read();
    return {};
  }
  void copy_state(const std::string& name, std::int64_t first, std::int64_t count, void* to,
                  cudaStream_t stream) const {
    for (const NamedState& s : states_)
      if (s.name == name)
        cuda::check(cudaMemcpyAsync(to, static_cast<const char*>(s.there) + static_cast<std::size_t>(first) * s.bytes,
                                    static_cast<std::size_t>(count) * s.bytes, cudaMemcpyDeviceToHost, stream),
                    "reading a vector of the solve");
  }
  void restart() const {
    for (const NamedState& s : states_) s.restart();
    if (x_array_.data)
      cuda::check(cudaMemcpy(x_array_.data, x_.data(), x_.size() * sizeof(T), cudaMemcpyHostToDevice),
                  "writing a vector of the solve");
    cuda::await_copies("writing a vector of the solve");
  }
  // Every call returns the same array.
  simt::Array<T> y() const { return {y_.data(), static_cast<std::int64_t>(y_.size())}; }
  // `count` elements that one launch leaves for the next.
  template <class E>
  simt::Array<E> scratch(const char*, index_t count) {
    const cuda::DeviceBytes& bytes = arrays_.emplace_back(static_cast<std::size_t>(count) * sizeof(E));
    bytes.poison();
    return {static_cast<E*>(bytes.data()), count};
  }
  template <class E, class Foreseen>
  simt::Array<E> scratch(const char* name, index_t count, const Foreseen&) {
    return scratch<E>(name, count);
  }
  // An array that the kernel needs beside its format's.
  template <class E, class Memory>
  simt::Array<const E> made(const char*, Role, const std::vector<E, Memory>& data) {
    if (made_ == prepared_->arrays.size()) {
      cuda::DeviceBytes own(data.size() * sizeof(E));
      own.upload(data.data());
      prepared_->arrays.push_back(std::move(own));  // so that the next layout finds it complete or not at all
    }
    return {static_cast<const E*>(prepared_->arrays[made_++].data()), static_cast<std::int64_t>(data.size())};
  }
  // One that was made there.
  template <class E>
  simt::Array<const E> made(const char*, Role, const DeviceArray<E>& there) {
    return {there.data, static_cast<std::int64_t>(there.count)};
  }
  // The same, but make() uses only the format, so the array is made once for all parameters of the kernel: on the
  // device where prepared.hpp knows how, else on the host.
  template <class Work>
    requires requires(const Work& work, DeviceArrays& format) { prepared_there(work, format); }
  auto of_format(const char* name, Role role, Work&& work) {
    using Result = decltype(prepared_there(work, *kept_));
    const auto kept = kept_->prepared(kernel_ + ": " + name);
    if (kept->there.empty()) {
      const auto there = std::make_shared<const Result>(prepared_there(work, *kept_));
      kept->there.push_back(there);
      setup_us_ += there->us;
    }
    of_format_.push_back(kept);
    const auto& result = *static_cast<const Result*>(kept->there.front().get());
    there_bytes_ += result.bytes();
    return made(name, role, result.all);
  }
  template <class Make>
  auto of_format(const char* name, Role, Make&& make) {
    using E = typename std::decay_t<decltype(make())>::value_type;
    const auto there = kept_ ? kept_->prepared(kernel_ + ": " + name) : std::make_shared<PreparedArrays>();
    if (there->arrays.empty()) {
      const auto start = std::chrono::steady_clock::now();
      const auto data = make();
      setup_us_ += std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
      cuda::DeviceBytes own(data.size() * sizeof(E));
      own.upload(data.data());
      there->arrays.push_back(std::move(own));
    }
    of_format_.push_back(there);
    const cuda::DeviceBytes& bytes = there->arrays.front();
    return simt::Array<const E>{static_cast<const E*>(bytes.data()),
                                static_cast<std::int64_t>(bytes.bytes() / sizeof(E))};
  }
  // Does the work once, before the first product, and keeps the result as long as the layout: on the device where
  // prepared.hpp knows how, else on the host. Its time is reported separately; there is none if an earlier layout of
  // the same kernel left the result.
  template <class Work>
    requires requires(const Work& work, DeviceArrays& format) { prepared_there(work, format); }
  const auto& prepare(Work&& work) {
    using Result = decltype(prepared_there(work, *kept_));
    if (asked_there_ == prepared_->there.size()) {
      const auto made = std::make_shared<const Result>(prepared_there(work, *kept_));
      prepared_->there.push_back(made);
      setup_us_ += made->us;
    }
    const auto& result = *static_cast<const Result*>(prepared_->there[asked_there_++].get());
    there_bytes_ += result.bytes();
    return result;
  }
  template <class Work>
  const auto& prepare(Work&& work) {
    using Result = std::decay_t<decltype(work())>;
    if (worked_ == prepared_->results.size()) {
      const auto start = std::chrono::steady_clock::now();
      prepared_->results.push_back(std::make_shared<const Result>(work()));
      setup_us_ += std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
    }
    return *static_cast<const Result*>(prepared_->results[worked_++].get());
  }
  double setup_us() const { return setup_us_; }
  // Says that element i of the kernel's y is element order[i] of the result. y is reordered before the product, and
  // back when the result is read, as an iterative method would do once at its start and end. Call it before y().
  template <class I>
  void y_in_order(std::span<const I> order) {
    order_.assign(order.begin(), order.end());
    if (scale_.beta == 0) return;
    std::vector<T> before(y_.size()), sorted;
    y_.download(before);
    for (const index_t row : order_) sorted.push_back(before[static_cast<std::size_t>(row)]);
    y_ = cuda::DeviceBuffer<T>(std::span<const T>(sorted));
  }
  Scale<T> scale() const { return scale_; }
  double evict_last_share() const {
    return simt::is_evict_last(common_.matrix()) ? static_cast<double>(simt::evict_last_share(common_.matrix())) : 0;
  }

  // Calls use(caches). The kernel is compiled in four versions: with plain loads, with streaming loads of the matrix,
  // with loads that keep a share of the matrix in L2, and with loads that decide each time.
  template <class Use>
  void with_caches(Use&& use) const {
    using enum simt::CachePolicy;
    using Plain = simt::Fixed<plain>;
    using Streaming = simt::Fixed<streaming>;
    const simt::CachePolicy matrix = common_.matrix();
    if (common_.x() != plain) return use(caches_of(common_));
    if (matrix == plain) return use(Caches<Plain, Plain, Plain, Plain>{});
    if (matrix == streaming) return use(Caches<Plain, Streaming, Streaming, Streaming>{});
    if (simt::is_evict_last(matrix)) {
      const float share = simt::evict_last_share(matrix);
      const simt::EvictLast kept{share, cuda::l2_wish(share)};
      return use(Caches<Plain, simt::EvictLast, simt::EvictLast, Plain>{{}, kept, kept, {}});
    }
    use(caches_of(common_));
  }

  template <class Code>
  void launch(const LaunchSpec& spec, const Code& code) {
    launches_.add(kernel_of<Code>(), spec, code, common_.overlap != 0);
  }

  const DeviceLaunches& launches() const { return launches_; }
  std::vector<double> download_y() const {
    std::vector<T> host(y_.size());
    y_.download(host);
    return in_result_order(host, order_);
  }
  std::size_t bytes() const {
    std::size_t sum = y_.bytes() + kept_bytes_ + there_bytes_;
    for (const cuda::DeviceBytes& a : arrays_) sum += a.bytes();
    for (const cuda::DeviceBytes& a : prepared_->arrays) sum += a.bytes();
    for (const auto& kept : of_format_)
      for (const cuda::DeviceBytes& a : kept->arrays) sum += a.bytes();
    return sum;
  }

 private:
  void* uploaded(const void* host, std::size_t bytes) {
    if (void* there = kept_ ? kept_->find(host, bytes) : nullptr) {
      kept_bytes_ += bytes;
      return there;
    }
    const cuda::DeviceBytes& own = arrays_.emplace_back(bytes);
    own.upload(host);
    return own.data();
  }

  struct NamedState {
    std::string name;
    const void* there;
    std::size_t bytes;  // of an element
    std::function<std::vector<double>()> read;
    std::function<void()> restart;
  };

  std::string kernel_;
  DeviceLaunches launches_;
  CommonParams common_;
  std::shared_ptr<DeviceArrays> kept_;
  std::size_t kept_bytes_ = 0;  // bytes of these that the kernel reads
  std::shared_ptr<PreparedArrays> prepared_;
  std::size_t made_ = 0, worked_ = 0, asked_there_ = 0;  // how many of these so far
  std::size_t there_bytes_ = 0;                          // bytes of what was made there
  std::vector<std::shared_ptr<PreparedArrays>> of_format_;
  Scale<T> scale_;
  std::vector<T> x_;
  simt::Array<T> x_array_{};
  std::vector<NamedState> states_;
  cuda::DeviceBuffer<T> y_;
  std::vector<cuda::DeviceBytes> arrays_;
  double setup_us_ = 0;
  std::vector<index_t> order_;  // order of y; empty if it is the result's order
};

template <class T>
class DeviceSpmv final : public DeviceProduct {
 public:
  DeviceSpmv(const KernelInfo& info, const ProductInputs& in, const CommonParams& common, index_t output_size)
      : kernel_(info.id), layout_(info.id, in, common, output_size) {}
  DeviceLayout<T>& layout() { return layout_; }

  const std::vector<LaunchShape>& launches() const override { return layout_.launches().shapes(); }
  void launch(void* stream) override { layout_.launches().run(static_cast<cudaStream_t>(stream)); }
  void launch_one(std::size_t index, void* stream) override {
    layout_.launches().run_one(index, static_cast<cudaStream_t>(stream));
  }
  std::vector<double> y() override {
    cuda::check(cudaDeviceSynchronize(), "running kernel " + kernel_);
    return layout_.download_y();
  }
  std::size_t device_bytes() const override { return layout_.bytes(); }
  double setup_us() const override { return layout_.setup_us(); }
  double evict_last_share() const override { return layout_.evict_last_share(); }
  std::vector<double> state(const std::string& name) const override {
    cuda::check(cudaDeviceSynchronize(), "running kernel " + kernel_);
    return layout_.state_of(name);
  }
  void restart() override {
    cuda::check(cudaDeviceSynchronize(), "running kernel " + kernel_);
    layout_.restart();
  }
  void copy_state(const std::string& name, std::int64_t first, std::int64_t count, void* to,
                  void* stream) const override {
    layout_.copy_state(name, first, count, to, static_cast<cudaStream_t>(stream));
  }

 private:
  std::string kernel_;
  DeviceLayout<T> layout_;
};

template <class Kernel>
std::unique_ptr<DeviceProduct> on_device(const ProductInputs& in) {
  require_kernel<Kernel, DeviceLayout<float>>();
  const KernelInfo info = kernel_info<Kernel>();
  const auto& a = input_of<typename Kernel::Input>(info, in);
  const auto [params, common] = split_params<Kernel>(in.params);
  const index_t out = require_vectors(info, in);
  const auto vectors = (in.x.size() + static_cast<std::size_t>(out)) * static_cast<std::size_t>(bytes_of(in.precision));
  if (in.format)
    cuda::require_device_memory("format " + in.format->id() + " with x and y", in.format->size().bytes() + vectors);
  const auto laid_out = [&, &params = params, &common = common](auto precision) -> std::unique_ptr<DeviceProduct> {
    auto product = std::make_unique<DeviceSpmv<decltype(precision)>>(info, in, common, out);
    Kernel::lay_out(a, params, product->layout());
    if (product->launches().empty()) refuse_wide_indices(info.id);
    return product;
  };
  return in.precision == Precision::f32 ? laid_out(float{}) : laid_out(double{});
}

}  // namespace warpspy
