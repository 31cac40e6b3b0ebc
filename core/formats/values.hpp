// The values of a format in the precision it was built for.
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "core/matrix/csr.hpp"

namespace warpspy {

class Values {
 public:
  Values() = default;
  // `count` zeros.
  Values(Precision precision, std::size_t count) {
    if (precision == Precision::f64) v_ = std::vector<double>();
    std::visit([&](auto& v) { v.resize(count); }, v_);
  }

  Precision precision() const { return v_.index() == 0 ? Precision::f32 : Precision::f64; }
  // Calls f(std::span<const float>) or f(std::span<const double>).
  template <class F>
  decltype(auto) visit(F&& f) const {
    if (const auto* f32 = std::get_if<0>(&v_)) return f(std::span<const float>(*f32));
    return f(std::span<const double>(std::get<1>(v_)));
  }
  template <class F>
  decltype(auto) visit_mut(F&& f) {
    if (auto* f32 = std::get_if<0>(&v_)) return f(std::span<float>(*f32));
    return f(std::span<double>(std::get<1>(v_)));
  }
  // The values as T, which must be what they were built as.
  template <class T>
  std::span<const T> as() const {
    return std::get<std::vector<T>>(v_);
  }

  std::size_t size() const {
    return visit([](auto span) { return span.size(); });
  }
  std::size_t bytes() const { return size() * static_cast<std::size_t>(bytes_of(precision())); }
  double operator[](std::size_t k) const {
    return visit([k](auto span) -> double { return span[k]; });
  }

 private:
  std::variant<std::vector<float>, std::vector<double>> v_;
};

}  // namespace warpspy
