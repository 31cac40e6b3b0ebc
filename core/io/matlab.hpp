// Reads MATLAB files of version 5 and 7.3 (HDF5). It takes the first sparse matrix, or Problem.A as the SuiteSparse
// collection stores it.
#pragma once

#include "core/io/reader.hpp"

namespace warpspy {

bool looks_matlab(std::string_view head);
Matrix read_matlab(Source& source, const std::string& location, const ReadLimits& limits, Progress& progress);

// These throw the errors of both versions: for a damaged file, and for a file that has `contents` in place of a sparse
// matrix.
[[noreturn]] void refuse_matlab(const std::string& reason, const std::string& label);
[[noreturn]] void refuse_no_sparse(const std::string& contents, const std::string& label);

}  // namespace warpspy
