// Draws a paper's printed numbers against the numbers that this program makes for them. It is a pure function from data
// to a Plot.
#pragma once

#include "core/plot/plot.hpp"
#include "core/study/report.hpp"

namespace warpspy::plot {

// Each number above 0 is a mark on logarithmic axes; a mark on the diagonal line equals the printed number. The mark's
// shape tells the verdict; hollow marks are modelled, solid ones measured. Series::ids: the cell, from 1; 0 of lines.
// Orders and winners have no number to place: they, and all else, stand in Plot::rows.
Plot study_figure(const StudyReport& report, const Theme& theme);

}  // namespace warpspy::plot
