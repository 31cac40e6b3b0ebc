// The one list of search strategies: ways to find good parameters, and how many products each may need.
#pragma once

#include <vector>

#include "profiling/tuner/search.hpp"

namespace warpspy {

struct StrategyRow {
  StrategyInfo info;
  void (*search)(const Problem&, Search&) = nullptr;
  // An upper bound for the number of products that the strategy needs, to show progress.
  int (*most)(const Problem&) = nullptr;
  // Whether the strategy chooses without measuring. Its choice is then measured once for the report, which is no part
  // of its cost.
  bool free = false;
  // Whether the strategy chooses among kernels, and explains why its choice is fast.
  bool explains = false;
};
const std::vector<StrategyRow>& strategies();
const StrategyRow& strategy_row(const std::string& id);  // throws Error listing the known ids

// Each of these strategies has a file of its own.
ParamSet fixed_rule(const KernelInfo& kernel, const Problem& problem);
void search_fixed_rule(const Problem& problem, Search& search);

inline constexpr int kRunTimeProducts = 10;
void search_run_time(const Problem& problem, Search& search);
// Walks from `start` for any kernel, with at most `most` products.
void walk(const KernelInfo& kernel, const ParamSet& start, const Problem& problem, int most, Search& search);

void search_exhaustive(const Problem& problem, Search& search);
int most_exhaustive(const Problem& problem);

void search_predict(const Problem& problem, Search& search);
int most_predict(const Problem& problem);

void search_selector(const Problem& problem, Search& search);
int most_selector(const Problem& problem);

}  // namespace warpspy
