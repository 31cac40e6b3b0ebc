// The window, or one line that says why there is none.
#pragma once

#include <string>
#include <vector>

namespace warpspy {

// Opens the window with the given files. Returns the exit code.
int open_window(const std::vector<std::string>& args);

}  // namespace warpspy
