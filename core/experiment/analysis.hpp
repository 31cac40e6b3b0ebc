// Runs an analysis (a question about a kernel that needs several runs) as a plan. core/model/analyses.hpp lists the
// analyses and computes their values from the runs.
#pragma once

#include "core/experiment/executor.hpp"
#include "core/model/analyses.hpp"

namespace warpspy {

// Runs the products that the analysis needs and computes its values. Values of a failed run are unavailable, with the
// run's reason. Throws Error for an unknown analysis, kernel or parameter, or when no kernel is suited; Cancelled.
AnalysisResult run_analysis(const AnalysisRequest& request, const Catalog& catalog, Executor& executor,
                            const Matrix& matrix, Progress& progress);

}  // namespace warpspy
