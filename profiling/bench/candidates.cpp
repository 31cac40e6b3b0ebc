#include "profiling/bench/candidates.hpp"

#include <algorithm>

#include "kernels/simt/trace.hpp"

namespace warpspy {
namespace {

// Values worth a try, by the parameter's name; those outside a kernel's own range are left out.
struct Values {
  const char* id;
  std::vector<double> values;
};
const std::vector<Values>& kernel_values() {
  static const std::vector<Values> table = {{"coop", {1, 2, 4, 8, 16, 32, 64, 128, 256}},
                                            {"threads_per_row", {1, 2, 4, 8, 16, 32}},
                                            {"overlap", {0, 1}},
                                            {"matrix_cache", {0, 2, 5, 6, 7}},
                                            {"run", {1, 2, 4}},
                                            {"block_size", {128, 256, 512}},
                                            {"preprocess", {0, 1}},
                                            {"algorithm", {0, 1, 2}},
                                            {"items", {4, 8}},
                                            {"warps", {1, 2, 4, 8, 32}},
                                            {"rows_per_thread", {1, 2, 4}},
                                            {"groups", {3, 6, 24, 64}},
                                            {"steps", {0, 1, 2}},
                                            {"stripe_kib", {100}}};
  return table;
}
// Formats are built anew for each: few. cuSPARSE's SELL is at its best with the rows where they are.
const std::vector<Values>& format_values() {
  static const std::vector<Values> table = {
      {"sort_window", {1, 256}}, {"block_rows", {2, 3, 4}}, {"block_cols", {2, 3, 4}}};
  return table;
}

bool allowed(const std::vector<ParamSpec>& specs, const ParamSet& set) {
  try {
    checked_params(specs, set);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Every combination of the listed values, the defaults first.
std::vector<ParamSet> combinations(const std::vector<ParamSpec>& specs, const std::vector<Values>& table) {
  std::vector<ParamSet> sets{checked_params(specs, {})};
  for (const Values& v : table) {
    const auto spec = std::find_if(specs.begin(), specs.end(), [&](const ParamSpec& s) { return s.id == v.id; });
    if (spec == specs.end()) continue;
    const std::size_t before = sets.size();
    for (const double value : v.values)
      for (std::size_t k = 0; k < before; ++k) {
        ParamSet set = sets[k];
        set[v.id] = value;
        if (value != spec->def && allowed(specs, set)) sets.push_back(std::move(set));
      }
  }
  return sets;
}

}  // namespace

std::vector<BenchCandidate> candidates_of(const KernelInfo& kernel, const FormatInfo* format) {
  std::vector<ParamSet> of_format{ParamSet{}};
  if (format) of_format = combinations(format->params, format_values());
  // Square blocks only: the others rarely fit a matrix better, and each is a conversion.
  std::erase_if(of_format, [](const ParamSet& p) {
    return p.contains("block_rows") && p.contains("block_cols") && p.at("block_rows") != p.at("block_cols");
  });
  std::vector<ParamSet> of_kernel = combinations(kernel.params, kernel_values());
  // Measured on an H200: a share that stays in L2 takes time off only where the next product begins before the end of
  // this one (BSR of shipsec1 and pwtk, f64: 19.3 to 16.4 and 27.2 to 24.6 us; without overlap hardly any).
  std::erase_if(of_kernel, [](const ParamSet& p) {
    const auto policy = p.find("matrix_cache"), overlap = p.find("overlap");
    if (policy == p.end() || !simt::is_kept(static_cast<simt::CachePolicy>(policy->second))) return false;
    return overlap == p.end() || overlap->second == 0;
  });
  std::vector<BenchCandidate> all;
  for (const ParamSet& f : of_format)
    for (const ParamSet& k : of_kernel) all.push_back({k, f});
  return all;
}

bool share_fits(const BenchCandidate& candidate, double matrix_bytes, double l2_bytes) {
  const auto at = candidate.params.find("matrix_cache");
  if (at == candidate.params.end()) return true;
  const auto policy = static_cast<simt::CachePolicy>(at->second);
  if (!simt::is_kept(policy)) return true;
  const double kept = matrix_bytes * static_cast<double>(simt::kept_share(policy));
  return l2_bytes > 0 && matrix_bytes > 0.7 * l2_bytes && 0.2 * l2_bytes < kept && kept < 0.6 * l2_bytes;
}

}  // namespace warpspy
