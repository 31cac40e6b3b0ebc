// What a rule wants tried, as changes of a request that can run.
#pragma once

#include <string>
#include <vector>

#include "core/diagnosis/evidence.hpp"
#include "core/diagnosis/remedies.hpp"
#include "core/run/finding.hpp"

namespace warpspy {

// What remedies are on this run's device and for its operation, in order; each once, and without the run itself.
// Kernels are found in the catalog. Whether a format takes the matrix is known when the change is run (predict.hpp).
std::vector<Change> changes_of(const std::vector<Remedy>& remedies, const Evidence& e);

// The run's request with the change; `matrix` is the reordered one's source where the change reorders.
RunRequest with_change(const RunRequest& request, const Change& change);

// Whether `later` is what the change asked for: same matrix, device, precision and caches; kernel and parameters as
// changed. False for a change that reorders.
bool answers(const RunRecord& later, const RunRecord& run, const Change& change);

}  // namespace warpspy
