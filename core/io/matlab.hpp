// MATLAB files of version 5 and 7.3 (HDF5), through matio: the first sparse matrix, or Problem.A as the SuiteSparse
// collection stores it.
#pragma once

#include "core/io/reader.hpp"

namespace warpspy {

bool looks_matlab(std::string_view head);
Matrix read_matlab(Source& source, const std::string& location, const ReadLimits& limits, Progress& progress);

}  // namespace warpspy
