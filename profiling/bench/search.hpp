// One side's search of the benchmark: which candidates are timed, in which order, until its budget is spent. No code
// here measures: the search waits for times (core/experiment/script.hpp).
#pragma once

#include <optional>
#include <vector>

#include "core/experiment/script.hpp"
#include "profiling/bench/families.hpp"
#include "profiling/bench/finals.hpp"

namespace warpspy {

// A product that takes this many times as long as the fastest one is not timed a second time.
inline constexpr double far_off = 4;

// Gives a search its times.
class Measure {
 public:
  virtual ~Measure() = default;
  // The time of one product in us; nothing if it cannot be tried, or failed. A product that takes longer than `far_us`
  // is not timed a second time.
  virtual Script<std::optional<double>> time(const KernelRow& kernel, const BenchCandidate& candidate,
                                             double far_us) = 0;
  // Seconds that the search has taken.
  virtual double spent_s() const = 0;
};

struct SearchLimits {
  double budget_s = 1;
  bool every = false;               // try the first candidate of each family, whatever its cost; a library has few
  double rival_us = Family::never;  // the best known time of the other side
};

struct SearchEnd {
  std::vector<Trial> trials;  // the fastest first
  int left_out = 0;           // candidates that were not tried
};

// Searches the fastest candidate. A family has all candidates of one kernel and one form of its format. First the
// search tries the first candidate of the families with the least modelled cost (of all families if `every`). Then it
// tries another start of families that are not far behind the fastest, and single steps from the fastest. Then come
// families with a higher cost, since a model may be wrong, and steps from all families that are not far behind. Then
// come the families with the highest cost, and last the rest, of the fastest families first. It ends when the budget is
// spent, but tries a few in any case. At the end, unless `every`, it times the fastest candidates of the fastest
// families again, with each product after the previous one, as in a solver.
Script<SearchEnd> search_families(std::vector<Family> all, SearchLimits limits, Measure& measure);

}  // namespace warpspy
