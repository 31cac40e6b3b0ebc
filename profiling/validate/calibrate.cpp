#include "profiling/validate/calibrate.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "core/run/check_words.hpp"
#include "kernels/table/kernel_code.hpp"
#include "kernels/table/table.hpp"
#include "profiling/simulated/time_model.hpp"
#include "profiling/timing/samples.hpp"

namespace warpspy {
namespace {

constexpr double ridge = 0.3;
constexpr double most_wanted = 0.6;   // a factor further from 1 would have another cause
constexpr double least_share = 0.05;  // the least share of the bounds in the time

double detail(const RunRecord& r, const char* id, std::optional<double> otherwise = {}) {
  for (const Detail& d : r.details)
    if (d.id == id) return d.quantity.value;
  if (otherwise) return *otherwise;
  throw Error("the model does not tell " + std::string(id), r.request.kernel, "this is an error of Warpspy");
}

double distance_squared(const ProductTraits& a, const ProductTraits& b) {
  double sum = 0;
  for (std::size_t k = 0; k < product_traits; ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sum;
}

// Solves A x = b for a symmetric positive definite A by Cholesky's method, in place. Row i of A has its first i + 1
// numbers.
std::vector<double> solve(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const double rest =
          a[i][j] - std::inner_product(a[i].begin(), a[i].begin() + static_cast<std::ptrdiff_t>(j), a[j].begin(), 0.0);
      a[i][j] = i == j ? std::sqrt(rest) : rest / a[j][j];
    }
    b[i] =
        (b[i] - std::inner_product(b.begin(), b.begin() + static_cast<std::ptrdiff_t>(i), a[i].begin(), 0.0)) / a[i][i];
  }
  for (std::size_t i = n; i-- > 0;) {
    b[i] /= a[i][i];
    for (std::size_t k = 0; k < i; ++k) b[k] -= a[i][k] * b[i];
  }
  return b;
}

}  // namespace

std::optional<TimedProduct> timed_product(const RunRecord& measured, const RunRecord& modelled) {
  if (measured.time.provenance != Provenance::measured || !(measured.time.value > 0)) return {};
  if (modelled.status != RunStatus::ok) return {};
  TimeEstimate t;
  t.dram = detail(modelled, "bound_dram"), t.l2 = detail(modelled, "bound_l2");
  t.requests = detail(modelled, "bound_requests"), t.l1 = detail(modelled, "bound_l1");
  t.issue = detail(modelled, "bound_issue"), t.latency = detail(modelled, "bound_latency");
  t.atomics = detail(modelled, "bound_atomics"), t.launch = detail(modelled, "bound_launch");
  t.waves = detail(modelled, "waves");
  t.block_wait = detail(modelled, "block_wait"), t.longest_wait = detail(modelled, "longest_wait");
  TimedProduct p{modelled.matrix_name,
                 modelled.request.kernel,
                 measured.code,
                 modelled.request.params,
                 measured.time.value,
                 t.launch,
                 0,
                 {}};
  p.bounds_us = (detail(modelled, "bound_total") - t.launch) / detail(modelled, "calibration", 1);
  if (!(p.bounds_us > 0)) return {};
  t.total = p.launch_us + p.bounds_us;
  p.traits = traits_of(t);
  return p;
}

MeasuredOf measured_of(const std::string& id, const std::vector<const RunRecord*>& runs,
                       const std::function<std::string(const RunRecord&)>& gpu_of) {
  MeasuredOf found;
  std::set<std::string> seen;
  for (const RunRecord* r : runs) {
    if (r->status != RunStatus::ok || r->time.provenance != Provenance::measured || gpu_of(*r) != id) continue;
    const auto row = std::find_if(kernels().begin(), kernels().end(),
                                  [&](const KernelRow& k) { return k.info.id == r->request.kernel; });
    if (row == kernels().end() || !row->emulate || row->info.operation != Operation::product) continue;
    if (r->code.empty() || r->code != kernel_code(r->request.kernel)) {
      ++found.other_code;
      continue;
    }
    if (is_noted_unchecked(*r)) {
      ++found.unchecked;
      continue;
    }
    // Options that do not change a product on a GPU keep their defaults.
    RunRequest same;
    same.matrix = r->request.matrix, same.kernel = r->request.kernel;
    same.params = r->request.params, same.format_params = r->request.format_params;
    same.precision = r->request.precision, same.view = r->request.view, same.cache_state = r->request.cache_state;
    same.beta = r->request.beta == 0 ? 0 : 1;
    if (seen.insert(to_json(same)).second) found.runs.push_back(r);
  }
  return found;
}

std::vector<double> weights_of(const std::vector<TimedProduct>& products) {
  const auto error_of = [](const TimedProduct& l) { return (l.launch_us + l.bounds_us) / l.measured_us - 1; };
  std::map<std::string, std::vector<double>> errors;
  for (const TimedProduct& l : products) errors[l.matrix].push_back(error_of(l));
  std::map<std::string, double> common;
  for (const auto& [matrix, of_matrix] : errors) common[matrix] = median(of_matrix);
  std::vector<std::vector<double>> likenesses;
  std::vector<double> wanted;
  for (std::size_t i = 0; i < products.size(); ++i) {
    const TimedProduct& l = products[i];
    const double share = std::clamp(l.bounds_us / l.measured_us, least_share, 1.0);
    wanted.push_back(
        std::clamp((common.at(l.matrix) - error_of(l)) * l.measured_us / l.bounds_us, -most_wanted, most_wanted));
    std::vector<double>& row = likenesses.emplace_back();
    for (std::size_t j = 0; j <= i; ++j)
      row.push_back(likeness(l.kernel == products[j].kernel, distance_squared(l.traits, products[j].traits)));
    row[i] += ridge / (share * share);
  }
  return solve(std::move(likenesses), std::move(wanted));
}

Calibration calibration_of(const std::string& gpu, const std::string& measured,
                           const std::vector<TimedProduct>& products) {
  const std::vector<double> weights = weights_of(products);
  Calibration c{gpu, measured, {}, {}};
  for (std::size_t i = 0; i < products.size(); ++i) {
    const TimedProduct& p = products[i];
    const auto same = [&](const KernelSamples& k) {
      return k.kernel == p.kernel && k.code == p.code && k.params == p.params;
    };
    auto at = std::find_if(c.kernels.begin(), c.kernels.end(), same);
    if (at == c.kernels.end()) at = c.kernels.insert(at, KernelSamples{p.kernel, p.code, p.params, {}});
    at->samples.push_back({p.traits, weights[i]});
  }
  std::stable_sort(c.kernels.begin(), c.kernels.end(),
                   [](const KernelSamples& a, const KernelSamples& b) { return a.kernel < b.kernel; });
  return c;
}

}  // namespace warpspy
