// A finished run on its way out: to the history, to the terminal.
#pragma once

#include "core/catalog/catalog.hpp"
#include "core/run/history.hpp"

namespace warpspy::cli {

// Every number of a run with its unit and provenance, one a line.
void print_run(const RunRecord& r, const Catalog& catalog);
// Throws the Error of a record that is not a good result.
void require_good(const RunRecord& r);
// Writes the run to the user's history and gives it its number (0: not kept, and a line on standard error says why).
void keep(RunRecord& r);
// One line each on standard error.
void tell_problems(History& history);

}  // namespace warpspy::cli
