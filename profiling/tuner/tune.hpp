// Runs strategies one after another on one problem. From the results so far it computes the record of the search, and
// what must be measured next. No code here measures.
#pragma once

#include "core/run/tune.hpp"
#include "profiling/tuner/search.hpp"

namespace warpspy {

struct Searched {
  TuneRecord record;              // steps and outcomes so far; at the end also the status and an error
  std::vector<Candidate> wanted;  // candidates to measure next, in order; empty at the end of the search
  std::string stage;              // the strategy and its stage, in words
};
// Computes the state of the search from the known results. It runs the default parameters first, then
// `record.request.strategies` (all if it is empty) in the order of the table. If the device was lost, the record tells
// how, and has what was found until then. Throws Error for an unknown strategy.
Searched tune(const Problem& problem, const Known& known, TuneRecord record);
// An upper bound for the number of products of the search, to show progress.
int most_products(const Problem& problem, const std::vector<std::string>& strategies);

}  // namespace warpspy
