// Strategies one after another on one problem: what a search has come to, and what it needs to go on, from what was
// measured so far. Nothing here measures.
#pragma once

#include "core/run/tune.hpp"
#include "profiling/tuner/search.hpp"

namespace warpspy {

struct Searched {
  TuneRecord record;              // steps and outcomes so far; a status and an error once it is at its end
  std::vector<Candidate> wanted;  // to be measured next, in order; none: it is at its end
  std::string stage;              // who wants it, in words
};
// The default, then `record.request.strategies` (all when there is none) in the order of the table. Throws Error for a
// strategy that is not known. After a lost device the record says how, and holds what was found until then.
Searched tune(const Problem& problem, const Known& known, TuneRecord record);
// How many products it takes at most: a bound, for progress.
int most_products(const Problem& problem, const std::vector<std::string>& strategies);

}  // namespace warpspy
