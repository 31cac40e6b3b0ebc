#include "profiling/tuner/space.hpp"

#include <algorithm>
#include <cmath>

namespace warpspy {

using Type = ParamSpec::Type;

std::optional<double> step_of(const ParamSpec& spec, double value, int direction) {
  double next = value;
  switch (spec.type) {
    case Type::choice:
      return std::nullopt;
    case Type::real:
      next = value + direction * (spec.max - spec.min) / 10;
      break;
    case Type::power_of_two:
      next = direction > 0 ? value * 2 : value / 2;
      break;
    case Type::multiple:
      next = value + direction * spec.min;
      break;
    case Type::integer:
      if (spec.min > 1)
        next = value + direction * spec.min;
      else
        next = direction > 0 ? std::max(value * 2, value + 1) : std::floor(value / 2);
  }
  // The last step of a range that its step does not divide ends at the range's end.
  if (spec.type == Type::integer || spec.type == Type::real) next = std::clamp(next, spec.min, spec.max);
  if (next < spec.min || next > spec.max || next == value) return std::nullopt;
  if (spec.type == Type::power_of_two && next != std::floor(next)) return std::nullopt;
  return next;
}

std::vector<ParamSpec> turned(const KernelInfo& kernel, const ParamSet& held, bool cache_policies) {
  std::vector<ParamSpec> specs;
  for (const ParamSpec& spec : kernel.params)
    if (spec.searched && held.count(spec.id) == 0 && (cache_policies || !is_cache_policy(spec))) specs.push_back(spec);
  return specs;
}

ParamSet start_of(const KernelInfo& kernel, const ParamSet& held) {
  ParamSet params;
  for (const ParamSpec& spec : kernel.params) {
    const auto at = held.find(spec.id);
    params[spec.id] = at == held.end() ? spec.def : at->second;
  }
  return params;
}

}  // namespace warpspy
