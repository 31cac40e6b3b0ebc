// Products and solves over several real GPUs.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>

#include "core/matrix/memory_guard.hpp"
#include "core/run/solve_launches.hpp"
#include "core/solve/on_host.hpp"
#include "kernels/solve/share.hpp"
#include "profiling/engine/parts_on_gpus.hpp"
#include "profiling/engine/parts_runner.hpp"

namespace warpspy {
namespace {

constexpr std::uint64_t most_unit = 16;

std::size_t slowest_of(const std::vector<PartResult>& parts, bool of_solve) {
  std::size_t slowest = 0;
  for (std::size_t k = 1; k < parts.size(); ++k)
    if (is_slower(parts[k], parts[slowest], of_solve)) slowest = k;
  return slowest;
}

int unit_of(const SolveOptions& options) {
  return options.solver == Solver::gmres ? options.restart
                                         : static_cast<int>(std::min(most_unit, options.most_iterations));
}

// A solve that no tolerance ends.
SolveOptions endless(SolveOptions options) {
  options.tolerance = 1e-150;
  options.most_iterations = std::max<std::uint64_t>(options.most_iterations, 2 * most_unit);
  return options;
}

// What the bounds of a polynomial come from.
CgRun estimate_on_gpus(PartsOnGpus& gpus, Precision precision, Progress& progress) {
  return [&gpus, precision, &progress](const LinearSystem& system, const SolveOptions& options) {
    const int unit = static_cast<int>(options.most_iterations);
    const IterationInputs whole = iteration_inputs(system, options, unit);
    const std::unique_ptr<DeviceParts> parts = gpus.iterations(whole, true);
    const PartsSolveTiming timing =
        solve_parts(*parts, PartsLaunch::threads, options.most_iterations, precision, progress);
    CgCoefficients found;
    parts->together([&](std::size_t k, DevicePart& part) {
      if (k == 0)
        found = cg_coefficients(part.iteration().plan, unit,
                                [&](const auto& name) { return part.iteration().product->state(name); });
    });
    found.us = timing.solve_us;
    return found;
  };
}

// The iteration of the slowest part, kind by kind.
void tell_iteration(const PartResult& p, std::size_t exchanges, RunRecord& r) {
  const std::pair<const char*, double> kinds[] = {{"product", p.local_us + p.halo_us},
                                                  {"dots", p.dots_us},
                                                  {"updates", p.vectors_us},
                                                  {"waiting", p.waiting_us + p.dots_waiting_us}};
  int number = 0;
  for (const auto& [work, us] : kinds) {
    r.details.push_back(detail_of(SolveLaunch{++number, work, us}, Provenance::measured));
    add_detail(r, (std::string("iteration_") + work).c_str(), (std::string("iteration: ") + work).c_str(), us, "us",
               Provenance::measured);
  }
  add_detail(r, "exchanges", "iteration: exchanges of sums", static_cast<double>(exchanges), "1", Provenance::derived);
  add_detail(r, "exchange_exposed", "iteration: waiting for sums", p.dots_waiting_us, "us", Provenance::measured);
}

SolveResult result_of(const SolveTiming& t, const LinearSystem& system, const SolveOptions& options,
                      const std::vector<double>& x) {
  SolveResult result;
  result.iterations = t.rr.size() - 1;
  for (const double rr : t.rr) result.residuals.push_back(std::sqrt(rr) / system.b_norm);
  result.true_residual = true_residual(system, x);
  result.solution_norm = norm(x);
  judge(result, options, t.broke_down);
  return result;
}

}  // namespace

void PartsRunner::run_on_gpus(const PreparedRun& run, RunRecord& r, Progress& progress) {
  divide(run, progress);
  require_memory(2.0 * static_cast<double>(r.rows) * sizeof(double), "y of all parts");
  PartsOnGpus gpus(run, partition_, prepared_, parts_of_engine_.conversion, nccl_, progress);
  gpus.naming_lost([&] {
    progress.stage("running");
    std::unique_ptr<DeviceParts> parts = gpus.products(true);
    gpus.choose_ways(parts, [&] { return gpus.products(false); }, progress);
    if (run.request.beta != 0) parts = gpus.products(false);  // messages were tried with its y
    run_parts_once(*parts);
    check(run, r, gpus.together(*parts), {{0, r.rows}});
    const PartsProductTime t = time_parts(*parts, gpus.launch(), run.request.budget_s, progress);
    r.parts = gpus.results(t.parts);
    char how[200];
    std::snprintf(how, sizeof how, "median of %d samples of %d products of all parts; quartiles %.4g and %.4g us",
                  t.samples, t.products, t.low, t.high);
    set_time(r, run.flops(), t.us, Provenance::measured, how);
  });
  tell_partition(partition_, nullptr, run.request.precision, divided_us_, r);
  r.minimum_bytes = {gpus.minimum_bytes(), "B", Provenance::modelled};
  gpus.tell(r);
}

void PartsRunner::solve_on_gpus(const PreparedRun& run, RunRecord& r, SolveVectors* given, Progress& progress) {
  const RunRequest& request = run.request;
  const SolveOptions options = solve_options(request);
  require_deterministic(run);
  if (run.matrix->rows() != run.matrix->cols())  // making the system says so
    return void(system_of(request, run.matrix, given, progress, {}));
  divide(run, progress);
  PartsOnGpus gpus(run, partition_, prepared_, parts_of_engine_.conversion, nccl_, progress);
  gpus.naming_lost([&] {
    const LinearSystem system =
        system_of(request, run.matrix, given, progress, estimate_on_gpus(gpus, request.precision, progress));
    progress.stage("copying to the devices");
    const IterationInputs whole = iteration_inputs(system, options, unit_of(options));
    std::unique_ptr<DeviceParts> parts = gpus.iterations(whole, true);
    gpus.choose_ways(parts, [&] { return gpus.iterations(whole, false); }, progress);
    progress.stage("solving");
    const PartsSolveTiming solved =
        solve_parts(*parts, gpus.launch(), options.most_iterations, request.precision, progress);
    std::vector<double> x = gpus.together(*parts, "x");
    r.solve = result_of(solved.first, system, options, x);
    r.solve->numbers_from = run.device.name;
    parts.reset();
    progress.stage("timing the parts of an iteration");
    const SolveOptions no_end = endless(options);
    const IterationInputs again = iteration_inputs(system, no_end, unit_of(no_end));
    parts = gpus.iterations(again, false);
    const PartsIterationTime one = time_iteration_of_parts(*parts, gpus.launch(), progress);
    r.parts = gpus.results(one.parts);
    char how[160];
    const bool long_enough = solved.first.samples > 0;
    std::snprintf(how, sizeof how, "%s of units of %d iterations of all parts%s",
                  long_enough && solved.first.replaced ? "mean" : "median", whole.unit,
                  long_enough ? "" : " that no tolerance ends");
    set_iteration(run, options, gpus.minimum_bytes() * products_of(options), r,
                  long_enough ? solved.iteration_us : one.us, Provenance::measured, how);
    const IterationPlan& plan = parts->part(0).iteration().plan;
    const auto in_unit = std::count_if(plan.exchanges.begin(), plan.exchanges.end(),
                                       [&](const SumExchange& e) { return e.launch < plan.unit_launches(); });
    tell_iteration(r.parts[slowest_of(r.parts, true)], static_cast<std::size_t>(in_unit / plan.unit), r);
    tell_partition(partition_, nullptr, request.precision, divided_us_, r);
    gpus.tell(r);
    add_solution(run, r, system, solved.solve_us, Provenance::measured);
    hand_over(std::move(x), request, given);
  });
}

}  // namespace warpspy
