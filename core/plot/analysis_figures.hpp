// Figures of the papers' analyses, and of one run's traffic between memory levels. They are pure functions from data to
// a Plot.
#pragma once

#include <memory>
#include <vector>

#include "core/model/analyses.hpp"
#include "core/plot/plot.hpp"

namespace warpspy::plot {

// Bars per kernel (a second scale as marks), or lines over a parameter. Solid marks are measured, half-filled derived,
// hollow modelled. Below the figure stand the formula with the numbers of the first kernel, and which values are
// missing, and why.
Plot analysis_figure(const AnalysisResult& result, const Theme& theme);

// Lines that say why values are missing, one per reason: "unavailable: C_X of CSR vector: ...".
std::vector<std::string> unavailable_lines(const AnalysisResult& result);

// SM, L1 (and a texture cache apart from it), L2 and DRAM with what flows between them: bytes, GB/s, hit rates. One
// run, or several below each other with the difference to the first in percent. At most three are drawn. Bands are as
// wide as their bytes, on one scale. An unknown number is a dashed line, with its reason below the figure.
Plot memory_figure(const std::vector<std::shared_ptr<const RunRecord>>& runs, const Theme& theme);

}  // namespace warpspy::plot
