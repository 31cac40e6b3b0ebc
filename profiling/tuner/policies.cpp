#include "profiling/tuner/policies.hpp"

#include <algorithm>

#include "core/catalog/grid.hpp"
#include "profiling/tuner/cost_model.hpp"

namespace warpspy {

bool shares_fit(const KernelInfo& kernel, const ParamSet& params, const Problem& problem) {
  const auto policy = params.find("matrix_cache");
  if (policy == params.end()) return true;
  const auto contender = std::find_if(problem.alternatives.begin(), problem.alternatives.end(),
                                      [&](const Contender& c) { return c.kernel.id == kernel.id; });
  const bool known = contender != problem.alternatives.end() && !problem.cold;
  return share_fits(static_cast<simt::CachePolicy>(policy->second), known ? contender->minimum_bytes : 0,
                    problem.l2_bytes);
}

std::vector<double> policies_of(const ParamSpec& spec, const KernelInfo& kernel, const Problem& problem) {
  std::vector<double> values = grid_of(spec);
  std::erase_if(values, [&](double value) {
    if (!simt::is_evict_last(static_cast<simt::CachePolicy>(value))) return false;
    return spec.id == "x_cache" || !shares_fit(kernel, {{spec.id, value}}, problem);
  });
  return values;
}

}  // namespace warpspy
