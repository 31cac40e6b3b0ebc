// After how many products a conversion has paid for itself (the question of Reguly & Giles 2012, figure 16).
#pragma once

#include <cmath>
#include <optional>

namespace warpspy {

// N = convert / (base - converted): after N products the new format has earned its conversion. All times have the same
// unit. Returns nothing ("never") if a product is not faster than the base, or a time is not a number.
inline std::optional<double> break_even_products(double convert, double base, double converted) {
  const double gain = base - converted;
  if (!(gain > 0) || !std::isfinite(gain) || !(convert >= 0) || !std::isfinite(convert)) return std::nullopt;
  return convert / gain;
}

}  // namespace warpspy
