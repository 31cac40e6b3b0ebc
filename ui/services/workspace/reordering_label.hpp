// The name of a reordering for people.
#pragma once

#include <string>

namespace warpspy::ui {

std::string reordering_label(const std::string& id);  // the id itself if no reordering has it

}  // namespace warpspy::ui
