#include "app/cli/command.hpp"
#include "app/gui.hpp"

namespace warpspy {

const cli::Command* window_command() { return nullptr; }

int open_window(const std::vector<std::string>&) {
  return cli::report("this build has no window (WARPSPY_GUI=OFF)", {},
                     "use a command, such as warpspy info FILE; warpspy --help lists them", false, 1);
}

}  // namespace warpspy
