// What a system wants to know of the program when it is installed, made from the program's own tables. The build asks
// for it: warpspy describe man|mime|desktop|machine-code.
#pragma once

#include <string>

#include "app/cli/command.hpp"

namespace warpspy::cli {

std::string man_page();       // roff
std::string mime_types();     // shared-mime-info's XML
std::string desktop_entry();  // freedesktop.org's .desktop

// Not in commands(): of no use to users.
const Command& describe_command();

}  // namespace warpspy::cli
