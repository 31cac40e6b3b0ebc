// The one list of strategies: ways to find good parameters, and how many products each may need.
#pragma once

#include <vector>

#include "profiling/tuner/search.hpp"

namespace warpspy {

struct StrategyRow {
  StrategyInfo info;
  void (*search)(const Problem&, Search&) = nullptr;
  // The most products that it may need: a bound, for progress.
  int (*most)(const Problem&) = nullptr;
  // It chooses without a product: the one product that it measures is reported, but is no part of its cost.
  bool free = false;
  // Chooses among kernels, and says why the one it found is fast.
  bool explains = false;
};
const std::vector<StrategyRow>& strategies();
const StrategyRow& strategy_row(const std::string& id);  // throws Error listing the known ids

// One function per file.
ParamSet fixed_rule(const KernelInfo& kernel, const Problem& problem);
void search_fixed_rule(const Problem& problem, Search& search);

inline constexpr int kRunTimeProducts = 10;
void search_run_time(const Problem& problem, Search& search);
// The same for any kernel, from any parameters, with at most `most` products.
void walk(const KernelInfo& kernel, const ParamSet& start, const Problem& problem, int most, Search& search);

void search_exhaustive(const Problem& problem, Search& search);
int most_exhaustive(const Problem& problem);

void search_predict(const Problem& problem, Search& search);
int most_predict(const Problem& problem);

void search_selector(const Problem& problem, Search& search);
int most_selector(const Problem& problem);

}  // namespace warpspy
