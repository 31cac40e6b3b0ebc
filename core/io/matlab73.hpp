// MATLAB files of version 7.3 are HDF5: matio reads them, in a program of its own (app/readers/matlab.cpp), because it
// and HDF5 below it crash, hang and take memory without bound on damaged files.
#pragma once

#include "core/io/reader.hpp"

namespace warpspy {

// `header`: what was taken from `source` already.
Coo read_matlab73(Source& source, std::string_view header, const ReadLimits& limits, SourceFacts& facts,
                  Progress& progress);

}  // namespace warpspy
