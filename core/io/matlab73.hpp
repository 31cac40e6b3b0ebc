// MATLAB files of version 7.3 are HDF5 files. The library matio reads them in a program of its own
// (app/readers/matlab.cpp), because matio and HDF5 may crash, hang, or take too much memory on damaged files.
#pragma once

#include "core/io/reader.hpp"

namespace warpspy {

// `header`: bytes that were read from `source` already.
Coo read_matlab73(Source& source, std::string_view header, const ReadLimits& limits, SourceFacts& facts,
                  Progress& progress);

}  // namespace warpspy
