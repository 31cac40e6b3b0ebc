// The families of the benchmark's search: a family is a kernel on one form of its format. This file decides which
// candidate comes next. No code here measures.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "profiling/bench/candidates.hpp"

namespace warpspy {

// Both are multiples of the best modelled time. Families beyond worse_cost times that come last. Families beyond
// far_cost times that are not begun while other steps are left. Otherwise a search may waste its time:
// csr_striped_transposed prepared 1.9 GB for rajat31's stand-in, in half of a second's search, only to find that it
// does not fit.
inline constexpr double worse_cost = 2.1, far_cost = 4;

// One kernel on one form of its format: its candidates share one conversion.
struct Family {
  static constexpr double never = std::numeric_limits<double>::infinity();

  const KernelRow* kernel = nullptr;
  std::vector<BenchCandidate> candidates = {};
  double cost = 0;                       // modelled time in us, exact enough only to order families; `never`: tried
                                         // after all others
  std::vector<bool> done = {};           // for each candidate, whether it was tried
  std::size_t first = 0, at = 0;         // the candidate to begin with; the fastest so far
  std::vector<std::size_t> starts = {};  // other candidates from which single steps may begin
  double us = never;                     // time of the fastest candidate so far

  const ParamSet& format_params() const { return candidates.front().format_params; }
  bool timed() const { return us != never; }
  bool begun() const;
  int left() const;  // candidates that are not done
};
struct NextTry {
  Family* family = nullptr;
  std::size_t candidate = 0;
};

// Sorts the families. Those that an earlier search found (cost 0) come first. Then, of those with a low enough cost,
// comes the best form of each kernel, so that no kernel waits while all forms of another are converted. Returns that
// cost limit, in us.
double in_order_of_cost(std::vector<Family>& all);

// The next candidate of a family that is not done: another start, or one that differs from the fastest in one
// parameter. Other cache policies come first, since they need no new arrays. Candidates whose products wait for each
// other come last: single steps from them rarely lead to candidates that gain by overlapping.
std::optional<std::size_t> step_from(const Family& f);

// The next step of the fastest family that has one left and takes at most `limit` us.
std::optional<NextTry> next_step(std::vector<Family>& all, double limit);
// The first candidate of the next family that was not begun and has a modelled cost of at most `most` us.
std::optional<NextTry> next_family(std::vector<Family>& all, double most = Family::never);

// Candidates that are not done and differ from the fastest one only in that each product waits for the previous one. If
// the fastest one keeps a share of the matrix in L2, candidates with streaming loads are added.
std::vector<std::size_t> waiting_of(const Family& f);

}  // namespace warpspy
