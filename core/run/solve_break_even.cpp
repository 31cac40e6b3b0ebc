#include "core/run/solve_break_even.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "core/base/numbers.hpp"

namespace warpspy {
namespace {

constexpr double kMostIterations = 1e12;  // iterations; more is never
constexpr std::size_t kMostSolves = 10'000;

bool same_matrix(const RunRecord& a, const RunRecord& b) {
  if (!a.fingerprint.empty() && !b.fingerprint.empty()) return a.fingerprint == b.fingerprint;
  return a.request.matrix == b.request.matrix;
}

// The same iteration but for the product: then the times differ by kernel and format alone.
bool same_iteration(const RunRequest& a, const RunRequest& b) {
  return a.precision == b.precision && a.view == b.view && a.solver == b.solver && a.refine == b.refine &&
         a.preconditioner == b.preconditioner && a.parts == b.parts && (a.parts == 1 || a.split == b.split) &&
         (a.preconditioner != Preconditioner::block_jacobi || a.block_rows == b.block_rows) &&
         (a.preconditioner != Preconditioner::chebyshev || a.degree == b.degree) &&
         (a.solver != Solver::gmres || a.restart == b.restart);
}

bool same_product(const RunRequest& a, const RunRequest& b) {
  return a.kernel == b.kernel && a.params == b.params && a.format_params == b.format_params;
}

bool is_good_solve(const RunRecord& r) { return r.solve && r.status == RunStatus::ok && r.time.value > 0; }

// The whole number of iterations behind a crossing; nothing: never.
std::optional<double> overtakes(const ProductCost& cost, const ProductCost& base) {
  const std::optional<double> at = pays_off_after(cost, base);
  if (!at || *at > kMostIterations) return std::nullopt;
  return std::max(1.0, std::ceil(*at * (1 - 1e-12)));  // rounding errors may turn 34 into 34.0000001
}

std::string iteration_text(double us) {
  char text[40];
  std::snprintf(text, sizeof text, "%.4g \xC2\xB5s", us);
  return text;
}

}  // namespace

SolveBreakEven solve_break_even(const RunRecord& solve, const std::vector<std::shared_ptr<const RunRecord>>& runs,
                                const Catalog& catalog) {
  const auto unavailable = [](std::string why) { return SolveBreakEven{.reason = std::move(why)}; };
  if (!is_good_solve(solve)) return unavailable("this run is no solve");
  const FormatInfo* own_format = catalog.format(solve.format);
  const PreparationTime own = preparation_of(solve, own_format);
  if (!own.us) return unavailable(own.reason);
  SolveBreakEven b;
  b.cost = {*own.us, solve.time.value};
  b.provenance = solve.provenance == Provenance::modelled ? Provenance::modelled : Provenance::derived;
  const auto done = static_cast<double>(solve.solve->iterations);
  double last = 0;
  std::string unknown;
  for (const auto& r : runs) {
    const FormatInfo* format = catalog.format(r->format);
    if (!is_good_solve(*r) || !format || !format->intermediate || r->provenance != solve.provenance ||
        r->device != solve.device || r->device_name != solve.device_name || !same_matrix(*r, solve) ||
        !same_iteration(r->request, solve.request) || same_product(r->request, solve.request))
      continue;
    const PreparationTime prepared = preparation_of(*r, format);
    if (!prepared.us) {
      unknown = "of " + r->kernel_label + ", " + prepared.reason;
      continue;
    }
    const ProductCost cost{*prepared.us, r->time.value};
    const std::optional<double> at = overtakes(b.cost, cost);
    const double from = at.value_or(2 * kMostIterations);
    // Of several that it never overtakes, the one that does the same iterations in the least time.
    const bool later = from > last || (!at && from == last && cost.total(done) < b.of_base.total(done));
    if (b.base && !later) continue;
    b.base = r, b.of_base = cost, last = from;
    b.iterations = at ? std::optional(static_cast<std::uint64_t>(*at)) : std::nullopt;
  }
  if (!b.base && !unknown.empty()) return unavailable(unknown);
  if (!b.base && own_format && own_format->intermediate)
    return unavailable("no other CSR solve of this matrix to compare with: solve it with another kernel");
  if (!b.base) return unavailable("no CSR solve of this matrix to compare with: solve it with CSR vector");
  if (!b.iterations)
    b.reason = "an iteration takes " + iteration_text(b.cost.product) + ", and " + iteration_text(b.of_base.product) +
               " of " + b.base->kernel_label;
  return b;
}

std::string break_even_text(const RunRecord& solve, const SolveBreakEven& b) {
  if (!b.base) return "unavailable: " + b.reason;
  if (b.never()) return "never: " + b.reason;
  const std::string done = solve.solve ? "; " + grouped(static_cast<index_t>(solve.solve->iterations), ',') +
                                             (solve.solve->iterations == 1 ? " was done" : " were done")
                                       : "";
  const std::string from = *b.iterations == 1
                               ? "from the first iteration on"
                               : "from " + grouped(static_cast<index_t>(*b.iterations), ',') + " iterations on";
  return from + ", against " + b.base->kernel_label + done;
}

std::vector<std::shared_ptr<const RunRecord>> saved_solves_of(const SavedRuns& saved, const RunRecord& solve) {
  HistoryQuery query;
  query.matrix = solve.matrix_name;
  query.precision = solve.request.precision;
  query.limit = kMostSolves;
  std::vector<std::shared_ptr<const RunRecord>> solves;
  for (SavedRun& k : saved.find(query).runs)
    if (is_good_solve(*k.record)) solves.push_back(std::move(k.record));
  return solves;
}

}  // namespace warpspy
