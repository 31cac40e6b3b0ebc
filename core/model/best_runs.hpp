// A report over all saved runs: the fastest run of each matrix, and why it is fastest.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/model/run_grid.hpp"
#include "core/run/record.hpp"

namespace warpspy {

// The fastest of all runs of the same numbers in the same precision on the same device, with the same operation and
// state of the caches.
struct BestRun {
  std::shared_ptr<const RunRecord> best;
  std::shared_ptr<const RunRecord> second;  // the fastest run of another kernel; nullptr: there is no good one
  Operation operation = Operation::product;
  std::optional<RoofShare> share;     // of the best
  std::string params;                 // parameters of the best run that differ from the defaults
  std::string why;                    // why the best run is faster than the second; a sentence
  std::string limit;                  // what limits the best run, in a few words; "": nothing was found, or it was not
                                      // looked for
  std::size_t runs = 0, kernels = 0;  // how many good runs, and of how many kernels
  double times_as_fast() const { return second ? second->time.value / best->time.value : 1; }
};

// A row for each best run, in the order in which the matrices first appear. Failed runs, wrong results, and products
// with an alpha or beta of their own do not count. `share_of` may be empty.
std::vector<BestRun> best_runs(const std::vector<std::shared_ptr<const RunRecord>>& runs, const Catalog& catalog,
                               const ShareOf& share_of);

// Why the first run is faster than the second: it compares noise and bytes, and names what limits only the second.
std::string why_faster(const RunRecord& best, const RunRecord& second);

// The table as text: a row for each best run. The name of a column has the unit. An unknown value is empty, in JSON
// null.
std::string to_csv(const std::vector<BestRun>& all);
std::string to_json(const std::vector<BestRun>& all);

}  // namespace warpspy
