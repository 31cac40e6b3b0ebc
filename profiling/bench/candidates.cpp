#include "profiling/bench/candidates.hpp"

#include <algorithm>

#include "core/formats/compact.hpp"

namespace warpspy {
namespace {

bool allowed(const std::vector<ParamSpec>& specs, const ParamSet& set) {
  try {
    checked_params(specs, set);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Every combination of the values to try: first the defaults, then those that differ from them least.
std::vector<ParamSet> combinations(const std::vector<ParamSpec>& specs, const DeviceScale& device) {
  const ParamSet defaults = checked_params(specs, {});
  std::vector<ParamSet> sets{defaults};
  for (const ParamSpec& spec : specs) {
    const std::size_t before = sets.size();
    for (const double value : tried_on(spec, device))
      for (std::size_t k = 0; k < before; ++k) {
        ParamSet set = sets[k];
        set[spec.id] = value;
        if (value != spec.def && allowed(specs, set)) sets.push_back(std::move(set));
      }
  }
  for (const ParamSpec& spec : specs)
    if (!spec.tried_as.empty())
      for (ParamSet& set : sets) set[spec.id] = set[spec.tried_as];
  const auto changes = [&](const ParamSet& set) {
    return std::count_if(set.begin(), set.end(), [&](const auto& p) { return p.second != defaults.at(p.first); });
  };
  std::stable_sort(sets.begin(), sets.end(),
                   [&](const ParamSet& a, const ParamSet& b) { return changes(a) < changes(b); });
  return sets;
}

}  // namespace

std::vector<BenchCandidate> candidates_of(const KernelRow& kernel, const FormatInfo* format, const DeviceScale& device,
                                          bool in_order) {
  const std::vector<ParamSet> of_format =
      format ? combinations(format->params, device) : std::vector<ParamSet>{ParamSet{}};
  std::vector<ParamSet> of_kernel = combinations(kernel.info.params, device);
  if (in_order) std::erase_if(of_kernel, [&](const ParamSet& p) { return kernel.common_of(p).overlap != 0; });
  std::vector<BenchCandidate> all;
  for (const ParamSet& f : of_format)
    for (const ParamSet& k : of_kernel) all.push_back({k, f});
  return all;
}

bool compact_gains(const FormatInfo& compact, const ParamSet& params,
                   const std::function<double(const std::string&, const ParamSet&)>& bytes) {
  constexpr double least_gain = 0.97;
  return bytes(compact.id, params) < least_gain * bytes(compact.compact_of, plain_params(compact, params));
}

}  // namespace warpspy
