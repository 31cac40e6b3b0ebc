// Writes the results of a sweep, a table and figures, and prints how it stands.
#pragma once

#include <cstddef>
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

// Prints lines on standard error, each as the program's own, and how many more there are.
void tell_lines(const std::vector<std::string>& lines, std::size_t most = 8);

// Prints how the sweep stands, its reasons and the files that were written; with `json` {"schema": "warpspy-sweep-1"}.
void print_end(const Sweep& sweep, const std::string& folder, const std::vector<std::string>& files, bool json);
// The exit code of commands about a sweep: 0 all done, 1 some failed, 3 some have yet to run.
int code_of(const SweepCounts& counts);

}  // namespace warpspy::cli
