// An analysis as a plan: its runs are trials, its report is core/model/analyses.hpp.
#pragma once

#include "core/experiment/executor.hpp"
#include "core/model/analyses.hpp"

namespace warpspy {

// Runs what the analysis needs and values it. A run that fails leaves its values unavailable, with its reason. Throws
// Error for an unknown analysis, kernel or parameter, or when no kernel is suited; Cancelled.
AnalysisResult run_analysis(const AnalysisRequest& request, const Catalog& catalog, Executor& executor,
                            const Matrix& matrix, Progress& progress);

}  // namespace warpspy
