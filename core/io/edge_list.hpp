// Lists of edges, or of triplets: one line each, "FROM TO" or "FROM TO WEIGHT", as SNAP, KONECT, the GAP benchmark,
// networkx and spreadsheets write them. Such a file does not say what it is. The reader guesses its form and reports it
// as a warning.
#pragma once

#include <string>
#include <string_view>

#include "core/io/reader.hpp"

namespace warpspy {

// Whether the first line that is no comment, or the line after a line of titles, begins with two whole numbers.
bool looks_edges(std::string_view head);
// Row FROM, column TO, weight or 1. A square matrix of the largest number (a rectangular one where the lines are said
// to join two kinds of things), counted from 0 where a 0 occurs. If comments or options say that edges are undirected,
// each edge is mirrored, unless the file has both directions. Runs in the caller's TBB arena. Throws Error with the
// line, and Cancelled.
Matrix read_edges(Source& source, const std::string& location, const ReadLimits& limits, Progress& progress);

}  // namespace warpspy
