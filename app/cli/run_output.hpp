// A finished run on its way out: to the history, to the terminal.
#pragma once

#include <memory>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/matrix/csr.hpp"
#include "core/run/history.hpp"

namespace warpspy::cli {

// Every number of a run with its unit and provenance, one a line.
void print_run(const RunRecord& r, const Catalog& catalog);
// Of several runs: the matrix and how long it took to open, then one line a run.
void print_table(const Matrix& m, double opened_s, const std::vector<RunRecord>& runs);
// {"schema": "warpspy-runs-1", "runs": [...]}, however many: the objects of to_json.
void print_json(const std::vector<RunRecord>& runs);
// One line on standard error for each record that is not a good result; how many there are.
int tell_failures(const std::vector<RunRecord>& runs);
// Throws the Error of a record that is not a good result.
void require_good(const RunRecord& r);
// The user's history; nothing where it is off, or where none can be written, which a line on standard error says.
std::unique_ptr<History> open_history();
// One line each on standard error.
void tell_problems(History& history);

}  // namespace warpspy::cli
