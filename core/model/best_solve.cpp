#include "core/model/best_solve.hpp"

#include <algorithm>
#include <limits>
#include <set>

namespace warpspy {
namespace {

constexpr std::size_t most_kernels = 4, most_reading_csr = 3;

bool solves_with(const KernelInfo* kernel, const RunRequest& solve) {
  return kernel && kernel->library.empty() && kernel->operation == Operation::product &&
         !(solve.deterministic && kernel->tags.has_any(Tag::atomics));
}

bool reads_csr(const Catalog& catalog, const std::string& kernel) {
  const KernelInfo* of = catalog.kernel(kernel);
  return of && of->format == "csr";
}

}  // namespace

std::vector<RunRequest> solve_trials(const BestRun& best, const Catalog& catalog, const RunRequest& solve,
                                     ProductCount products) {
  std::vector<const BestCandidate*> order;
  for (const BestCandidate& c : best.candidates)
    if (c.cost() && solves_with(catalog.kernel(c.run->request.kernel), solve)) order.push_back(&c);
  const auto n = static_cast<double>(products);
  std::stable_sort(order.begin(), order.end(),
                   [&](const auto* a, const auto* b) { return a->cost()->total(n) < b->cost()->total(n); });
  std::vector<RunRequest> trials;
  const auto add = [&](const std::string& kernel, const ParamSet& params, const ParamSet& of_format) {
    RunRequest r = solve;
    r.kernel = kernel, r.params = params, r.format_params = of_format;
    r.most_iterations = std::min(r.most_iterations, iterations_of_trial);
    r.newton_steps = 0;  // of Newton's method the first system alone
    r.solution.clear();
    if (std::find(trials.begin(), trials.end(), r) == trials.end()) trials.push_back(std::move(r));
  };
  std::set<std::string> kernels;
  for (const BestCandidate* c : order) {
    const RunRequest& of = c->run->request;
    const auto reading_csr = static_cast<std::size_t>(
        std::count_if(kernels.begin(), kernels.end(), [&](const auto& k) { return reads_csr(catalog, k); }));
    const bool one_more = reads_csr(catalog, of.kernel) && reading_csr < most_reading_csr;
    if ((kernels.size() >= most_kernels && !one_more) || !kernels.insert(of.kernel).second) continue;
    add(of.kernel, of.params, of.format_params);
    const KernelInfo& info = *catalog.kernel(of.kernel);
    if (reads_csr(catalog, of.kernel) && checked_params(info.params, of.params) != checked_params(info.params, {}))
      add(of.kernel, {}, {});
  }
  return trials;
}

bool tells(const RunRecord& saved, const RunRequest& trial, const std::string& device, const Catalog& catalog) {
  const RunRequest& of = saved.request;
  const KernelInfo* kernel = catalog.kernel(trial.kernel);
  if (!kernel || !saved.solve || saved.status != RunStatus::ok || saved.device != device) return false;
  if (of.kernel != trial.kernel || of.precision != trial.precision || of.solver != trial.solver ||
      of.preconditioner != trial.preconditioner || of.block_rows != trial.block_rows || of.degree != trial.degree ||
      of.restart != trial.restart || of.refine != trial.refine || of.parts != trial.parts ||
      (of.parts != 1 && of.split != trial.split))
    return false;
  try {  // an older version had other parameters
    const FormatInfo* format = catalog.format(kernel->format);
    return checked_params(kernel->params, of.params) == checked_params(kernel->params, trial.params) &&
           (!format ||
            checked_params(format->params, of.format_params) == checked_params(format->params, trial.format_params));
  } catch (const Error&) {
    return false;
  }
}

std::optional<double> solve_cost_us(const RunRecord& solve, std::uint64_t iterations) {
  if (solve.status != RunStatus::ok || !solve.solve || !(solve.time.value > 0)) return std::nullopt;
  const Quantity *all = solve.detail("solution"), *loop = solve.detail("solve");
  if (!all || !loop) return std::nullopt;
  return all->value - loop->value + static_cast<double>(iterations) * solve.time.value;
}

std::shared_ptr<const RunRecord> least_solve(std::span<const std::shared_ptr<const RunRecord>> solves,
                                             std::uint64_t iterations) {
  std::shared_ptr<const RunRecord> least;
  double least_us = std::numeric_limits<double>::infinity();
  for (const auto& solve : solves)
    if (const auto cost = solve_cost_us(*solve, iterations); cost && *cost < least_us) least_us = *cost, least = solve;
  return least;
}

}  // namespace warpspy
