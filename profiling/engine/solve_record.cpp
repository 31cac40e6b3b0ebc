#include "profiling/engine/solve_record.hpp"

#include <string>
#include <utility>

#include "core/io/vector_file.hpp"
#include "core/run/preparation.hpp"
#include "kernels/table/table.hpp"

namespace warpspy {
namespace {

// What the bounds of a polynomial took.
void add_estimate(const LinearSystem& system, RunRecord& r) {
  const ChebyshevPolynomial& p = system.polynomial;
  if (p.products == 0) return;
  add_detail(r, "eigenvalue_products", "estimate of the eigenvalues: products", p.products, "1", Provenance::modelled);
  add_detail(r, "eigenvalue_estimate", "estimate of the eigenvalues", p.us, "us", r.time.provenance);
  add_detail(r, "eigenvalue_least", "Chebyshev: least eigenvalue of its interval", p.least, "1", Provenance::modelled);
  add_detail(r, "eigenvalue_most", "Chebyshev: largest eigenvalue of its interval", p.most, "1", Provenance::modelled);
  r.notes.push_back("estimate of the eigenvalues: " + std::to_string(p.products) +
                    " iterations of CG with Jacobi and this kernel, before the first iteration");
}

}  // namespace

std::vector<double> vector_of(const std::string& words, index_t size, std::uint64_t seed, Progress& progress) {
  if (words.find('.') != std::string::npos) return read_vector(words, progress);
  return vector_of_word(words, size, seed);
}

double vectors_of(const SolveOptions& o) {
  const bool changes = o.preconditioner != Preconditioner::none,
             blocks = o.preconditioner == Preconditioner::block_jacobi,
             polynomial = o.preconditioner == Preconditioner::chebyshev;
  // What one application of the preconditioner reads and writes. Each step of a polynomial: A z, r, the diagonal, z, z,
  // d and d; the first one reads no d, and the last one writes none.
  const double of_step = blocks ? o.block : polynomial ? 1 + 7 * o.degree - 2 : changes ? 1 : 0;
  switch (o.solver) {
    case Solver::cg:  // M^-1 r is kept, or computed twice
      return blocks ? 11 + of_step : polynomial ? 12 + of_step : 10 + 2 * of_step;
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

void add_detail(RunRecord& r, const char* id, const char* label, double value, const char* unit, Provenance from) {
  r.details.push_back({id, label, {value, unit, from}});
}

void set_iteration(const PreparedRun& run, const SolveOptions& options, double product_bytes, RunRecord& r, double us,
                   Provenance from, std::string how) {
  const double vectors = vectors_of(options), n = static_cast<double>(run.matrix->rows());
  r.kernel_label = std::string(solver_info(options.solver).label) + " with " + run.kernel.info.label;
  r.minimum_bytes = {product_bytes + vectors * n * bytes_of(run.request.precision), "B", Provenance::modelled};
  set_time(r, products_of(options) * run.flops(), us, from, std::move(how));
  add_detail(r, "iteration_vectors", "vectors read or written beside the products", vectors, "1", Provenance::modelled);
}

void add_solution(const PreparedRun& run, RunRecord& r, const LinearSystem& system, double solve_us, Provenance from) {
  add_detail(r, "solve", "all iterations", solve_us, "us", from);
  add_estimate(system, r);
  const PreparationTime preparation = preparation_of(r, &format_row(run.kernel.info.format).info);
  const Quantity* refinement = r.detail("refinement");
  if (preparation.us)
    add_detail(r, "solution", "preparation and all iterations",
               solve_us + *preparation.us + system.polynomial.us + (refinement ? refinement->value : 0), "us",
               Provenance::derived);
}

void hand_over(std::vector<double> x, const RunRequest& request, SolveVectors* given) {
  if (given) return void(given->x = std::move(x));
  if (!request.solution.empty()) write_vector(request.solution, x);
}

LinearSystem system_of(const RunRequest& request, const std::shared_ptr<const Csr>& matrix, const SolveVectors* given,
                       Progress& progress, const CgRun& cg) {
  progress.stage("preparing the solve");
  const SolveOptions options = solve_options(request);
  if (request.cache_state != CacheState::warm)
    throw Error("iterations of a solve follow one another, so caches are warm", "cache_state", "leave --cold out");
  if (request.alpha != 1 || request.beta != 0)
    throw Error("a solve has no alpha and no beta", "alpha, beta", "leave them out");
  const index_t rows = matrix->rows();
  if (given)
    return make_system(matrix, request.view, request.precision, options, given->b,
                       std::vector<double>(static_cast<std::size_t>(rows)), progress, cg);
  if (request.refine)  // its right-hand sides come from the steps in f64
    return make_system(matrix, request.view, request.precision, options, vector_of_word("ones", rows, 0),
                       vector_of_word("zeros", rows, 0), progress, cg);
  return make_system(matrix, request.view, request.precision, options,
                     vector_of(request.rhs, rows, request.seed, progress),
                     vector_of(request.x0, rows, request.seed + 1, progress), progress, cg);
}

void require_deterministic(const PreparedRun& run) {
  if (run.request.deterministic && run.kernel.info.tags.has_any(Tag::atomics))
    throw Error("kernel " + run.kernel.info.id + " adds to y by atomics, in an order that may differ from run to run",
                "deterministic", "take another kernel, such as csr_even, or leave --deterministic out");
  if (run.request.deterministic && !run.kernel.info.library.empty())
    throw Error(
        "kernel " + run.kernel.info.id + " is " + run.kernel.info.library + "'s, whose order of additions is not known",
        "deterministic", "take another kernel, such as csr_even, or leave --deterministic out");
}

void note_modelled(const SolveOptions& options, Precision precision, RunRecord& r) {
  r.notes.push_back("the model ran one iteration; the numbers of all iterations were computed by " +
                    r.solve->numbers_from);
  if (options.solver == Solver::pipelined_cg)
    r.notes.push_back("modelled without the products that replace the residual every " +
                      std::to_string(replaced_after(precision)) + " iterations");
  if (options.solver == Solver::gmres)
    r.notes.push_back("modelled: the iteration in the middle of a cycle; what ends a cycle is left out");
}

}  // namespace warpspy
