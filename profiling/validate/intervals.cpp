#include "profiling/validate/intervals.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <set>

#include "core/base/types.hpp"
#include "profiling/simulated/interval.hpp"
#include "profiling/timing/samples.hpp"

namespace warpspy {
namespace {

// Whether a sample (second) helps to judge another (first).
struct Judged {
  std::string_view kernel;
  const SampleError& error;
};
using Helps = std::function<bool(const Judged&, const Judged&)>;

Coverage coverage_of(const std::string& what, const Calibration& c, const std::function<bool(std::size_t)>& judged,
                     const Helps& helps) {
  Coverage found{what};
  std::set<std::size_t> matrices;
  std::vector<double> ratios;
  double least = 1;
  for (const KernelSamples& k : c.kernels) {
    std::size_t products = 0, held = 0;
    const ProductKind kind{k.kernel, k.kernel, k.params, k.precision == "f64" ? Precision::f64 : Precision::f32,
                           k.cache_state == "warm" ? CacheState::warm : CacheState::cold};
    for (const CalibrationSample& s : k.samples) {
      if (!s.error || !judged(s.error->matrix)) continue;
      const Judged one{k.kernel, *s.error};
      const auto interval = error_interval(c, kind, s.traits, [&](std::string_view kernel, const SampleError& other) {
        return helps(one, {kernel, other});
      });
      if (!interval) continue;
      const double ratio = std::exp(s.error->log_ratio);
      ++products;
      held += ratio >= interval->least && ratio <= interval->most;
      ratios.push_back(interval->most / interval->least);
      matrices.insert(s.error->matrix);
    }
    if (products > 0) least = std::min(least, static_cast<double>(held) / static_cast<double>(products));
    found.products += products, found.held += held;
  }
  found.matrices = matrices.size();
  found.median_ratio = ratios.empty() ? 0 : median(ratios);
  found.least_kernel = least;
  return found;
}

}  // namespace

std::vector<Coverage> interval_coverage(const Calibration& c, const std::vector<std::string>& aside) {
  if (c.matrices.empty())
    throw Error("the calibration samples of " + c.gpu + " do not say how far the model was off", {},
                "make them again: warpspy calibrate");
  std::set<std::size_t> apart;
  for (const std::string& name : aside) {
    const auto at = std::find(c.matrices.begin(), c.matrices.end(), name);
    if (at == c.matrices.end()) throw Error("no calibration sample is of this matrix", name);
    apart.insert(static_cast<std::size_t>(at - c.matrices.begin()));
  }
  const auto any = [](std::size_t) { return true; };
  const auto other_matrix = [](const Judged& a, const Judged& b) { return a.error.matrix != b.error.matrix; };
  std::vector<Coverage> all;
  all.push_back(coverage_of("each matrix, by all other matrices", c, any, other_matrix));
  if (!apart.empty())
    all.push_back(coverage_of(
        "kept aside by lot, by the other " + std::to_string(c.matrices.size() - apart.size()), c,
        [&](std::size_t m) { return apart.contains(m); },
        [&](const Judged&, const Judged& b) { return !apart.contains(b.error.matrix); }));
  all.push_back(coverage_of("each kernel as if it had no samples", c, any, [&](const Judged& a, const Judged& b) {
    return other_matrix(a, b) && a.kernel != b.kernel;
  }));
  return all;
}

std::string to_csv(const std::vector<Coverage>& all) {
  std::string text = "intervals of,matrices,products,in the interval,of the worst kernel,upper / lower end (median)\n";
  for (const Coverage& c : all) {
    char line[200];
    std::snprintf(line, sizeof line, "\"%s\",%zu,%zu,%.1f %%,%.0f %%,%.2f\n", c.what.c_str(), c.matrices, c.products,
                  100 * c.share(), 100 * c.least_kernel, c.median_ratio);
    text += line;
  }
  return text;
}

}  // namespace warpspy
