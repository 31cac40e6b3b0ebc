// How much faster a product, or an iteration of a solve, is over several GPUs than on one, from runs that differ in the
// number of parts alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/run/history.hpp"
#include "core/run/record.hpp"

namespace warpspy {

struct SpeedUps {
  struct Point {
    double parts = 1;
    double times = 1;       // speed-up: (time on one GPU) / (time over the parts)
    double efficiency = 1;  // speed-up / parts
    double us = 0;          // the median of the runs with so many parts
    std::size_t runs = 1;
    std::shared_ptr<const RunRecord> record = {};  // the run that has the median
  };
  // Runs of one matrix, kernel and condition, divided in one way.
  struct Curve {
    std::string name;           // what distinguishes the curve from the others: "CSR vector, split by metis"
    std::vector<Point> points;  // by rising parts; the first is on one GPU
  };
  std::vector<Curve> curves;     // the largest speed-up first
  std::string conditions;        // what all runs share
  std::size_t without_base = 0;  // good runs over several GPUs that have no run on one GPU beside them

  // The speed-up of a run over several GPUs: against the curve of the runs like it. Nothing if there is none.
  std::optional<double> of(const RunRecord& r) const;
};

// Failed runs are left out. A run on one GPU is the base however the rows are divided.
SpeedUps speed_ups(const std::vector<std::shared_ptr<const RunRecord>>& runs, const Catalog& catalog);

// The saved good runs with that run's matrix, kernel, precision and method, over any number of GPUs.
std::vector<std::shared_ptr<const RunRecord>> saved_runs_like(const SavedRuns& saved, const RunRecord& r);

}  // namespace warpspy
