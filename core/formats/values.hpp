// The arrays of a format. Values have the precision for which the format was built; indices have 32 bits if that is
// enough, otherwise 64.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <variant>

#include "core/matrix/csr.hpp"
#include "core/matrix/pages.hpp"

namespace warpspy {

// An array whose memory was not touched yet. Builders write every element from all threads, which spreads the cost of
// touching its pages for the first time. (A vector would be zeroed by one thread first.)
template <class T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t count) : data_(std::make_unique_for_overwrite<T[]>(count)), size_(count) {
    prefer_huge_pages(data_.get(), count * sizeof(T));
  }
  std::size_t size() const { return size_; }
  std::span<const T> span() const { return {data_.get(), size_}; }
  std::span<T> span() { return {data_.get(), size_}; }

 private:
  std::unique_ptr<T[]> data_;
  std::size_t size_ = 0;
};

// An array of `count` indices up to `largest`. They take 32 bits if that is enough, otherwise 64, and are not
// initialised.
class IndexArray {
 public:
  IndexArray() = default;
  IndexArray(index_t largest, index_t count) {
    if (Indices::fits32(largest)) {
      v_ = Buffer<std::int32_t>(static_cast<std::size_t>(count));
    } else {
      v_ = Buffer<std::int64_t>(static_cast<std::size_t>(count));
    }
  }
  static std::size_t width(index_t largest) { return Indices::fits32(largest) ? 4 : 8; }

  bool is32() const { return v_.index() == 0; }
  // Calls f(std::span<const std::int32_t>) or f(std::span<const std::int64_t>): hoists the width out of hot loops.
  template <class F>
  decltype(auto) visit(F&& f) const {
    if (const auto* narrow = std::get_if<0>(&v_)) return f(narrow->span());
    return f(std::get<1>(v_).span());
  }
  template <class F>
  decltype(auto) visit_mut(F&& f) {
    if (auto* narrow = std::get_if<0>(&v_)) return f(narrow->span());
    return f(std::get<1>(v_).span());
  }
  // The indices as a span of I, which must have their width.
  template <class I>
  std::span<const I> as() const {
    return std::get<Buffer<I>>(v_).span();
  }
  template <class I>
  std::span<I> as_mut() {
    return std::get<Buffer<I>>(v_).span();
  }

  std::size_t size() const {
    return visit([](auto span) { return span.size(); });
  }
  std::size_t bytes() const { return size() * (is32() ? 4 : 8); }
  index_t operator[](std::size_t k) const {
    return visit([k](auto span) -> index_t { return span[k]; });
  }

 private:
  std::variant<Buffer<std::int32_t>, Buffer<std::int64_t>> v_;
};

class Values {
 public:
  Values() = default;
  // Makes an array of `count` values, which are not initialised.
  Values(Precision precision, index_t count) {
    if (precision == Precision::f32) {
      v_ = Buffer<float>(static_cast<std::size_t>(count));
    } else {
      v_ = Buffer<double>(static_cast<std::size_t>(count));
    }
  }

  Precision precision() const { return v_.index() == 0 ? Precision::f32 : Precision::f64; }
  // Calls f(std::span<const float>) or f(std::span<const double>).
  template <class F>
  decltype(auto) visit(F&& f) const {
    if (const auto* f32 = std::get_if<0>(&v_)) return f(f32->span());
    return f(std::get<1>(v_).span());
  }
  // The values as a span of T, which must be the type that they were built with.
  template <class T>
  std::span<const T> as() const {
    return std::get<Buffer<T>>(v_).span();
  }
  template <class T>
  std::span<T> as_mut() {
    return std::get<Buffer<T>>(v_).span();
  }

  std::size_t size() const {
    return visit([](auto span) { return span.size(); });
  }
  std::size_t bytes() const { return size() * static_cast<std::size_t>(bytes_of(precision())); }
  double operator[](std::size_t k) const {
    return visit([k](auto span) -> double { return span[k]; });
  }

 private:
  std::variant<Buffer<float>, Buffer<double>> v_;
};

}  // namespace warpspy
