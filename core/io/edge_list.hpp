// Reads lists of edges. Each line has an edge, "FROM TO" or "FROM TO WEIGHT", as SNAP, KONECT, the GAP benchmark,
// networkx and spreadsheets write them. Such a file does not state its form. The reader guesses its form and reports it
// as a warning.
#pragma once

#include <string>
#include <string_view>

#include "core/io/reader.hpp"

namespace warpspy {

// Whether the first line that is no comment, or the line after a line of titles, begins with two whole numbers.
bool looks_edges(std::string_view head);
// Makes a matrix with an entry in row FROM and column TO for each edge; its value is the weight, or 1. The matrix is
// square and as large as the largest number, or rectangular if the edges join two kinds of things. Numbers count from 0
// if a 0 occurs. If comments or options say that edges are undirected, each edge is mirrored, unless the file has both
// directions. Runs in the caller's TBB arena. Throws Error with the line, and Cancelled.
Matrix read_edges(Source& source, const std::string& location, const ReadLimits& limits, Progress& progress);

}  // namespace warpspy
