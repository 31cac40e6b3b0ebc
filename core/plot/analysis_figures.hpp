// Figures of the papers' analyses, and of one run's traffic between memory levels. They are pure functions from data to
// a Plot.
#pragma once

#include <memory>
#include <vector>

#include "core/model/analyses.hpp"
#include "core/plot/plot.hpp"

namespace warpspy::plot {

// Draws an analysis as bars for each kernel (values of a second scale are marks), or as lines over a parameter. Solid
// marks are measured, half-filled ones derived, hollow ones modelled. Below the figure stand the formula with the
// numbers of the first kernel, and which values are missing, and why.
Plot analysis_figure(const AnalysisResult& result, const Theme& theme);

// Lines that say why values are missing, one per reason: "unavailable: C_X of CSR vector: ...".
std::vector<std::string> unavailable_lines(const AnalysisResult& result);

// Draws SM, L1 (and a separate texture cache), L2 and DRAM with the traffic between them: bytes, GB/s, hit rates. At
// most three runs are drawn, one below the other, with the difference to the first in percent. Bands are as wide as
// their bytes, on one scale. An unknown number is a dashed line, with its reason below the figure.
Plot memory_figure(const std::vector<std::shared_ptr<const RunRecord>>& runs, const Theme& theme);

}  // namespace warpspy::plot
