#include "profiling/engine/solve_runner.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/io/vector_file.hpp"
#include "core/matrix/memory_guard.hpp"
#include "core/run/preparation.hpp"
#include "core/run/solve_launches.hpp"
#include "core/solve/on_host.hpp"
#include "core/solve/refine.hpp"
#include "kernels/solve/iteration.hpp"
#include "kernels/solve/refinement.hpp"
#include "kernels/table/table.hpp"
#include "profiling/metrics/metrics.hpp"
#include "profiling/simulated/simulate.hpp"
#include "profiling/simulated/time_model.hpp"
#include "profiling/timing/refinement_on_device.hpp"
#include "profiling/timing/solve_timing.hpp"

namespace warpspy {
namespace {

// The work of an iteration by kind, and the time of each launch.
void add_parts(RunRecord& r, const std::vector<SolvePart>& parts, const std::vector<double>& us, double iteration_us,
               Provenance from) {
  std::map<SolvePart, double> sums;
  double all = 0;
  int launches = 0;
  for (std::size_t i = 0; i < std::min(parts.size(), us.size()); ++i) {
    sums[parts[i]] += us[i];
    all += us[i];
    ++launches;
    r.details.push_back(detail_of(SolveLaunch{launches, name_of(parts[i]), us[i]}, from));
  }
  for (const auto& [part, sum] : sums)
    add_detail(r, (std::string("iteration_") + name_of(part)).c_str(),
               (std::string("iteration: ") + name_of(part)).c_str(), sum, "us", from);
  add_detail(r, "iteration_launches", "iteration: launches", launches, "1", from);
  if (from == Provenance::modelled) return;
  add_detail(r, "iteration_gaps", "iteration: between launches", std::max(0.0, iteration_us - all), "us",
             Provenance::derived);
}

// What the steps took beside their iterations.
void add_refinement(RunRecord& r, const Refined& f, double us) {
  add_detail(r, "refinement_steps", "refinement: steps", f.steps, "1", r.time.provenance);
  add_detail(r, "refinement", "refinement: steps in f64", us, "us", r.time.provenance);
  r.notes.push_back(
      "refinement: residuals in f64, additions to x and the start of the iterations run on the device, and "
      "their time is told apart from the iterations");
}

// The system of the steps of a refinement.
LinearSystem outer_system_of(const RunRequest& request, const std::shared_ptr<const Csr>& matrix,
                             const SolveVectors* given, Progress& progress) {
  SolveOptions options = solve_options(request);
  options.preconditioner = Preconditioner::none;
  const index_t rows = matrix->rows();
  warpspy::require_memory(10.0 * static_cast<double>(rows) * sizeof(double), "the vectors of the refinement");
  if (given)
    return make_system(matrix, request.view, Precision::f64, options, given->b,
                       std::vector<double>(static_cast<std::size_t>(rows)), progress);
  return make_system(matrix, request.view, Precision::f64, options,
                     vector_of(request.rhs, rows, request.seed, progress),
                     vector_of(request.x0, rows, request.seed + 1, progress), progress);
}

// The steps of a refinement take their products in f64 from CSR, by the kernel that a run has where none is named.
const KernelRow& refinement_kernel() { return kernel_row(RunRequest{}.kernel); }
ProductInputs refinement_inputs(const PreparedRun& run, Progress& progress) {
  const KernelInfo& kernel = refinement_kernel().info;
  ProductInputs in;
  in.format = format_row(kernel.format)
                  .build(*run.matrix, Precision::f64, run.request.view,
                         checked_params(format_row(kernel.format).info.params, {}), progress);
  in.precision = Precision::f64;
  in.params = checked_params(kernel.params, {});
  in.machine_code = run.inputs().machine_code;
  return in;
}
// The iterations of a step: each ends at the same length of its residual.
SolveOptions of_each_step(SolveOptions options) {
  options.tolerance = inner_tolerance;
  return options;
}

// The time of an iteration on a simulated GPU.
struct ModelledIteration {
  EmulatedIteration iteration;
  Simulation simulation;
  TimeEstimate time;
};
Simulation simulated(const PreparedRun& run, EmulatedProduct& product, Progress& progress) {
  SimulateOptions how;
  how.budget = budget_of(run.request.depth);
  how.cache_state = run.request.cache_state;
  return simulate(product, run.device.spec, how, progress);
}
ModelledIteration modelled_iteration(const PreparedRun& run, const LinearSystem& system, const SolveOptions& options,
                                     Progress& progress) {
  progress.stage("modelling an iteration");
  ModelledIteration m{emulated_iteration(run.kernel, run.inputs(), iteration_inputs(system, options, 1)), {}, {}};
  m.simulation = simulated(run, *m.iteration.product, progress);
  // Calibration knows products alone.
  m.time = estimate_time(m.simulation, run.device.spec, run.request.precision, run.flops() * products_of(options));
  return m;
}

double sum_of(const std::vector<double>& us, std::size_t from, std::size_t to) {
  double sum = 0;
  for (std::size_t i = from; i < to; ++i) sum += us.at(i);
  return sum;
}
// The time of `steps` of a refinement on a simulated GPU, without their iterations. Copies on the device are left out.
double modelled_refinement_us(const PreparedRun& run, const LinearSystem& outer, LinearSystem& inner,
                              const SolveOptions& options, int steps, Progress& progress) {
  progress.stage("modelling a step of the refinement");
  const GpuSpec& gpu = run.device.spec;
  const EmulatedRefinement exact = emulated_refinement(refinement_kernel(), refinement_inputs(run, progress), outer);
  const std::vector<double> us =
      estimate_time(simulated(run, *exact.product, progress), gpu, Precision::f64, run.flops()).launches;
  const EmulatedIteration begins =
      emulated_iteration(run.kernel, run.inputs(), restarting_inputs(inner, of_each_step(options), 1));
  const IterationPlan& plan = begins.plan;
  const auto of_product = [](SolvePart part) { return part == SolvePart::product; };
  const auto launches = std::find_if_not(plan.parts.begin(), plan.parts.end(), of_product) - plan.parts.begin(),
             all = std::count_if(plan.parts.begin(), plan.parts.end(), of_product);
  const double products = static_cast<double>(all) / static_cast<double>(launches);
  const std::vector<double> of_iteration =
      estimate_time(simulated(run, *begins.product, progress), gpu, run.request.precision, run.flops() * products)
          .launches;
  const double residual = sum_of(us, 0, exact.plan.scale),
               step = sum_of(us, exact.plan.scale, us.size()) + sum_of(of_iteration, plan.begin, plan.parts.size());
  return (steps + 1) * residual + steps * step;
}

}  // namespace

void run_simulated_solve(const PreparedRun& run, RunRecord& r, SolveVectors* given, Progress& progress) {
  require_deterministic(run);
  const GpuSpec& gpu = run.device.spec;
  if ((run.request.precision == Precision::f64 || run.request.refine) && gpu.peak_f64_gflops <= 0)
    throw Error(gpu.name + " has no double precision", {}, "solve in f32 without --refine, or on another GPU");
  const SolveOptions options = solve_options(run.request);
  LinearSystem system =
      system_of(run.request, run.matrix, given, progress, [&](const LinearSystem& of_estimate, const SolveOptions& cg) {
        CgCoefficients found = cg_on_host(of_estimate, cg, progress);
        found.us =
            static_cast<double>(found.alpha.size()) * modelled_iteration(run, of_estimate, cg, progress).time.total;
        return found;
      });
  require_memory((vectors_of(options) + 8) * static_cast<double>(system.rows()) * sizeof(double),
                 "the vectors of the solve");
  const auto [iteration, s, time] = modelled_iteration(run, system, options, progress);
  set_iteration(run, options, run.minimum_bytes() * products_of(options), r, time.total, Provenance::modelled,
                "an iteration; " + time.how);
  add_parts(r, iteration.plan.parts, time.launches, time.total, Provenance::modelled);
  if (iteration.product->setup_us() > 0)
    add_detail(r, "setup", "setup, once", iteration.product->setup_us(), "us", Provenance::measured);
  r.sampled_share = s.share;
  r.counters = modelled_counters(s, gpu);
  r.arrays = s.arrays;
  r.lines = s.lines;
  add_detail(r, "bound_launch", "launches", time.launch, "us", Provenance::modelled);
  progress.stage("computing the iterations");
  std::vector<double> x;
  if (run.request.refine) {
    const LinearSystem outer = outer_system_of(run.request, run.matrix, given, progress);
    Refined f = refined(*refinement_on_host(outer, system, progress), outer, options, progress);
    f.result.numbers_from = "this machine's processors";
    add_refinement(r, f, modelled_refinement_us(run, outer, system, options, f.steps, progress));
    r.solve = std::move(f.result), x = std::move(f.x);
  } else {
    r.solve = solve_on_host(system, options, progress, x);
  }
  note_modelled(options, run.request.precision, r);
  add_solution(run, r, system, time.total * static_cast<double>(r.solve->iterations), Provenance::modelled);
  hand_over(std::move(x), run.request, given);
}

namespace {

// One solve of a system on the device.
struct DeviceSolve {
  SolveTiming timing;
  double upload_us = 0, setup_us = 0, device_bytes = 0;
  bool replaces = false;  // pipelined CG's residual
};
DeviceSolve solved_on_device(const PreparedRun& run, const LinearSystem& system, const SolveOptions& options, int unit,
                             Progress& progress, bool loaded = false, CgCoefficients* cg = nullptr) {
  progress.stage("copying to the device");
  const IterationInputs inputs = iteration_inputs(system, options, unit);
  const auto before = std::chrono::steady_clock::now();
  const DeviceIteration iteration = device_iteration(run.kernel, run.inputs(), inputs);
  DeviceSolve d;
  d.setup_us = iteration.product->setup_us();
  d.upload_us =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - before).count() - d.setup_us;
  d.device_bytes = static_cast<double>(iteration.product->device_bytes());
  d.replaces = iteration.plan.replacement > 0;
  progress.stage("solving");
  d.timing = time_solve(iteration, options, run.request.precision, progress, loaded);
  if (cg) *cg = cg_coefficients(iteration.plan, unit, [&](const auto& name) { return iteration.product->state(name); });
  return d;
}
// What the bounds of a polynomial come from. It is laid out for itself, in `layout_us`.
CgRun estimate_on_device(const PreparedRun& run, double& layout_us, Progress& progress) {
  return [&](const LinearSystem& system, const SolveOptions& options) {
    CgCoefficients found;
    const DeviceSolve d =
        solved_on_device(run, system, options, static_cast<int>(options.most_iterations), progress, false, &found);
    found.us = d.timing.solve_us;
    layout_us = d.upload_us + d.setup_us;
    return found;
  };
}
// All steps of a refinement; `d` gets the timing of the step with the most samples. What is laid out and loaded once,
// before the first step, is no part of their time.
Refined refined_on_device(const PreparedRun& run, const LinearSystem& outer, LinearSystem& inner,
                          const SolveOptions& options, int unit, DeviceSolve& d, double& solve_us, Progress& progress) {
  progress.stage("copying to the device");
  const ProductInputs exact = refinement_inputs(run, progress);
  const auto rows = static_cast<double>(inner.rows()), entries = static_cast<double>(inner.matrix->nnz());
  constexpr double entry_bytes = 12, row_bytes = 8 + 8 * sizeof(double);  // CSR and eight vectors
  require_on_device("CSR and the vectors of the refinement in f64", entries * entry_bytes + rows * row_bytes);
  const IterationInputs inputs = restarting_inputs(inner, of_each_step(options), unit);
  const auto before = std::chrono::steady_clock::now();
  const DeviceIteration iteration = device_iteration(run.kernel, run.inputs(), inputs);
  const DeviceRefinement refinement = device_refinement(refinement_kernel(), exact, outer);
  const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - before;
  d.setup_us = iteration.product->setup_us();
  d.upload_us = spent.count() - d.setup_us;
  d.device_bytes = static_cast<double>(iteration.product->device_bytes() + refinement.product->device_bytes());
  d.replaces = iteration.plan.replacement > 0;
  const auto work = refinement_on_device(iteration, refinement, inner.rows(), options.most_iterations, progress);
  progress.stage("solving");
  Refined f = refined(*work, outer, options, progress);
  d.timing = work->longest();
  solve_us = work->solve_us();
  return f;
}
// The time of an iteration and of each of its launches. Returns one iteration, which ignores the tolerance.
std::unique_ptr<DeviceProduct> timed_iteration(const PreparedRun& run, const LinearSystem& system,
                                               const SolveOptions& options, int unit, const DeviceSolve& d,
                                               RunRecord& r, Progress& progress) {
  SolveOptions endless = options;
  endless.tolerance = 1e-150;
  double us = d.timing.iteration_us;
  char how[160];
  std::snprintf(how, sizeof how, "%s of %d CUDA graphs of %d iterations", d.replaces ? "mean" : "median",
                d.timing.samples, unit);
  if (d.timing.samples == 0) {
    std::snprintf(how, sizeof how, "median of CUDA graphs of %d iterations that no tolerance ends", unit);
    us = time_iteration(device_iteration(run.kernel, run.inputs(), iteration_inputs(system, endless, unit)), progress);
  }
  set_iteration(run, options, run.minimum_bytes() * products_of(options), r, us, Provenance::measured, how);
  if (d.replaces)
    r.notes.push_back("what lies between launches holds the products that replace the residual every " +
                      std::to_string(replaced_after(run.request.precision)) + " iterations");
  progress.stage("timing the parts of an iteration");
  DeviceIteration one = device_iteration(run.kernel, run.inputs(), iteration_inputs(system, endless, 1));
  add_parts(r, one.plan.parts, time_launches(one, progress), us, Provenance::measured);
  return std::move(one.product);
}
// The launches of a later step of Newton's method take as long as those of the first one.
void take_parts(const RunRecord& first, RunRecord& r) {
  for (const Detail& d : first.details)
    if (d.id.starts_with("iteration_")) r.details.push_back(d);
}
std::vector<double> residuals_of(const std::vector<double>& rr, double b_norm) {
  std::vector<double> residuals;
  for (const double each : rr) residuals.push_back(std::sqrt(each) / b_norm);
  return residuals;
}

}  // namespace

std::unique_ptr<DeviceProduct> run_device_solve(const PreparedRun& run, RunRecord& r, SolveVectors* given,
                                                Progress& progress) {
  require_deterministic(run);
  const SolveOptions options = solve_options(run.request);
  require_on_device("the vectors of the solve",
                    vectors_of(options) * static_cast<double>(run.matrix->rows()) * bytes_of(run.request.precision));
  double estimate_layout_us = 0;
  LinearSystem system =
      system_of(run.request, run.matrix, given, progress, estimate_on_device(run, estimate_layout_us, progress));
  constexpr std::uint64_t most_unit = 16;
  const int unit = options.solver == Solver::gmres ? options.restart
                                                   : static_cast<int>(std::min(most_unit, options.most_iterations));
  DeviceSolve d;
  SolveResult result;
  std::vector<double> x;
  std::optional<Refined> refinement;
  double solve_us = 0;  // of all steps
  if (run.request.refine) {
    refinement = refined_on_device(run, outer_system_of(run.request, run.matrix, given, progress), system, options,
                                   unit, d, solve_us, progress);
    result = std::move(refinement->result), x = std::move(refinement->x);
  } else {
    d = solved_on_device(run, system, options, unit, progress, given && given->is_later());
    solve_us = d.timing.solve_us, x = std::move(d.timing.x);
    result.iterations = d.timing.rr.size() - 1;
    result.residuals = residuals_of(d.timing.rr, system.b_norm);
    result.true_residual = true_residual(system, x);
    result.solution_norm = norm(x);
    judge(result, options, d.timing.broke_down);
  }
  result.numbers_from = run.device.name;
  r.solve = std::move(result);
  if (d.setup_us > 0) add_detail(r, "setup", "setup, once", d.setup_us, "us", Provenance::measured);
  add_detail(r, "upload", "laying out and copying to the device", d.upload_us + estimate_layout_us, "us",
             Provenance::measured);
  add_detail(r, "device_bytes", "memory on the device", d.device_bytes, "B", Provenance::measured);
  std::unique_ptr<DeviceProduct> one;
  if (given && given->is_later())
    take_parts(*given->first, r);
  else
    one = timed_iteration(run, system, options, unit, d, r, progress);
  if (refinement) add_refinement(r, *refinement, refinement->us - solve_us);
  add_solution(run, r, system, solve_us, Provenance::measured);
  hand_over(std::move(x), run.request, given);
  return one;
}

}  // namespace warpspy
