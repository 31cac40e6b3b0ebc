#include "profiling/engine/newton_runner.hpp"

#include <chrono>
#include <string>

#include "core/formats/format.hpp"
#include "core/io/vector_file.hpp"
#include "core/run/preparation.hpp"
#include "core/solve/newton.hpp"
#include "core/solve/newton_table.hpp"

namespace warpspy {
namespace {

void require_own_vectors(const RunRequest& request) {
  const RunRequest defaults;
  if (request.rhs == defaults.rhs && request.x0 == defaults.x0) return;
  throw Error("Newton's method makes the right-hand side and the start itself", "rhs, x0",
              "leave them out, or solve the first linear system alone: --newton-steps 0");
}

double value_of(const RunRecord& r, const char* detail) {
  const Quantity* q = r.detail(detail);
  return q ? q->value : 0;
}

void fill(NewtonStep& step, const RunRecord& r) {
  step.iterations = r.solve->iterations;
  step.true_residual = r.solve->true_residual;
  step.preparation_us =
      preparation_of(r, &format_row(r.format).info).us.value_or(0) + value_of(r, "eigenvalue_estimate");
  step.solve_us = value_of(r, "solve") + value_of(r, "refinement");
  step.products_us = static_cast<double>(step.iterations) * value_of(r, "iteration_product");
}

// The sums over all steps. The whole of a step is its preparation and its iterations: what the kernel decides. F and
// the Jacobian stand apart.
void add_sums(RunRecord& r, const NewtonResult& result) {
  const NewtonStep sum = all_steps(result);
  const auto add = [&](const char* id, const char* label, double value, const char* unit, Provenance from) {
    r.details.push_back({id, label, {value, unit, from}});
  };
  const double whole = sum.preparation_us + sum.solve_us,
               products = static_cast<double>(sum.iterations) * products_of(solve_options(r.request));
  add("newton_iterations", "all steps: iterations", static_cast<double>(sum.iterations), "1", Provenance::derived);
  add("newton_assembly", "all steps: F and the Jacobian", sum.assembly_us, "us", Provenance::measured);
  add("newton_preparation", "all steps: preparation", sum.preparation_us, "us", Provenance::measured);
  add("newton_solve", "all steps: time of the iterations", sum.solve_us, "us", r.provenance);
  add("newton_whole", "all steps: preparation and iterations", whole, "us", Provenance::derived);
  if (!(whole > 0) || !(sum.products_us > 0)) return;
  add("newton_products", "all steps: products in both", 100 * sum.products_us / whole, "%", Provenance::derived);
  const double flops = 2 * products * static_cast<double>(r.nnz);
  add("newton_products_gflops", "all steps: rate of the products", flops / sum.products_us * 1e-3, "GFLOP/s",
      r.provenance);
  add("newton_gflops", "all steps: products' flops over both", flops / whole * 1e-3, "GFLOP/s", Provenance::derived);
}

}  // namespace

std::optional<Bratu> problem_of(const RunRequest& request) {
  return request.newton_steps > 0 ? bratu_of(request.matrix) : std::nullopt;
}

void run_newton(const Bratu& problem, RunRecord& r, const Matrix& matrix, Progress& progress,
                const LinearSolve& solve) {
  const RunRequest request = r.request;
  require_own_vectors(request);
  const NewtonOptions options = newton_options(request);
  if (!matrix.csr || static_cast<std::size_t>(matrix.csr->rows()) != problem.unknowns())
    throw Error("the open matrix is not the Jacobian of " + request.matrix, {}, "open " + request.matrix);
  std::size_t steps = 0;
  const LinearStep linear = [&](std::span<const double> u, const std::vector<double>& f, NewtonStep& step) {
    const auto before = std::chrono::steady_clock::now();
    const Matrix jacobian{std::make_shared<const Csr>(problem.jacobian(u, progress)), matrix.source};
    const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - before;
    step.assembly_us += spent.count();
    RunRecord later;
    later.request = request;
    later.request.counters = "none";  // those of the first step are in the record
    const bool is_first = steps++ == 0;
    RunRecord& record = is_first ? r : later;
    SolveVectors vectors{.b = f, .x = {}, .first = is_first ? nullptr : &r};
    solve(record, jacobian, vectors);
    fill(step, record);
    return std::move(vectors.x);
  };
  std::vector<double> u = problem.start();
  NewtonResult result =
      newton([&](std::span<const double> at) { return problem.residual(at); }, options, linear, progress, u);
  add_sums(r, result);
  r.notes.push_back("Newton's method: " + result.why);
  r.notes.push_back(
      "times, counters and residuals are those of the first step; F and the Jacobians are computed by this "
      "machine's processors");
  r.newton = std::move(result);
  if (!request.solution.empty()) write_vector(request.solution, u);
}

}  // namespace warpspy
