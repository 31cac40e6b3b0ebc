#include "profiling/timing/samples.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace warpspy {

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double at = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const auto above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

double noise_of(const std::vector<double>& values) {
  const double middle = median(values);
  std::vector<double> deviations;
  for (const double v : values) deviations.push_back(std::fabs(v - middle));
  return middle > 0 ? median(std::move(deviations)) / middle : 0;
}

namespace {

using Clock = std::chrono::steady_clock;

// Two estimates of one standard deviation of normal noise. If samples jump between two values, their median absolute
// deviation may be 0, but their quartiles differ.
bool known_well(const Samples& s, const SampleRule& rule) {
  if (s.us.size() < static_cast<std::size_t>(rule.least)) return false;
  const double middle = median(s.us);
  if (!(middle > 0)) return false;
  const double by_quartiles = (quantile(s.us, 0.75) - quantile(s.us, 0.25)) / 1.35 / middle;
  const double deviation = std::max(1.48 * noise_of(s.us), by_quartiles);
  return deviation / std::sqrt(static_cast<double>(s.us.size())) < rule.wanted_error;
}

struct Held {  // throttled samples, which are used if there are no others
  std::vector<double> us;
  std::vector<int> rounds;
};

}  // namespace

std::vector<Samples> take_samples(std::span<const std::function<double()>> samplers, const SampleRule& rule,
                                  const ReadClocks& clocks, const Progress& progress) {
  const auto start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  std::vector<Samples> all(samplers.size());
  std::vector<Held> held(samplers.size());
  for (int round = 0; round < rule.most; ++round) {
    for (std::size_t i = 0; i < samplers.size(); ++i) {
      progress.check();
      const double us = samplers[i]();
      const std::optional<Clocks> c = clocks ? clocks() : std::nullopt;
      if (c) {
        all[i].sm_mhz.push_back(c->sm_mhz);
        all[i].memory_mhz.push_back(c->memory_mhz);
      }
      const bool drop = c && c->throttled;
      (drop ? held[i].us : all[i].us).push_back(us);
      (drop ? held[i].rounds : all[i].rounds).push_back(round);
      if (drop) all[i].throttle_reason = c->why;
    }
    if (round + 1 < rule.least) continue;
    const bool enough = std::all_of(all.begin(), all.end(), [&](const Samples& s) { return known_well(s, rule); });
    if (enough || elapsed() > rule.budget_s) break;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].throttled = static_cast<int>(held[i].us.size());
    if (!all[i].us.empty()) continue;
    all[i].all_throttled = all[i].throttled > 0;
    all[i].us = std::move(held[i].us);
    all[i].rounds = std::move(held[i].rounds);
  }
  return all;
}

Ratio ratio_of(const Samples& b, const Samples& a) {
  std::vector<double> ratios;
  for (std::size_t i = 0, k = 0; i < a.rounds.size(); ++i) {
    while (k < b.rounds.size() && b.rounds[k] < a.rounds[i]) ++k;
    if (k < b.rounds.size() && b.rounds[k] == a.rounds[i] && a.us[i] > 0) ratios.push_back(b.us[k] / a.us[i]);
  }
  return {median(ratios), quantile(ratios, 0.25), quantile(ratios, 0.75)};
}

}  // namespace warpspy
