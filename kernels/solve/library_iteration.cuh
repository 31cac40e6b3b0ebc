// The launches of an iteration behind a library's product. The library's calls take the place of the product's
// launches.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernels/device/device_product.cuh"
#include "kernels/device/library_product.hpp"

namespace warpspy::solve {

// The vectors of an iteration on the device, and its launches: the library's call, and our own.
template <class T>
class LibraryLayout : public DeviceLayout<T> {
 public:
  LibraryLayout(LibraryProduct& product, const std::string& kernel, const ProductInputs& in)
      : DeviceLayout<T>(kernel, without_format(in), CommonParams{}, product.y_size()),
        rows_(static_cast<index_t>(in.x.size())),
        product_(product) {
    product.use_vectors(const_cast<T*>(this->x(product.x_size()).data), DeviceLayout<T>::y().data);
  }
  simt::Array<T> y() const { return {DeviceLayout<T>::y().data, rows_}; }  // without the padding behind it

  template <class Code>
  void launch(const LaunchSpec& spec, const Code& code) {
    DeviceLayout<T>::launch(spec, code);
    calls_.push_back(own_++);
  }
  std::size_t launch_count() const { return calls_.size(); }
  // Adds the first `count` launches once more, after all others.
  void repeat_launches(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) calls_.push_back(std::size_t{calls_[i]});
  }
  // Nothing: a library's launches do not wait for what they overlap with.
  void overlap_launches() {}
  void run_one(std::size_t index, void* stream) const {
    if (calls_.at(index) == of_library)
      product_.launch(stream);
    else
      this->launches().run_one(calls_[index], static_cast<cudaStream_t>(stream));
  }

 private:
  static ProductInputs without_format(ProductInputs in) {
    in.format = nullptr, in.kept = nullptr;  // these are the library's
    return in;
  }
  static constexpr std::size_t of_library = SIZE_MAX;
  index_t rows_;
  LibraryProduct& product_;
  std::vector<std::size_t> calls_{of_library};  // of each launch: its number among our own
  std::size_t own_ = 0;
};

template <class T>
class LibraryIteration final : public DeviceProduct {
 public:
  LibraryIteration(std::unique_ptr<LibraryProduct> product, const std::string& kernel, const ProductInputs& in)
      : kernel_(kernel), product_(std::move(product)), layout_(*product_, kernel, in) {}
  LibraryLayout<T>& layout() { return layout_; }

  const std::vector<LaunchShape>& launches() const override { return product_->launches(); }
  void launch(void* stream) override {
    for (std::size_t i = 0; i < layout_.launch_count(); ++i) layout_.run_one(i, stream);
  }
  void launch_one(std::size_t index, void* stream) override { layout_.run_one(index, stream); }
  std::vector<double> y() override {
    wait();
    return layout_.download_y();
  }
  std::size_t device_bytes() const override { return product_->device_bytes() + layout_.bytes(); }
  double setup_us() const override { return product_->setup_us(); }
  std::vector<double> state(const std::string& name) const override {
    wait();
    return layout_.state_of(name);
  }
  void restart() override {
    wait();
    layout_.restart();
  }
  void copy_state(const std::string& name, std::int64_t first, std::int64_t count, void* to,
                  void* stream) const override {
    layout_.copy_state(name, first, count, to, static_cast<cudaStream_t>(stream));
  }

 private:
  void wait() const { cuda::check(cudaDeviceSynchronize(), "running kernel " + kernel_); }

  std::string kernel_;
  std::unique_ptr<LibraryProduct> product_;
  LibraryLayout<T> layout_;
};

}  // namespace warpspy::solve
