#include "profiling/validate/calibrate.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "core/run/check_words.hpp"
#include "core/run/time_interval.hpp"
#include "kernels/table/kernel_code.hpp"
#include "kernels/table/table.hpp"
#include "profiling/simulated/interval.hpp"
#include "profiling/simulated/time_model.hpp"

namespace warpspy {
namespace {

constexpr double ridge = 0.3;
constexpr double most_wanted = 1.5;   // a factor further from 1 would have another cause
constexpr double least_share = 0.05;  // the least share of the bounds in the time

double detail(const RunRecord& r, const char* id, std::optional<double> otherwise = {}) {
  for (const Detail& d : r.details)
    if (d.id == id) return d.quantity.value;
  if (otherwise) return *otherwise;
  throw Error("the model does not tell " + std::string(id), r.request.kernel, "this is an error of Warpspy");
}

// A symmetric matrix, or Cholesky's L of it: row i has its first i + 1 numbers.
using Triangle = std::vector<std::vector<double>>;

// Makes L of a positive definite A = L L^T, in place.
void factorise(Triangle& a) {
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const double rest =
          a[i][j] - std::inner_product(a[i].begin(), a[i].begin() + static_cast<std::ptrdiff_t>(j), a[j].begin(), 0.0);
      a[i][j] = i == j ? std::sqrt(rest) : rest / a[j][j];
    }
}

// Solves L y = b in place; the numbers of b before `first` are 0.
void forward(const Triangle& l, std::vector<double>& b, std::size_t first = 0) {
  for (std::size_t i = first; i < b.size(); ++i) {
    const auto from = static_cast<std::ptrdiff_t>(first), to = static_cast<std::ptrdiff_t>(i);
    b[i] = (b[i] - std::inner_product(l[i].begin() + from, l[i].begin() + to, b.begin() + from, 0.0)) / l[i][i];
  }
}
// Solves L^T x = b in place.
void backward(const Triangle& l, std::vector<double>& b) {
  for (std::size_t i = b.size(); i-- > 0;) {
    b[i] /= l[i][i];
    for (std::size_t k = 0; k < i; ++k) b[k] -= l[i][k] * b[i];
  }
}

struct Regression {
  Triangle lower;                       // Cholesky's L of (likenesses + ridge)
  std::vector<double> wanted, weights;  // (likenesses + ridge) weights = wanted
};

Regression regression_of(const std::vector<TimedProduct>& products) {
  Regression r;
  for (std::size_t i = 0; i < products.size(); ++i) {
    const TimedProduct& l = products[i];
    const double share = std::clamp(l.bounds_us / l.measured_us, least_share, 1.0);
    r.wanted.push_back(std::clamp((l.measured_us - l.launch_us) / l.bounds_us - 1, -most_wanted, most_wanted));
    std::vector<double>& row = r.lower.emplace_back();
    for (std::size_t j = 0; j <= i; ++j)
      row.push_back(likeness(l.kernel == products[j].kernel, l.precision == products[j].precision,
                             distance_squared(l.traits, products[j].traits)));
    row[i] += ridge / (share * share);
  }
  factorise(r.lower);
  r.weights = r.wanted;
  forward(r.lower, r.weights);
  backward(r.lower, r.weights);
  return r;
}

// What the other matrices' products predict for the products `block` of one matrix: wanted - G^-1 weights, where G is
// the block's part of the inverse of (likenesses + ridge). So no regression is made anew for each matrix.
std::vector<double> predicted_by_others(const Regression& r, const std::vector<std::size_t>& block) {
  std::vector<std::vector<double>> columns;  // of L^-1: G = columns^T columns
  std::vector<double> rest;
  Triangle g;
  for (const std::size_t i : block) {
    std::vector<double>& column = columns.emplace_back(r.wanted.size(), 0.0);
    column[i] = 1;
    forward(r.lower, column, i);
    rest.push_back(r.weights[i]);
    std::vector<double>& row = g.emplace_back();
    for (const std::vector<double>& other : columns)
      row.push_back(std::inner_product(column.begin(), column.end(), other.begin(), 0.0));
  }
  factorise(g);
  forward(g, rest);
  backward(g, rest);
  for (std::size_t k = 0; k < block.size(); ++k) rest[k] = r.wanted[block[k]] - rest[k];
  return rest;
}

// For each product how far the model is off without the samples of its matrix.
std::vector<SampleError> errors_of(const Regression& r, const std::vector<TimedProduct>& products,
                                   std::vector<std::string>& matrices) {
  std::map<std::string, std::vector<std::size_t>> blocks;
  for (std::size_t i = 0; i < products.size(); ++i) blocks[products[i].matrix].push_back(i);
  std::vector<SampleError> errors(products.size());
  for (const auto& [matrix, block] : blocks) {
    const std::vector<double> more = predicted_by_others(r, block);
    for (std::size_t k = 0; k < block.size(); ++k) {
      const TimedProduct& p = products[block[k]];
      const double modelled = p.launch_us + factor_within_limits(1 + more[k]) * p.bounds_us;
      errors[block[k]] = {std::log(p.measured_us / modelled), matrices.size()};
    }
    matrices.push_back(matrix);
  }
  return errors;
}

}  // namespace

namespace {

// The bounds of a modelled run; their total is the time without samples.
TimeEstimate bounds_of(const RunRecord& modelled) {
  TimeEstimate t;
  t.dram = detail(modelled, "bound_dram"), t.l2 = detail(modelled, "bound_l2");
  t.requests = detail(modelled, "bound_requests"), t.l1 = detail(modelled, "bound_l1");
  t.issue = detail(modelled, "bound_issue"), t.latency = detail(modelled, "bound_latency");
  t.atomics = detail(modelled, "bound_atomics"), t.launch = detail(modelled, "bound_launch");
  t.waves = detail(modelled, "waves");
  t.block_wait = detail(modelled, "block_wait"), t.longest_wait = detail(modelled, "longest_wait");
  t.total = t.launch + (detail(modelled, "bound_total") - t.launch) / detail(modelled, "calibration", 1);
  return t;
}

}  // namespace

std::optional<TimedProduct> timed_product(const RunRecord& measured, const RunRecord& modelled) {
  if (measured.time.provenance != Provenance::measured || !(measured.time.value > 0)) return {};
  if (modelled.status != RunStatus::ok) return {};
  const TimeEstimate t = bounds_of(modelled);
  TimedProduct p{modelled.matrix_name,
                 modelled.request.kernel,
                 measured.code,
                 modelled.request.params,
                 measured.time.value,
                 t.launch,
                 0,
                 {},
                 name_of(modelled.request.precision),
                 name_of(modelled.request.cache_state)};
  p.bounds_us = t.total - t.launch;
  if (!(p.bounds_us > 0)) return {};
  p.traits = traits_of(t);
  return p;
}

RunRecord by_samples(RunRecord r, const Calibration* calibration, const std::string& gpu) {
  if (r.status != RunStatus::ok) return r;
  TimeEstimate t = bounds_of(r);
  if (calibration) t.factor = calibrated_factor(*calibration, r.request.kernel, r.request.precision, traits_of(t));
  t.total = t.launch + t.factor * (t.total - t.launch);
  r.time.value = t.total;
  std::erase_if(r.details, is_of_interval);
  tell_interval_of({r.request.kernel, r.kernel_label, r.request.params, r.request.precision, r.request.cache_state},
                   calibration, gpu, t, r.sampled_share < 1 && r.request.depth < Depth::full, r);
  return r;
}

MeasuredOf measured_of(const std::string& id, const std::vector<const RunRecord*>& runs,
                       const std::function<std::string(const RunRecord&)>& gpu_of) {
  MeasuredOf found;
  std::set<std::string> seen;
  for (const RunRecord* r : runs) {
    if (r->status != RunStatus::ok || r->time.provenance != Provenance::measured || gpu_of(*r) != id) continue;
    const auto row = std::find_if(kernels().begin(), kernels().end(),
                                  [&](const KernelRow& k) { return k.info.id == r->request.kernel; });
    if (row == kernels().end() || !row->emulate || row->info.operation == Operation::axpy) continue;
    if (r->request.solver != Solver::none || r->request.parts > 1) continue;  // their times are not of one product
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

std::vector<double> weights_of(const std::vector<TimedProduct>& products) { return regression_of(products).weights; }

Calibration calibration_of(const std::string& gpu, const std::string& measured,
                           const std::vector<TimedProduct>& products) {
  const Regression regression = regression_of(products);
  Calibration c{gpu, measured, {}, {}, {}};
  const std::vector<SampleError> errors = errors_of(regression, products, c.matrices);
  for (std::size_t i = 0; i < products.size(); ++i) {
    const TimedProduct& p = products[i];
    const auto same = [&](const KernelSamples& k) {
      return k.kernel == p.kernel && k.code == p.code && k.params == p.params && k.precision == p.precision &&
             k.cache_state == p.cache_state;
    };
    auto at = std::find_if(c.kernels.begin(), c.kernels.end(), same);
    if (at == c.kernels.end())
      at = c.kernels.insert(at, KernelSamples{p.kernel, p.code, p.params, {}, p.precision, p.cache_state});
    at->samples.push_back({p.traits, regression.weights[i], errors[i]});
  }
  std::stable_sort(c.kernels.begin(), c.kernels.end(),
                   [](const KernelSamples& a, const KernelSamples& b) { return a.kernel < b.kernel; });
  return c;
}

}  // namespace warpspy
