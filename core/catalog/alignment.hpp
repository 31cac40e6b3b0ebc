// Rows that a format adds below the matrix's last row, so that the columns of its arrays begin aligned.
#pragma once

#include <string>

#include "core/catalog/catalog.hpp"

namespace warpspy {

// "8 rows are stored as 32 (row alignment): 75 % of the slots lie below the last row"; empty if these rows are few, or
// the format adds none.
std::string alignment_note(const FormatInfo& format, const ParamSet& params, index_t rows);

}  // namespace warpspy
