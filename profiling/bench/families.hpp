// What the benchmark's search goes through: kernels, each on one form of its format, and which candidate of which comes
// next. Nothing here measures.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "profiling/bench/candidates.hpp"

namespace warpspy {

// Families that are modelled this much slower than the best come last; those that are so much slower are not begun
// while there are steps to take: only to find that it does not fit, csr_striped_transposed prepared 1.9 GB for
// rajat31's stand-in, in half of a second's search.
inline constexpr double worse_cost = 2.1, far_cost = 4;

// One kernel on one form of its format: candidates that need no other conversion.
struct Family {
  static constexpr double never = std::numeric_limits<double>::infinity();

  const KernelRow* kernel = nullptr;
  std::vector<BenchCandidate> candidates = {};
  double cost = 0;                       // us; only good for an order; `never`: not to be tried before all others
  std::vector<bool> done = {};           // of the candidates
  std::size_t first = 0, at = 0;         // what to begin with; the fastest so far
  std::vector<std::size_t> starts = {};  // where else single steps may begin
  double us = never;                     // of the fastest so far

  const ParamSet& format_params() const { return candidates.front().format_params; }
  bool timed() const { return us != never; }
  bool begun() const;
  int left() const;  // candidates that are not done
};
struct NextTry {
  Family* family = nullptr;
  std::size_t candidate = 0;
};

// What was found before (cost 0) comes first; then, of those that cost little enough, the best form of each kernel, so
// that no kernel waits for the forms of another to be converted, one after another. Returns how much that is, in us.
double in_order_of_cost(std::vector<Family>& all);

// A candidate that is not done: another one to begin with; or what differs from the fastest in one parameter, other
// loads first, since they need nothing to be made again, and what waits for the product before last, since from there
// nothing leads to what only gains where it does not.
std::optional<std::size_t> step_from(const Family& f);

// A step from the fastest of the families that take at most `limit` us and have one left.
std::optional<NextTry> next_step(std::vector<Family>& all, double limit);
// The first of a family that was not begun and has a modelled cost of at most `most` us, in the order that they are in.
std::optional<NextTry> next_family(std::vector<Family>& all, double most = Family::never);

// Candidates that are not done and are the fastest one with products in order; where it keeps a share of the matrix in
// L2, with streaming loads too.
std::vector<std::size_t> waiting_of(const Family& f);

}  // namespace warpspy
