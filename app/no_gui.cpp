#include "app/cli/command.hpp"
#include "app/gui.hpp"
#include "core/base/types.hpp"

namespace warpspy {

const cli::Command* window_command() { return nullptr; }

int report(CLI::App&, std::vector<std::string>) {
  throw Error("this build has no window (WARPSPY_GUI=OFF), and a report is of what it shows", {},
              "spy, histogram, roofline and their like draw one figure each");
}

int open_window(const std::vector<std::string>&) {
  return cli::report("this build has no window (WARPSPY_GUI=OFF)", {},
                     "use a command, such as warpspy info FILE; warpspy --help lists them", false, 1);
}

}  // namespace warpspy
