// Writes the results of a sweep: a table and figures.
#pragma once

#include <string>
#include <vector>

#include "app/cli/figure_options.hpp"
#include "app/wiring.hpp"
#include "core/sweep/stored.hpp"

namespace warpspy::cli {

// Writes table.csv and the figures that have something to show into the folder: line, heatmap, profile, and a roofline
// for each device and precision. `x`: the axis of the line chart; "": the axis with the most values. Returns the names
// of the files. Throws Error.
std::vector<std::string> write_results(const Sweep& sweep, const StoredSweep& stored, const Services& services,
                                       const Folder& folder, const FigureOptions& look, const std::string& ending,
                                       const std::string& x);

// Reasons of the cells in one state, such as "250 products cannot run: there is no device cuda:0". The most common
// comes first.
std::vector<std::string> reasons_of(const Sweep& sweep, CellState state);

// A duration in words: "40 s", "12 min", "3.5 h".
std::string duration_text(double seconds);

}  // namespace warpspy::cli
