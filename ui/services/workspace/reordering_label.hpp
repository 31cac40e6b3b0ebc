// How a reordering is called.
#pragma once

#include <string>

namespace warpspy::ui {

std::string reordering_label(const std::string& id);  // the id itself where there is no such row

}  // namespace warpspy::ui
