// Prints finished runs, and opens the history that stores them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/cli/solve_output.hpp"
#include "core/catalog/catalog.hpp"
#include "core/matrix/csr.hpp"
#include "core/run/history.hpp"

namespace warpspy::cli {

// Prints every number of a run with its unit and provenance, one per line; of a solve also what solve_numbers() gives.
void print_run(const RunRecord& r, const Catalog& catalog, const std::optional<SolveNumbers>& solve = {});
// Prints the matrix, how long it took to open, and one line for each run.
void print_table(const Matrix& m, double opened_s, const std::vector<RunRecord>& runs);
// Prints {"schema": "warpspy-runs-1", "runs": [...]}, for one or several runs; see to_json. `solves`: nothing, or the
// numbers of each run.
void print_json(const std::vector<RunRecord>& runs, const std::vector<std::optional<SolveNumbers>>& solves = {});
// Prints one line on standard error for each run that failed or is wrong. Returns their number.
int tell_failures(const std::vector<RunRecord>& runs);
// Throws the Error of a run that failed or is wrong.
void require_good(const RunRecord& r);
// Opens the user's history. Returns nothing if it is switched off. If it cannot be written, prints that on standard
// error and returns nothing.
std::unique_ptr<History> open_history();
// Prints one line for each problem on standard error.
void tell_problems(History& history);

}  // namespace warpspy::cli
