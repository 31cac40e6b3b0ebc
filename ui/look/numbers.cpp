#include "ui/look/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "core/base/numbers.hpp"

namespace warpspy::ui {

std::string count_text(index_t n) { return grouped(n, ','); }

std::string real_text(double v, int digits) {
  if (!std::isfinite(v)) return std::isnan(v) ? "NaN" : v > 0 ? "inf" : "-inf";
  const double a = std::abs(v);
  char text[48];
  // If there are more digits before the point than requested, all are written instead of an exponent.
  if (std::llround(std::min(a, 1e15)) >= std::llround(std::pow(10, std::min(digits, 15))) && a < 1e12) {
    const auto whole = static_cast<index_t>(std::llround(v));
    return a < 9999.5 ? std::to_string(whole) : count_text(whole);
  }
  std::snprintf(text, sizeof text, "%.*g", digits, v);
  return text;
}

std::string bytes_text(double bytes) { return byte_text(bytes, 3); }

std::string percent_text(double share) {
  char text[32];
  if (share > 0 && share < 0.00995) {  // significant digits: the density of a sparse matrix must not look like 0
    std::snprintf(text, sizeof text, "%.2g %%", 100 * share);
    return text;
  }
  std::snprintf(text, sizeof text, "%.*f %%", share < 0.0995 ? 1 : 0, 100 * share);
  return text;
}

std::string seconds_text(double s) {
  char text[32];
  if (s < 1) return "1 s";
  if (s < 90)
    std::snprintf(text, sizeof text, "%.0f s", std::ceil(s));
  else
    std::snprintf(text, sizeof text, "%.0f min", std::ceil(s / 60));
  return text;
}

}  // namespace warpspy::ui
