#include "profiling/engine/solve_runner.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <utility>

#include "core/io/vector_file.hpp"
#include "core/matrix/memory_guard.hpp"
#include "core/run/preparation.hpp"
#include "core/solve/on_host.hpp"
#include "kernels/solve/iteration.hpp"
#include "profiling/metrics/metrics.hpp"
#include "profiling/simulated/simulate.hpp"
#include "profiling/simulated/time_model.hpp"
#include "profiling/timing/solve_timing.hpp"

namespace warpspy {
namespace {

std::vector<double> vector_of(const std::string& words, index_t size, std::uint64_t seed, Progress& progress) {
  if (words.find('.') != std::string::npos) return read_vector(words, progress);
  return vector_of_word(words, size, seed);
}

// Vectors that an iteration reads or writes beside the product's x and y.
double vectors_of(const SolveOptions& o) {
  const bool changes = o.preconditioner != Preconditioner::none;
  const double of_step = o.preconditioner == Preconditioner::block_jacobi ? o.block : changes ? 1 : 0;
  switch (o.solver) {
    case Solver::cg:
      return o.preconditioner == Preconditioner::block_jacobi ? 11 + of_step : 10 + 2 * of_step;
    case Solver::pipelined_cg:
      return (changes ? 19 : 13) + of_step;
    case Solver::bicgstab:
      return 24 + 2 * of_step;
    case Solver::gmres:
      return 4 * (o.restart / 2 + 1) + 9 + of_step;  // of an iteration in the middle of a cycle
    case Solver::none:
      break;
  }
  return 0;
}

void add(RunRecord& r, const char* id, const char* label, double value, const char* unit, Provenance from) {
  r.details.push_back({id, label, {value, unit, from}});
}

// The work of an iteration by kind, from the time of each launch.
void add_parts(RunRecord& r, const std::vector<SolvePart>& parts, const std::vector<double>& us, double iteration_us,
               Provenance from) {
  std::map<SolvePart, double> sums;
  double all = 0;
  int launches = 0;
  for (std::size_t i = 0; i < std::min(parts.size(), us.size()); ++i) {
    sums[parts[i]] += us[i];
    all += us[i];
    ++launches;
  }
  for (const auto& [part, sum] : sums)
    add(r, (std::string("iteration_") + name_of(part)).c_str(), (std::string("iteration: ") + name_of(part)).c_str(),
        sum, "us", from);
  add(r, "iteration_launches", "iteration: launches", launches, "1", from);
  if (from == Provenance::modelled) return;
  add(r, "iteration_gaps", "iteration: between launches", std::max(0.0, iteration_us - all), "us", Provenance::derived);
}

void set_iteration(const PreparedRun& run, const SolveOptions& options, RunRecord& r, double us, Provenance from,
                   std::string how) {
  const double vectors = vectors_of(options), n = static_cast<double>(run.matrix->rows()),
               products = solver_info(options.solver).products;
  r.kernel_label = std::string(solver_info(options.solver).label) + " with " + run.kernel.info.label;
  r.minimum_bytes = {products * run.minimum_bytes() + vectors * n * bytes_of(run.request.precision), "B",
                     Provenance::modelled};
  set_time(r, products * run.flops(), us, from, std::move(how));
  add(r, "iteration_vectors", "vectors read or written beside the products", vectors, "1", Provenance::modelled);
}

// Time to solution: what is prepared once, and all iterations.
void add_total(const PreparedRun& run, RunRecord& r, double solve_us, Provenance from) {
  add(r, "solve", "all iterations", solve_us, "us", from);
  const PreparationTime preparation =
      preparation_of(r, run.format ? &format_row(run.kernel.info.format).info : nullptr);
  if (preparation.us)
    add(r, "solution", "preparation and all iterations", solve_us + *preparation.us, "us", Provenance::derived);
}

void hand_over(std::vector<double> x, const RunRequest& request, SolveVectors* given) {
  if (given) return void(given->x = std::move(x));
  if (!request.solution.empty()) write_vector(request.solution, x);
}

}  // namespace

LinearSystem system_of(const RunRequest& request, const std::shared_ptr<const Csr>& matrix, const SolveVectors* given,
                       Progress& progress) {
  progress.stage("preparing the solve");
  const SolveOptions options = solve_options(request);
  if (request.cache_state != CacheState::warm)
    throw Error("iterations of a solve follow one another, so caches are warm", "cache_state", "leave --cold out");
  if (request.alpha != 1 || request.beta != 0)
    throw Error("a solve has no alpha and no beta", "alpha, beta", "leave them out");
  const index_t rows = matrix->rows();
  if (given)
    return make_system(matrix, request.view, request.precision, options, given->b,
                       std::vector<double>(static_cast<std::size_t>(rows)), progress);
  return make_system(matrix, request.view, request.precision, options,
                     vector_of(request.rhs, rows, request.seed, progress),
                     vector_of(request.x0, rows, request.seed + 1, progress), progress);
}

namespace {

// Sums of the vectors are made in the same order each time; those of some products are not.
void require_deterministic(const PreparedRun& run) {
  if (run.request.deterministic && run.kernel.info.tags.has_any(Tag::atomics))
    throw Error("kernel " + run.kernel.info.id + " adds to y by atomics, in an order that may differ from run to run",
                "deterministic", "take another kernel, such as csr_even, or leave --deterministic out");
}

}  // namespace

void run_simulated_solve(const PreparedRun& run, RunRecord& r, SolveVectors* given, Progress& progress) {
  require_deterministic(run);
  const GpuSpec& gpu = run.device.spec;
  if (run.request.precision == Precision::f64 && gpu.peak_f64_gflops <= 0)
    throw Error(gpu.name + " has no double precision", {}, "solve in f32, or on another GPU");
  const SolveOptions options = solve_options(run.request);
  const LinearSystem system = system_of(run.request, run.matrix, given, progress);
  require_memory((vectors_of(options) + 8) * static_cast<double>(system.rows()) * sizeof(double),
                 "the vectors of the solve");
  progress.stage("modelling an iteration");
  const EmulatedIteration iteration =
      emulated_iteration(run.kernel, run.inputs(), iteration_inputs(system, options, 1));
  SimulateOptions how;
  how.budget = budget_of(run.request.depth);
  how.cache_state = run.request.cache_state;
  const Simulation s = simulate(*iteration.product, gpu, how, progress);
  // Calibration knows products alone.
  const double flops = run.flops() * solver_info(options.solver).products;
  const TimeEstimate time = estimate_time(s, gpu, run.request.precision, flops);
  set_iteration(run, options, r, time.total, Provenance::modelled, "an iteration; " + time.how);
  add_parts(r, iteration.plan.parts, time.launches, time.total, Provenance::modelled);
  if (iteration.product->setup_us() > 0)
    add(r, "setup", "setup, once", iteration.product->setup_us(), "us", Provenance::measured);
  r.sampled_share = s.share;
  r.counters = modelled_counters(s, gpu);
  r.arrays = s.arrays;
  r.lines = s.lines;
  add(r, "bound_launch", "launches", time.launch, "us", Provenance::modelled);
  progress.stage("computing the iterations");
  std::vector<double> x;
  r.solve = solve_on_host(system, options, progress, x);
  r.notes.push_back(
      "the model ran one iteration; the numbers of all iterations were computed by this machine's "
      "processors");
  if (options.solver == Solver::pipelined_cg)
    r.notes.push_back("modelled without the four products that replace the residual every " +
                      std::to_string(replaced_after(run.request.precision)) + " iterations");
  if (options.solver == Solver::gmres)
    r.notes.push_back("modelled: the iteration in the middle of a cycle; what ends a cycle is left out");
  add_total(run, r, time.total * static_cast<double>(r.solve->iterations), Provenance::modelled);
  hand_over(std::move(x), run.request, given);
}

std::unique_ptr<DeviceProduct> run_device_solve(const PreparedRun& run, RunRecord& r, SolveVectors* given,
                                                Progress& progress) {
  require_deterministic(run);
  const SolveOptions options = solve_options(run.request);
  const LinearSystem system = system_of(run.request, run.matrix, given, progress);
  constexpr std::uint64_t most_unit = 16;
  const int unit = options.solver == Solver::gmres ? options.restart
                                                   : static_cast<int>(std::min(most_unit, options.most_iterations));
  const IterationInputs inputs = iteration_inputs(system, options, unit);
  require_on_device("the vectors of the solve",
                    vectors_of(options) * static_cast<double>(system.rows()) * bytes_of(run.request.precision));
  progress.stage("copying to the device");
  const auto before = std::chrono::steady_clock::now();
  const DeviceIteration iteration = device_iteration(run.kernel, run.inputs(), inputs);
  const std::chrono::duration<double, std::micro> upload = std::chrono::steady_clock::now() - before;
  progress.stage("solving");
  SolveTiming t = time_solve(iteration, options, run.request.precision, progress);
  SolveOptions endless = options;
  endless.tolerance = 1e-150;
  char how[160];
  std::snprintf(how, sizeof how, "%s of %d CUDA graphs of %d iterations",
                iteration.plan.replacement > 0 ? "mean" : "median", t.samples, iteration.plan.unit);
  if (t.samples == 0) {
    std::snprintf(how, sizeof how, "median of CUDA graphs of %d iterations that no tolerance ends", unit);
    t.iteration_us =
        time_iteration(device_iteration(run.kernel, run.inputs(), iteration_inputs(system, endless, unit)), progress);
  }
  set_iteration(run, options, r, t.iteration_us, Provenance::measured, how);
  if (iteration.plan.replacement > 0)
    r.notes.push_back("what lies between launches holds the products that replace the residual every " +
                      std::to_string(replaced_after(run.request.precision)) + " iterations");
  if (iteration.product->setup_us() > 0)
    add(r, "setup", "setup, once", iteration.product->setup_us(), "us", Provenance::measured);
  add(r, "upload", "laying out and copying to the device", upload.count() - iteration.product->setup_us(), "us",
      Provenance::measured);
  add(r, "device_bytes", "memory on the device", static_cast<double>(iteration.product->device_bytes()), "B",
      Provenance::measured);
  SolveResult result;
  result.numbers_from = run.device.name;
  result.iterations = t.rr.size() - 1;
  for (const double rr : t.rr) result.residuals.push_back(std::sqrt(rr) / system.b_norm);
  result.true_residual = true_residual(system, t.x);
  result.solution_norm = norm(t.x);
  judge(result, options, t.broke_down);
  r.solve = std::move(result);
  progress.stage("timing the parts of an iteration");
  DeviceIteration one = device_iteration(run.kernel, run.inputs(), iteration_inputs(system, endless, 1));
  add_parts(r, one.plan.parts, time_launches(one, progress), t.iteration_us, Provenance::measured);
  add_total(run, r, t.solve_us, Provenance::measured);
  hand_over(std::move(t.x), run.request, given);
  return std::move(one.product);
}

}  // namespace warpspy
