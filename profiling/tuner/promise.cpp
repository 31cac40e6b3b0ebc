#include "profiling/tuner/promise.hpp"

#include <algorithm>
#include <cmath>

#include "profiling/tuner/space.hpp"

namespace warpspy {
namespace {

constexpr double bytes_per_us = 3e6, without_overlap = 1.33;
// Entries of a row one after another by one thread (csr_scalar on wiki-Talk's stand-in, H200: 8242 us for 100,022).
constexpr double us_per_entry = 0.08;
constexpr double bytes_per_piece = 8;  // where it begins, and its sum
// Long pieces ask L2 for no entry of the vector (csr_striped on rail4284's stand-in, H200: 44 us in f32, with pieces of
// 120 entries, and 63 us in f64, with 61; the best of the others 82 and 88 us. With 40, on a linear program, it is not
// the fastest). Told as less, so that it has its turn before others that read as many bytes.
constexpr double long_piece = 48, by_stripes = 0.7;
constexpr double streaming = 2;  // simt::CachePolicy

bool can_overlap(const KernelInfo& kernel) { return spec_of(kernel.params, "overlap") != nullptr; }

}  // namespace

double promise_us(const KernelInfo& kernel, const Prospect& p) {
  const ParamSpec* stripe = spec_of(kernel.params, "stripe_kib");
  const double stripes = stripe ? std::ceil(p.vector_bytes / (1024 * std::max(1.0, stripe->def))) : 0;
  const double pieces = p.rows * stripes;
  const bool saves = stripes > 1 && p.entries > long_piece * pieces;
  const double bytes = (saves ? by_stripes : 1) * p.least_bytes + bytes_per_piece * pieces;
  const double moving = bytes / bytes_per_us * (can_overlap(kernel) ? 1 : without_overlap);
  const ParamSpec* coop = spec_of(kernel.params, "coop");
  if (!p.rows_whole && !coop) return moving;
  return moving + p.longest_row * us_per_entry / (coop ? std::max(1.0, coop->def) : 1);
}

ParamSet likely_params(const KernelInfo& kernel, const ParamSet& held, double least_bytes, double l2_bytes) {
  ParamSet params = start_of(kernel, held);
  const auto set = [&](const char* id, double value) {
    if (spec_of(kernel.params, id) && held.count(id) == 0) params[id] = value;
  };
  set("overlap", 1);
  if (l2_bytes > 0 && least_bytes > 0.5 * l2_bytes) set("matrix_cache", streaming);
  return params;
}

std::vector<ParamSet> neighbours_of(const KernelInfo& kernel, const ParamSet& held, const ParamSet& at) {
  std::vector<ParamSet> sets;
  for (const ParamSpec& spec : kernel.params) {
    const auto now = at.find(spec.id);
    if (now == at.end() || held.count(spec.id) != 0 || spec.tried.empty()) continue;
    std::vector<double> values = spec.tried;
    values.push_back(spec.def);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double v = values[i];
      const bool again = std::find(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(i), v) !=
                         values.begin() + static_cast<std::ptrdiff_t>(i);
      if (again || v == now->second || v < spec.min || v > spec.max) continue;
      sets.push_back(at);
      sets.back()[spec.id] = v;
    }
  }
  return sets;
}

}  // namespace warpspy
