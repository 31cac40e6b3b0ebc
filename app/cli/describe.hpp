// Files that a system needs when the program is installed, made from the program's own tables. The build calls warpspy
// describe man|mime|desktop|machine-code.
#pragma once

#include <string>

#include "app/cli/command.hpp"

namespace warpspy::cli {

std::string man_page();       // roff
std::string mime_types();     // shared-mime-info's XML
std::string desktop_entry();  // freedesktop.org's .desktop

// The command is not among commands(), since users do not need it.
const Command& describe_command();

}  // namespace warpspy::cli
