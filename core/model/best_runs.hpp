// The best of each matrix, and why: a report over all runs that are kept.
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
  std::shared_ptr<const RunRecord> second;  // the fastest by another kernel; nullptr: no other one is good
  Operation operation = Operation::product;
  std::optional<RoofShare> share;     // of the best
  std::string params;                 // of the best: those that are not the default
  std::string why;                    // why it is faster than the second; a sentence
  std::string limit;                  // what limits the best, in a few words; "": nothing was found, or nobody asked
  std::size_t runs = 0, kernels = 0;  // that are good, of all these
  double times_as_fast() const { return second ? second->time.value / best->time.value : 1; }
};

// A row for each of them, in the order in which their matrices first appear. Runs that failed or are wrong do not
// count, nor products with an alpha or beta of their own. `share_of` may be empty.
std::vector<BestRun> best_runs(const std::vector<std::shared_ptr<const RunRecord>>& runs, const Catalog& catalog,
                               const ShareOf& share_of);

// Why the first is faster than the second, by what is known of both: the noise, bytes, and what limits the second
// alone.
std::string why_faster(const RunRecord& best, const RunRecord& second);

// The table as text: a row for each, every number with its unit in the name of its column. What is not known is empty,
// in JSON null.
std::string to_csv(const std::vector<BestRun>& all);
std::string to_json(const std::vector<BestRun>& all);

}  // namespace warpspy
