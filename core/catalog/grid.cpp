#include "core/catalog/grid.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace warpspy {

bool is_cache_policy(const ParamSpec& spec) { return spec.id == "x_cache" || spec.id == "matrix_cache"; }

std::vector<double> grid_of(const ParamSpec& spec) {
  std::set<double> values;
  const auto add = [&](double v) {
    if (v >= spec.min && v <= spec.max) values.insert(v);
  };
  add(spec.def);
  switch (spec.type) {
    case ParamSpec::Type::choice:
      for (double v = std::ceil(spec.min); v <= spec.max; ++v)
        if (!is_cache_policy(spec) || v != kConstantPolicy) add(v);
      break;
    case ParamSpec::Type::real:
      for (int k = 0; k <= 4; ++k) add(spec.min + (spec.max - spec.min) * k / 4);
      break;
    case ParamSpec::Type::multiple:
      for (double v = spec.min; v > 0 && v <= spec.max; v *= 2) add(v);
      add(spec.max);
      break;
    case ParamSpec::Type::integer:
      add(spec.min), add(spec.max), add(0);
      [[fallthrough]];
    case ParamSpec::Type::power_of_two:
      for (double v = 1; v <= std::max(std::fabs(spec.min), std::fabs(spec.max)); v *= 2) {
        add(v);
        if (spec.type == ParamSpec::Type::integer) add(-v);
      }
  }
  return {values.begin(), values.end()};
}

}  // namespace warpspy
