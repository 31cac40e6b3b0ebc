#include "profiling/tuner/search.hpp"

#include <cmath>

namespace warpspy {

Search::Search(std::string strategy, const Problem& problem, const Measure& measure,
               std::function<void(const TuneStep&)> on_step)
    // The matrix is there in CSR, and in the format of the kernel in use: only others have to be paid for.
    : strategy_(std::move(strategy)),
      measure_(measure),
      on_step_(std::move(on_step)),
      formats_{"", "csr", problem.kernel.format} {}

double Search::operator()(const KernelInfo& kernel, const ParamSet& params) {
  const Candidate candidate{kernel.id, params};
  const auto [place, fresh] = seen_.try_emplace(candidate, never);
  if (!fresh) return place->second;
  const Measured m = measure_(candidate);
  const bool good = m.us && std::isfinite(*m.us) && *m.us >= 0;
  TuneStep step;
  step.strategy = strategy_;
  step.product = ++products_;
  step.kernel = kernel.id;
  step.params = params;
  if (formats_.insert(m.format).second) step.conversion_us = m.conversion_us;
  if (good)
    step.us = *m.us;
  else
    step.failure = m.failure.empty() ? "the product has no time" : m.failure;
  cost_us_ += step.us.value_or(0) + step.conversion_us;
  if (good) place->second = *m.us;
  if (good && *m.us < best_us_) best_us_ = *m.us, best_ = candidate;
  if (!good && first_failure_.empty()) first_failure_ = step.failure;
  on_step_(step);
  return place->second;
}

TuneOutcome Search::outcome() const {
  TuneOutcome o;
  o.strategy = strategy_;
  o.products = products_;
  o.cost_us = cost_us_;
  o.notes = notes_;
  if (best_us_ < never) {
    o.kernel = best_.kernel;
    o.params = best_.params;
    o.us = best_us_;
  } else {
    o.notes.push_back(first_failure_.empty() ? "no product was tried" : "every product failed: " + first_failure_);
  }
  return o;
}

}  // namespace warpspy
