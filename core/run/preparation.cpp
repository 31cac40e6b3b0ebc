#include "core/run/preparation.hpp"

#include <algorithm>
#include <cmath>

namespace warpspy {

PreparationTime preparation_of(const RunRecord& r, const FormatInfo* format) {
  const auto unknown = [](std::string why) { return PreparationTime{.reason = std::move(why)}; };
  const Quantity *conversion = r.detail("conversion"), *setup = r.detail("setup");
  if (!conversion && !r.format.empty()) return unknown("the run did not record its conversion");
  // On a real device a trial may use what an earlier trial has prepared.
  if (!setup && r.purpose == Purpose::trial && r.provenance == Provenance::measured)
    return unknown("a trial of a search does not time what its kernel prepares");
  PreparationTime t;
  // A format that exists already costs nothing.
  if (conversion && !(format && format->intermediate)) t.conversion_us = conversion->value;
  if (setup) t.setup_us = setup->value;
  t.us = t.conversion_us + t.setup_us;
  if (!(*t.us >= 0) || !std::isfinite(*t.us)) return unknown("the recorded times are no numbers");
  return t;
}

std::optional<double> pays_off_after(const ProductCost& cost, const ProductCost& base) {
  const double gain = base.product - cost.product, more = cost.preparation - base.preparation;
  if (!(gain > 0) || !std::isfinite(gain) || !std::isfinite(more)) return std::nullopt;
  return std::max(0.0, more / gain);
}

std::optional<double> in_products(double preparation, double product) {
  const double n = preparation / product;
  if (!(product > 0) || !(n >= 0) || !std::isfinite(n)) return std::nullopt;
  return n;
}

}  // namespace warpspy
