// Reads MATLAB files of version 5, once from front to back. The layout is public (MAT-File Format, chapter 1): an
// element has a type, a size and data. A variable is an element that contains elements, and may be compressed as a
// whole.
#pragma once

#include "core/io/reader.hpp"

namespace warpspy {

// `source` begins after the header of 128 bytes; `swapped`: the numbers have the other byte order. Every variable is
// read to its end, so that a file that is cut off or damaged is refused.
Coo read_matlab5(Source& source, bool swapped, const ReadLimits& limits, SourceFacts& facts, Progress& progress);

}  // namespace warpspy
