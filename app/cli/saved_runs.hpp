// Saved runs as a figure's command names them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/run/history.hpp"

namespace warpspy::cli {

// Whether a word is the number of a run, and no matrix.
bool is_run_number(const std::string& word);
// Of the numbers and names of runs those, in that order; of the matrices those of the query that were made on them.
// Without words all that answer the query, the oldest first: matrices stand as they were first run. Throws Error for a
// number that no run has.
std::vector<std::shared_ptr<const RunRecord>> runs_meant(const SavedRuns& saved_runs,
                                                         const std::vector<std::string>& words,
                                                         const HistoryQuery& query);

}  // namespace warpspy::cli
