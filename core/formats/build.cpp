#include "core/formats/build.hpp"

#include <cmath>
#include <cstdio>
#include <limits>

#include "core/formats/csr.hpp"

namespace warpspy {

void require_memory(const std::string& format, const Estimate& estimate, const Csr& a, Precision precision,
                    std::size_t available) {
  const std::size_t bytes = estimate.bytes();
  if (bytes <= available) return;
  const std::size_t csr = csr_estimate(a, precision, {}).bytes();
  const bool csr_fits = csr <= available && csr < bytes;
  throw Error("format " + format + " needs " + byte_text(static_cast<double>(bytes)) + " for this matrix, and " +
                  byte_text(static_cast<double>(available)) + " of memory are available",
              {},
              csr_fits ? "use format csr, which needs " + byte_text(static_cast<double>(csr))
                       : "close other programs or use a smaller matrix");
}

std::size_t saturating_bytes(index_t count, std::size_t each) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(static_cast<std::size_t>(count), each, &bytes))
    return std::numeric_limits<std::size_t>::max();
  return bytes;
}

index_t saturating_count(index_t a, index_t b) {
  index_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::numeric_limits<index_t>::max();
  return product;
}

template <class T>
T converted(const Csr& a, index_t row, index_t k, RealView view) {
  const double v = a.real_value(k, view);
  if (std::abs(v) <= static_cast<double>(std::numeric_limits<T>::max()) || !std::isfinite(v)) return static_cast<T>(v);
  char text[32];
  std::snprintf(text, sizeof text, "%g", v);
  throw Error("value " + std::string(text) + " in row " + std::to_string(row) + ", column " +
                  std::to_string(a.columns()[k]) + " does not fit f32",
              {}, "use precision f64");
}
template float converted<float>(const Csr&, index_t, index_t, RealView);
template double converted<double>(const Csr&, index_t, index_t, RealView);

}  // namespace warpspy
