// Figures of the papers' analyses, and of one run's way through the memory. Pure: data in, Plot out.
#pragma once

#include <memory>
#include <vector>

#include "core/model/analyses.hpp"
#include "core/plot/plot.hpp"

namespace warpspy::plot {

// Bars per kernel (a second scale as marks), or lines over what was turned. Solid: measured, half: derived, hollow:
// modelled. Below it: the formula, with the numbers of the first kernel put in, and what is unavailable and why.
Plot analysis_figure(const AnalysisResult& result, const Theme& theme);

// Lines that say why values are missing, one per reason: "unavailable: C_X of CSR vector: ...".
std::vector<std::string> unavailable_lines(const AnalysisResult& result);

// SM, L1 (and a texture cache apart from it), L2 and DRAM with what flows between them: bytes, GB/s, hit rates. One
// run, or several below each other with the difference to the first in percent. At most three are drawn. Bands are as
// wide as their bytes, on one scale. What is not known is a dashed line, its reason below the figure.
Plot memory_figure(const std::vector<std::shared_ptr<const RunRecord>>& runs, const Theme& theme);

}  // namespace warpspy::plot
