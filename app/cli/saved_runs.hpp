// Finds the saved runs that arguments of a command name.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/run/history.hpp"

namespace warpspy::cli {

// Whether a word is the number of a run and not a matrix.
bool is_run_number(const std::string& word);
// Returns the runs that `words` name. Numbers and names of runs come in that order; a matrix stands for all its runs
// that answer the query. Without words it returns all runs that answer the query, oldest first. Throws Error if no run
// has a number.
std::vector<std::shared_ptr<const RunRecord>> runs_meant(const SavedRuns& saved_runs,
                                                         const std::vector<std::string>& words,
                                                         const HistoryQuery& query);

}  // namespace warpspy::cli
