// A paper's table made again: every printed number against ours. A pure function from data to a Plot.
#pragma once

#include "core/plot/plot.hpp"
#include "core/study/report.hpp"

namespace warpspy::plot {

// Numbers above 0 on axes of powers of ten: on the line they are as printed. A mark for each cell, its shape says the
// verdict; hollow: modelled, solid: measured. Series::ids: the cell, from 1; 0 of lines. Orders and winners have no
// number to place: they, and all else, stand in Plot::rows.
Plot study_figure(const StudyReport& report, const Theme& theme);

}  // namespace warpspy::plot
