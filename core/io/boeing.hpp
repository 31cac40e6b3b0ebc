// Reads Harwell-Boeing files (Duff, Grimes, Lewis: "Users' Guide for the Harwell-Boeing Sparse Matrix Collection",
// 1992) and their successor, Rutherford-Boeing ("The Rutherford-Boeing Sparse Matrix Collection", 1997): compressed
// columns in fixed-width Fortran fields. Assembled matrices of every type and symmetry are read; right-hand sides are
// skipped.
#pragma once

#include "core/io/reader.hpp"

namespace warpspy {

bool looks_boeing(std::string_view head);
Matrix read_boeing(Source& source, const std::string& location, const ReadLimits& limits, Progress& progress);

}  // namespace warpspy
