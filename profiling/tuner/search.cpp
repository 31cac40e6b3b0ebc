#include "profiling/tuner/search.hpp"

#include <cmath>

namespace warpspy {

Answers::Answers(const Known& known) : known_(known) {
  for (const auto& [candidate, measured] : known)
    if (measured.device_lost) last_ = &measured.failure;
}

const Measured& Answers::of(const Candidate& c) {
  if (!lost_.empty()) throw Ended{};
  const auto at = known_.find(c);
  if (at == known_.end() && last_) {
    lost_ = *last_;
    throw Ended{};
  }
  if (at == known_.end()) throw Wanted{{c}};
  if (at->second.device_lost) lost_ = at->second.failure;
  return at->second;
}

Search::Search(std::string strategy, const Problem& problem, Answers& answers,
               std::function<void(const TuneStep&)> on_step)
    // The matrix exists in CSR and in the current kernel's format: only other formats cost a conversion.
    : strategy_(std::move(strategy)),
      answers_(answers),
      on_step_(std::move(on_step)),
      formats_{"", "csr", problem.kernel.format} {}

double Search::operator()(const KernelInfo& kernel, const ParamSet& params) {
  const Candidate candidate{kernel.id, params};
  if (const auto at = seen_.find(candidate); at != seen_.end()) return at->second;
  const Measured& m = answers_.of(candidate);
  const auto place = seen_.emplace(candidate, never).first;
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

void Search::announce(const KernelInfo& kernel, const std::vector<ParamSet>& all) const {
  Wanted wanted;
  for (const ParamSet& params : all)
    if (Candidate c{kernel.id, params}; !answers_.knows(c)) wanted.candidates.push_back(std::move(c));
  if (!wanted.candidates.empty() && answers_.open()) throw Wanted(std::move(wanted));
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
