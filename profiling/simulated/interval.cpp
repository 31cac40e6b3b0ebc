#include "profiling/simulated/interval.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/run/time_interval.hpp"

namespace warpspy {
namespace {

constexpr std::size_t nearest = 50;
constexpr double small_sample_least = 0.88, small_sample_most = 1.12;
constexpr double tail = (1 - interval_share) / 2, wider_tail = tail / 2;

struct Near {
  double distance_squared, log_ratio;
};

bool same_params(const ParamSet& of_samples, const ParamSet& params) {
  return std::all_of(params.begin(), params.end(), [&](const auto& p) {
    const auto at = of_samples.find(p.first);
    return at == of_samples.end() || at->second == p.second;
  });
}

// Without `share` of the samples at each end; nothing if that is less than one sample.
std::optional<ErrorInterval> without_ends(std::vector<double> errors, double share, std::string like) {
  const auto end = static_cast<std::size_t>(share * static_cast<double>(errors.size() + 1));
  if (end < 1) return {};
  std::sort(errors.begin(), errors.end());
  return ErrorInterval{std::exp(errors[end - 1]), std::exp(errors[errors.size() - end]), errors.size(),
                       std::move(like)};
}

std::vector<double> most_similar(std::vector<Near> of_kernel) {
  // Of equally similar samples the first in the file: their errors must not decide.
  std::stable_sort(of_kernel.begin(), of_kernel.end(),
                   [](const Near& a, const Near& b) { return a.distance_squared < b.distance_squared; });
  std::vector<double> errors;
  for (std::size_t k = 0; k < std::min(nearest, of_kernel.size()); ++k) errors.push_back(of_kernel[k].log_ratio);
  return errors;
}

}  // namespace

std::optional<ErrorInterval> error_interval(const Calibration& calibration, const ProductKind& kind,
                                            const ProductTraits& traits, const Counts& counts) {
  std::vector<Near> of_kernel;
  std::vector<double> same, same_kernel, all;
  for (const KernelSamples& k : calibration.kernels) {
    const bool alike = k.precision == name_of(kind.precision) && k.cache_state == name_of(kind.cache_state);
    const bool own = alike && k.kernel == kind.kernel && same_params(k.params, kind.params);
    for (const CalibrationSample& s : k.samples) {
      if (!s.error || (counts && !counts(k.kernel, *s.error))) continue;
      all.push_back(s.error->log_ratio);
      if (alike) same.push_back(s.error->log_ratio);
      if (k.kernel == kind.kernel) same_kernel.push_back(s.error->log_ratio);
      if (own) of_kernel.push_back({distance_squared(traits, s.traits), s.error->log_ratio});
    }
  }
  const std::string how = std::string(name_of(kind.precision)) + ", " + name_of(kind.cache_state);
  if (auto found = without_ends(most_similar(std::move(of_kernel)), tail, std::string(kind.label) + ", " + how))
    return found;
  if (auto found = without_ends(std::move(same), wider_tail, "any kernel, " + how)) return found;
  if (auto found = without_ends(std::move(same_kernel), tail, std::string(kind.label) + ", measured in other ways"))
    return found;
  if (all.empty()) return {};
  const auto [least, most] = std::minmax_element(all.begin(), all.end());
  return ErrorInterval{std::exp(*least), std::exp(*most), all.size(), "only the GPU is the same"};
}

void tell_interval_of(const ProductKind& kind, const Calibration* calibration, const std::string& gpu,
                      const TimeEstimate& t, bool small_sample, RunRecord& r) {
  std::optional<ErrorInterval> e;
  if (calibration) {
    TimeEstimate bounds = t;  // traits are those of the time without samples
    if (t.factor > 0) bounds.total = t.launch + (t.total - t.launch) / t.factor;
    e = error_interval(*calibration, kind, traits_of(bounds));
  }
  if (!e) return tell_no_interval(r, "no times of products were measured on " + gpu);
  tell_interval(r, {t.total * e->least * (small_sample ? small_sample_least : 1),
                    t.total * e->most * (small_sample ? small_sample_most : 1), e->samples, e->like});
}

}  // namespace warpspy
