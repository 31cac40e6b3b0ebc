#include "profiling/tuner/strategies.hpp"

#include <algorithm>

namespace warpspy {

const std::vector<StrategyRow>& strategies() {
  static const std::vector<StrategyRow> table = {
      {{"fixed_rule", "Fixed rule",
        "Block size 128, threads per row from the square root of the mean row length, rows per group so that there are "
        "1500 blocks. Needs the number of rows and entries, and no product; kernels without these parameters keep "
        "their "
        "defaults.",
        "Reguly & Giles 2012, section 5.4"},
       search_fixed_rule,
       [](const Problem&) { return 1; },
       true},
      {{"run_time", "Run-time",
        "Starts from the fixed rule and turns one parameter after another for as long as that helps, in at most 10 "
        "products.",
        "Reguly & Giles 2012, section 6"},
       search_run_time,
       [](const Problem&) { return kRunTimeProducts; }},
      {{"exhaustive", "Exhaustive",
        "Every combination on a grid, then the cache policies at the best of them. What the others' regret is measured "
        "against.",
        "Reguly & Giles 2012, section 5.4"},
       search_exhaustive,
       most_exhaustive},
      {{"selector", "Selector",
        "Over formats and kernels: the three formats that move the least bytes, their kernels by the fixed rule, then "
        "the best of these tuned. Pays for conversions.",
        ""},
       search_selector,
       most_selector},
      {{"predict", "Predicted",
        "Over formats and kernels: those of least modelled cost by the matrix's statistics, each with the parameters "
        "that "
        "are likely to be good, then the fastest two tuned one step at a time.",
        ""},
       search_predict,
       most_predict,
       false,
       true}};
  return table;
}

const StrategyRow& strategy_row(const std::string& id) {
  std::string known;
  for (const StrategyRow& row : strategies()) {
    if (row.info.id == id) return row;
    known += (known.empty() ? "" : ", ") + row.info.id;
  }
  throw Error("unknown strategy " + id, {}, "known: " + known);
}

}  // namespace warpspy
