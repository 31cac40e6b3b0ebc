// Runs strategies one after another on one problem. From the results so far it computes the record of the search, and
// what must be measured next. No code here measures.
#pragma once

#include "core/run/tune.hpp"
#include "profiling/tuner/search.hpp"

namespace warpspy {

struct Searched {
  TuneRecord record;              // steps and outcomes so far; a status and an error once it is at its end
  std::vector<Candidate> wanted;  // to be measured next, in order; none: it is at its end
  std::string stage;              // the strategy and its stage, in words
};
// The default, then `record.request.strategies` (all when there is none) in the order of the table. Throws Error for a
// strategy that is not known. After a lost device the record says how, and holds what was found until then.
Searched tune(const Problem& problem, const Known& known, TuneRecord record);
// How many products it takes at most: a bound, for progress.
int most_products(const Problem& problem, const std::vector<std::string>& strategies);

}  // namespace warpspy
