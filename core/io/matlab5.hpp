// MATLAB files of version 5, read from front to back, once. The layout is public (MAT-File Format, chapter 1): elements
// of a type, a size and data; variables are elements of elements, each perhaps compressed as a whole.
#pragma once

#include "core/io/reader.hpp"

namespace warpspy {

// `source` stands behind the header of 128 bytes; `swapped`: the numbers have the other byte order. Every variable is
// looked through to its end, so that a file that is cut short or damaged is not half-read.
Coo read_matlab5(Source& source, bool swapped, const ReadLimits& limits, SourceFacts& facts, Progress& progress);

}  // namespace warpspy
