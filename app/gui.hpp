// Opens the window. In a build without a window, prints a line that says so.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace warpspy {

namespace cli {
struct Command;
}

// Opens the window with the given files. Returns the exit code.
int open_window(const std::vector<std::string>& args);

// The command `report`: writes what the window can export of a session, without a window. In a build without a window
// it prints a line on that.
int report(CLI::App& app, std::vector<std::string> args);

// The window's options; nullptr in a build without one.
const cli::Command* window_command();

}  // namespace warpspy
