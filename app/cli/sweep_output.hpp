// What comes of a sweep: one table, and figures of it.
#pragma once

#include <string>
#include <vector>

#include "app/cli/figure_options.hpp"
#include "app/wiring.hpp"
#include "core/sweep/stored.hpp"

namespace warpspy::cli {

// Writes table.csv, and line, heatmap, profile and one roofline for each device and precision, as far as there is
// something to show, into the folder. `x`: what the line chart is over; "": what was turned most. Returns the names of
// the files. Throws Error.
std::vector<std::string> write_results(const Sweep& sweep, const StoredSweep& stored, const Services& services,
                                       const Folder& folder, const FigureOptions& look, const std::string& ending,
                                       const std::string& x);

// "250 products cannot run: there is no device cuda:0", the commonest first; of those in one state.
std::vector<std::string> reasons_of(const Sweep& sweep, CellState state);

// "40 s", "12 min", "3.5 h".
std::string duration_text(double seconds);

}  // namespace warpspy::cli
