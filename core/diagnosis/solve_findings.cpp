#include "core/diagnosis/solve_findings.hpp"

#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include "core/base/numbers.hpp"
#include "core/diagnosis/parts_findings.hpp"

namespace warpspy {
namespace {

double us_of(const RunRecord& r, const char* id) {
  const Quantity* q = r.detail(id);
  return q ? q->value : 0;
}

template <class... Values>
std::string text(const char* format, Values... values) {
  char buffer[300];
  std::snprintf(buffer, sizeof buffer, format, values...);
  return buffer;
}

Finding begun(Finding::Kind kind, const char* rule, const char* title) {
  Finding f;
  f.kind = kind, f.rule = rule, f.title = title;
  return f;
}

// What to try where a solve did not reach its tolerance.
const char* way_out(const RunRequest& r, SolveEnd end) {
  if (end == SolveEnd::most_iterations) return "Allow more iterations, or use a preconditioner.";
  if (r.solver == Solver::pipelined_cg) return "Use CG, which loses fewer digits.";
  if (end == SolveEnd::broke_down) {
    if (r.solver == Solver::cg) return "Use BiCGStab or GMRES, which need no positive definite matrix.";
    return r.solver == Solver::bicgstab ? "Use GMRES, or a preconditioner." : "Look whether the matrix is singular.";
  }
  if (r.precision == Precision::f32)
    return r.refine ? "Solve in f64, or ask for a larger tolerance."
                    : "Refine it, solve in f64, or ask for a larger tolerance.";
  return "Use a preconditioner, or ask for a larger tolerance.";
}

Finding not_converged(const RunRecord& r) {
  const SolveResult& s = *r.solve;
  Finding f = begun(Finding::Kind::note, "solve_end", "Not solved");
  f.limit = "The solve did not reach its tolerance: " + s.why + ".";
  f.evidence = text("The true residual |b - A x| / |b| is %.3g.", s.true_residual);
  f.advice = way_out(r.request, s.end);
  f.provenance = Provenance::derived;
  return f;
}

std::string iterations_text(std::uint64_t n) {
  return grouped(static_cast<index_t>(n), ',') + (n == 1 ? " iteration" : " iterations");
}

// Preparation that takes longer than all iterations, where no other solve says whether that pays.
std::optional<Finding> long_preparation(const RunRecord& r) {
  const double solve = us_of(r, "solve"), estimate = us_of(r, "eigenvalue_estimate") + us_of(r, "refinement"),
               preparation = us_of(r, "solution") - solve - estimate;
  if (!(solve > 0 && preparation > solve)) return std::nullopt;
  Finding f = begun(Finding::Kind::limit, "solve_preparation", "Too few iterations for this format");
  f.share = preparation / (solve + preparation);
  f.limit = "The matrix takes longer to prepare than the solve takes.";
  f.evidence = text("Preparation takes %.4g \xC2\xB5s, and %s take %.4g \xC2\xB5s.", preparation,
                    iterations_text(r.solve->iterations).c_str(), solve);
  f.advice = "Take a kernel that reads CSR as it is, or solve with the same matrix more often.";
  f.provenance = Provenance::derived;
  return f;
}

// The same solve with a CSR kernel would have taken less time.
std::optional<Finding> against_csr(const RunRecord& r, const SolveBreakEven& b) {
  const auto done = static_cast<double>(r.solve->iterations);
  const double own = b.cost.total(done), csr = b.of_base.total(done);
  if (!(own > csr)) return std::nullopt;
  const std::string& other = b.base->kernel_label;
  Finding f = begun(Finding::Kind::limit, "solve_preparation",
                    b.never() ? "A CSR kernel takes less time" : "Too few iterations for this format");
  f.share = 1 - csr / own;
  f.limit = b.never() ? "For so many iterations and for more, " + other + " takes less time."
                      : iterations_text(r.solve->iterations) + " were done, and this format pays from " +
                            iterations_text(*b.iterations) + " on.";
  f.evidence = text(
      "Preparation takes %.4g \xC2\xB5s and an iteration %.4g \xC2\xB5s; with %s these are %.4g \xC2\xB5s and %.4g "
      "\xC2\xB5s.",
      b.cost.preparation, b.cost.product, other.c_str(), b.of_base.preparation, b.of_base.product);
  f.advice = "Solve with the kernel of " + other +
             (b.never() ? "." : ", or with the same matrix more often: it is prepared once.");
  f.provenance = b.provenance;
  return f;
}

// One kind of work that takes the larger part of an iteration.
Finding mostly(const RunRecord& r, const char* rule, const char* title, double us, const char* what,
               const char* advice) {
  Finding f = begun(Finding::Kind::limit, rule, title);
  f.share = us / r.time.value;
  f.limit = text("%.0f %% of an iteration go to %s.", 100 * f.share, what);
  f.evidence = text("An iteration takes %.4g \xC2\xB5s, and %s %.4g \xC2\xB5s of it.", r.time.value, what, us);
  f.advice = advice;
  f.provenance = r.provenance;
  return f;
}

}  // namespace

std::vector<Finding> diagnose_solve(const RunRecord& r, const SolveBreakEven* break_even) {
  std::vector<Finding> all;
  if (!r.solve || r.status != RunStatus::ok || !(r.time.value > 0)) return all;
  if (r.solve->end != SolveEnd::converged) all.push_back(not_converged(r));
  const bool compared = break_even && break_even->base;
  if (std::optional<Finding> f = compared ? against_csr(r, *break_even) : long_preparation(r))
    all.push_back(*std::move(f));
  const double product = us_of(r, "iteration_product"), dots = us_of(r, "iteration_dots"),
               updates = us_of(r, "iteration_updates"), gaps = us_of(r, "iteration_gaps"),
               launches = us_of(r, "bound_launch") + gaps;
  constexpr double most_of_it = 0.5, much_of_it = 0.25;
  if (launches > much_of_it * r.time.value)
    all.push_back(mostly(r, "solve_launches", "Launches and gaps", launches, "launches and what lies between them",
                         r.request.solver == Solver::cg ? "Pipelined CG has one launch beside the product, not three."
                                                        : "The system is small for this GPU: a larger one fills it."));
  if (product > most_of_it * r.time.value)
    all.push_back(mostly(r, "solve_product", "The product", product, "the product",
                         "Best for so many products names a faster kernel; a preconditioner needs fewer iterations."));
  if (dots + updates > most_of_it * r.time.value) {
    all.push_back(mostly(r, "solve_vectors", "Vectors", dots + updates, "sums and updates of vectors",
                         "A method with fewer vectors helps here, not a faster product."));
    all.back().evidence += text(
        " Launches that only leave sums take %.4g \xC2\xB5s, those that update vectors %.4g \xC2\xB5s.", dots, updates);
  }
  for (Finding& f : diagnose_parts(r)) all.push_back(std::move(f));
  if (all.empty()) {
    Finding f = begun(Finding::Kind::note, "solve_balance", "Nothing stands out");
    f.limit = "No kind of work takes half of an iteration.";
    f.evidence = text("Products take %.4g \xC2\xB5s, sums %.4g \xC2\xB5s, updates %.4g \xC2\xB5s of %.4g \xC2\xB5s.",
                      product, dots, updates, r.time.value);
    f.advice = "A preconditioner needs fewer iterations.";
    f.provenance = r.provenance;
    all.push_back(std::move(f));
  }
  return all;
}

}  // namespace warpspy
