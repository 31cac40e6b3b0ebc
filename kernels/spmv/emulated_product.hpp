// Any product kernel in the emulator.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <span>

#include "kernels/simt/emulator.hpp"
#include "kernels/spmv/spmv.hpp"

namespace warpspy {

// Lays the arrays of one product out in the modelled address space, 256 bytes aligned as cudaMalloc does. The format's
// arrays are used where they lie; x and y are the product's own.
template <class T>
class EmulatedMemory {
 public:
  template <class Ptr, class Col>
  static constexpr bool compiled = true;

  EmulatedMemory(std::vector<simt::ArrayInfo>& arrays, std::span<const T> x, std::span<T> y)
      : arrays_(arrays), x_(x), y_(y) {}

  template <class E>
  simt::Array<E> in(const char* name, std::span<E> data) {
    const std::uint64_t bytes = data.size_bytes();
    const simt::Array<E> array{data.data(), static_cast<std::int64_t>(data.size()), next_,
                               static_cast<std::uint16_t>(arrays_.size())};
    arrays_.push_back({name, next_, bytes});
    next_ += (std::max<std::uint64_t>(bytes, 1) + 255) / 256 * 256;
    return array;
  }
  template <class>
  simt::Array<const T> x() {
    return in("x", x_);
  }
  template <class>
  simt::Array<T> y() {
    return in("y", y_);
  }

 private:
  std::vector<simt::ArrayInfo>& arrays_;
  std::span<const T> x_;
  std::span<T> y_;
  std::uint64_t next_ = 1 << 20;  // any address but 0
};

template <class Kernel, class T>
class EmulatedSpmv final : public EmulatedProduct {
 public:
  EmulatedSpmv(std::shared_ptr<const Format> format, const typename Kernel::Input& a,
               const typename Kernel::Params& params, std::span<const double> x)
      : format_(std::move(format)),
        x_(x.begin(), x.end()),
        y_(static_cast<std::size_t>(a.rows()), std::numeric_limits<T>::quiet_NaN()),
        rows_(a.rows()),
        rows_per_block_(Kernel::rows_per_block(params)),
        shape_(row_grid(Kernel::info().id, rows_, rows_per_block_, params.block_size)) {
    launch_.kernel = Kernel::info().id;
    launch_.block_size = shape_.block;
    EmulatedMemory<T> memory(launch_.arrays, x_, y_);
    Kernel::template bind<T>(a, params, memory, [this](const auto& code) {
      run_ = [this, code](std::int64_t block, simt::BlockTrace* trace) {
        simt::run_block(launch_, block, code, trace);
      };
    });
  }

  LaunchShape shape() const override { return shape_; }
  const std::vector<simt::ArrayInfo>& arrays() const override { return launch_.arrays; }
  const std::vector<simt::Site>& sites() const override { return launch_.sites.sites(); }
  void emulate_block(std::int64_t block, simt::BlockTrace* trace) override { run_(block, trace); }
  std::pair<index_t, index_t> rows_of_block(std::int64_t block) const override {
    return {std::min(rows_, block * rows_per_block_), std::min(rows_, (block + 1) * rows_per_block_)};
  }
  std::vector<double> y() const override { return {y_.begin(), y_.end()}; }

 private:
  std::shared_ptr<const Format> format_;
  std::vector<T> x_, y_;
  index_t rows_, rows_per_block_;
  LaunchShape shape_;
  simt::Launch launch_;
  std::function<void(std::int64_t, simt::BlockTrace*)> run_;
};

template <class Kernel>
std::unique_ptr<EmulatedProduct> emulate(std::shared_ptr<const Format> format, Precision precision,
                                         const ParamSet& params, std::span<const double> x) {
  const KernelInfo info = Kernel::info();
  const auto& a = input_of<typename Kernel::Input>(info, *format);
  require_inputs(a, precision, x.size());
  const auto p = params_of(Kernel::fields(), params);
  if (precision == Precision::f32) return std::make_unique<EmulatedSpmv<Kernel, float>>(std::move(format), a, p, x);
  return std::make_unique<EmulatedSpmv<Kernel, double>>(std::move(format), a, p, x);
}

}  // namespace warpspy
