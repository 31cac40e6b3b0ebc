// Reads the graph files of METIS (Karypis: "METIS, Version 5.0, Manual", section 4.1), which the 10th DIMACS challenge
// and others use too. They have a header, then one line of neighbours for each vertex.
#pragma once

#include <string>
#include <string_view>

#include "core/io/reader.hpp"

namespace warpspy {

// Whether the first line that is no comment has the two to four numbers of a header.
bool looks_metis(std::string_view head);
// Returns the adjacency matrix. Its values are the edge weights; without weights it is a pattern. Weights and sizes of
// vertices are skipped, with a warning. Each edge must stand at both of its ends with the same weight, and the header
// must have the number of edges; otherwise the file is refused. Runs in the caller's TBB arena. Throws Error with the
// line, and Cancelled.
Matrix read_metis(Source& source, const std::string& location, const ReadLimits& limits, Progress& progress);

}  // namespace warpspy
