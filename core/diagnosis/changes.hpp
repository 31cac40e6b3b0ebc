// Turns what a rule suggests into changes of a request that can run.
#pragma once

#include <string>
#include <vector>

#include "core/diagnosis/evidence.hpp"
#include "core/diagnosis/remedies.hpp"
#include "core/run/finding.hpp"

namespace warpspy {

// The changes that remedies mean for this run's device and operation, in order; each once, and without the run itself.
// Kernels come from the catalog. Only running a change shows whether its format can store the matrix (predict.hpp).
std::vector<Change> changes_of(const std::vector<Remedy>& remedies, const Evidence& e);

// Whether this kernel is itself what the remedy asks for, whatever its parameters.
bool does_already(const Remedy& remedy, const KernelInfo& own);

// The run's request with the change; if the change reorders rows, `matrix` is the source of the reordered matrix.
RunRequest with_change(const RunRequest& request, const Change& change);

// Whether the run `later` did what the change suggests: same matrix, device, precision and caches; kernel and
// parameters as changed. False for a change that reorders.
bool answers(const RunRecord& later, const RunRecord& run, const Change& change);

}  // namespace warpspy
