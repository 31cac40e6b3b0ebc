#include "core/run/tune.hpp"

#include <algorithm>

#include "core/run/break_even.hpp"

namespace warpspy {

const TuneOutcome* TuneRecord::outcome(const std::string& strategy) const {
  const auto at = std::find_if(outcomes.begin(), outcomes.end(), [&](const auto& o) { return o.strategy == strategy; });
  return at == outcomes.end() ? nullptr : &*at;
}

const TuneStep* TuneRecord::base() const {
  const auto at = std::find_if(steps.begin(), steps.end(), [](const auto& s) { return s.strategy == "default"; });
  return at == steps.end() ? nullptr : &*at;
}

void judge(TuneOutcome& o, std::optional<double> base, std::optional<double> best) {
  o.regret.reset();
  o.pays_after.reset();
  if (!o.us) return;
  if (best && *best > 0) o.regret = *o.us / *best - 1;
  if (base) o.pays_after = break_even_products(o.cost_us, *base, *o.us);
}

}  // namespace warpspy
