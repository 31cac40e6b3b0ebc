// The window, or one line that says why there is none.
#pragma once

#include <string>
#include <vector>

namespace warpspy {

namespace cli {
struct Command;
}

// Opens the window with the given files. Returns the exit code.
int open_window(const std::vector<std::string>& args);

// The window's options; nullptr in a build without one.
const cli::Command* window_command();

}  // namespace warpspy
