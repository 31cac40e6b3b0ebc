// One side's search of the benchmark: which candidates are timed, in which order, until its budget is spent. Nothing
// here measures: it waits for times (core/experiment/script.hpp).
#pragma once

#include <optional>
#include <vector>

#include "core/experiment/script.hpp"
#include "profiling/bench/families.hpp"
#include "profiling/bench/finals.hpp"

namespace warpspy {

// Times the fastest: what is so far off needs no second look.
inline constexpr double far_off = 4;

// Where a search has its times from.
class Measure {
 public:
  virtual ~Measure() = default;
  // Of one product in us; nothing where it cannot be tried, or failed. What takes longer than `far_us` needs no second
  // look.
  virtual Script<std::optional<double>> time(const KernelRow& kernel, const BenchCandidate& candidate,
                                             double far_us) = 0;
  // Seconds that the search has taken.
  virtual double spent_s() const = 0;
};

struct SearchLimits {
  double budget_s = 1;
  bool every = false;               // the first of each family, whatever its cost; a library has few
  double rival_us = Family::never;  // what is known of others
};

struct SearchEnd {
  std::vector<Trial> trials;  // the fastest first
  int left_out = 0;           // candidates that were not tried
};

// The first of those of least modelled cost (all of them where `every`); another start of those that are not far behind
// the fastest; then one step at a time from the fastest; then those of more, since a model may be wrong;
// then steps from all that are not far behind; then families of most; then the rest, of the fastest
// families first. All while there is budget, and a few in any case. At last, but for `every`, the fastest of the
// fastest families once more, each product after the one before, as in a solver.
Script<SearchEnd> search_families(std::vector<Family> all, SearchLimits limits, Measure& measure);

}  // namespace warpspy
