#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "core/plot/plot.hpp"

namespace warpspy::plot {
namespace {

constexpr const char* kMinus = "\xE2\x88\x92";  // U+2212, as wide as the digits beside it

std::string print(const char* format, int precision, double v) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, precision, v);
  return buffer;
}

std::string with_minus(std::string s) {
  if (!s.empty() && s.front() == '-') s.replace(0, 1, kMinus);
  return s;
}

std::string power_of_ten(int k) { return std::string("10^") + (k < 0 ? kMinus : "") + std::to_string(std::abs(k)); }

struct Unit {
  double factor;
  const char* suffix;
};
constexpr std::array<Unit, 6> kUnits = {{{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}}};

// The smallest 1, 2 or 5 times a power of ten that is at least v.
double nice_step(double v) {
  const double power = std::pow(10.0, std::floor(std::log10(v)));
  for (double m : {1.0, 2.0, 5.0})
    if (m * power >= v * (1 - 1e-9)) return m * power;
  return 10 * power;
}

// One style for all labels of an axis: 0, 50k, 100k is never mixed with 150000.
std::string linear_label(double v, double step, double largest) {
  if (std::abs(v) < step * 1e-6) return "0";
  if (largest < 1e-3) {
    const int k = static_cast<int>(std::floor(std::log10(largest) + 1e-9));
    const double mantissa = v / std::pow(10.0, k), fine = step / std::pow(10.0, k);
    const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(fine) - 1e-9)), 0, 9);
    return with_minus(print("%.*f", digits, mantissa)) + "\xC2\xB7" + power_of_ten(k);
  }
  double factor = 1;
  const char* suffix = "";
  if (largest >= 1e4)
    for (const Unit& u : kUnits)
      if (largest >= u.factor * (1 - 1e-9)) {
        factor = u.factor, suffix = u.suffix;
        break;
      }
  const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(step / factor) - 1e-9)), 0, 9);
  return with_minus(print("%.*f", digits, v / factor)) + suffix;
}

std::vector<Tick> linear_ticks(const Axis& axis, int most) {
  const double span = axis.max - axis.min;
  double step = nice_step(span / most);
  if (axis.integers) step = std::max(1.0, step);
  // A range may contain one tick more than span / step: the step grows until they fit.
  const auto count = [&] { return std::floor(axis.max / step + 1e-9) - std::ceil(axis.min / step - 1e-9) + 1; };
  while (count() > most && step < span * 20) step = nice_step(step * 1.5);
  const double first = std::ceil(axis.min / step - 1e-9), last = std::floor(axis.max / step + 1e-9);
  const double largest = std::max(std::abs(first), std::abs(last)) * step;
  std::vector<Tick> result;
  if (axis.from_one && axis.min <= 1 && first * step > 1) result.push_back({1, linear_label(1, 1, 1)});
  for (double k = first; k <= last && result.size() < 1000; ++k)
    result.push_back({k * step, linear_label(k * step, step, largest)});
  return result;
}

// Every category if there is room, else every second, third, ...
std::vector<Tick> category_ticks(const Axis& axis, int most) {
  const int n = static_cast<int>(axis.categories.size()), every = std::max(1, (n + most - 1) / most);
  std::vector<Tick> result;
  for (int k = 0; k < n; k += every)
    if (k >= axis.min && k <= axis.max)
      result.push_back({static_cast<double>(k), axis.categories[static_cast<std::size_t>(k)]});
  return result;
}

std::string plain(double v) {
  if (v >= 1e4 || v < 1e-3) return short_number(v);
  return print("%.*g", 6, v);
}

std::vector<Tick> log_ticks(const Axis& axis, int most) {
  const double lo = std::log10(axis.min), hi = std::log10(axis.max);
  const int first = static_cast<int>(std::ceil(lo - 1e-9)), last = static_cast<int>(std::floor(hi + 1e-9));
  std::vector<Tick> result;
  if (last - first >= 1) {
    const int every = std::max(1, (last - first + most) / most);
    // Multiples of the stride (10^0, 10^3, ...), unless only one of them is visible.
    int start = first;
    while (((start % every) + every) % every != 0) ++start;
    if (start + every > last) start = first;
    for (int k = start; k <= last; k += every) result.push_back({std::pow(10.0, k), power_of_ten(k)});
    return result;
  }
  // Fewer than two powers of ten are visible: 1-2-5 within decades, as plain numbers. For smaller ranges, even steps.
  result.clear();
  for (int k = first - 1; k <= last + 1; ++k)
    for (double m : {1.0, 2.0, 5.0}) {
      const double v = m * std::pow(10.0, k);
      if (axis.integers && v < 1) continue;
      if (v >= axis.min * (1 - 1e-9) && v <= axis.max * (1 + 1e-9)) result.push_back({v, plain(v)});
    }
  if (result.size() < 2 && !axis.integers) return linear_ticks(axis, most);
  while (static_cast<int>(result.size()) > most && result.size() > 1) {
    std::vector<Tick> half;
    for (std::size_t i = 0; i < result.size(); i += 2) half.push_back(result[i]);
    result = half;
  }
  return result;
}

}  // namespace

std::vector<Tick> ticks(const Axis& axis, int most) {
  if (most < 1 || !std::isfinite(axis.min) || !std::isfinite(axis.max) || !(axis.min < axis.max)) return {};
  if (!axis.categories.empty()) return category_ticks(axis, most);
  if (axis.scale == Scale::linear) return linear_ticks(axis, most);
  if (axis.min <= 0) return {};
  return log_ticks(axis, most);
}

std::string short_number(double v) {
  if (std::isnan(v)) return "n/a";
  if (std::isinf(v)) return v > 0 ? "inf" : std::string(kMinus) + "inf";
  if (v < 0) return kMinus + short_number(-v);
  if (v < 999.5) {
    if (v != 0 && v < 1e-3) return print("%.*g", 3, v);
    return print("%.*g", v >= 100 && v < 1000 ? 3 : 3, v);
  }
  for (const Unit& u : kUnits) {
    // 999 950 is "1M", not "1000k".
    if (v < u.factor * 0.9995) continue;
    return print("%.*g", 3, v / u.factor) + u.suffix;
  }
  return print("%.*g", 3, v);
}

}  // namespace warpspy::plot
