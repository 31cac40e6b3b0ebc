// Whether a MATLAB file of version 5 is whole: the library that reads it takes what is left of one that was cut short
// or damaged, and says nothing.
#pragma once

#include <string>

#include "core/jobs/progress.hpp"

namespace warpspy {

// Every element lies within the file, and every compressed one unpacks to its end with the right check sum. Throws
// Error
// (`label`) and Cancelled. Other versions are left alone.
void check_matlab_file(const std::string& path, const std::string& label, Progress& progress);

}  // namespace warpspy
