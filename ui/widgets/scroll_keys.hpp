// Scrolls parts of the window by keys.
#pragma once

#include <string>

#include "ui/look/look.hpp"

namespace warpspy::ui {

// Scrolls the current window, which belongs to `panel`, by keys that no control uses: PgUp and PgDn, Home and End, and
// arrows if no control has the focus. `strip` is the panel of the tab names.
void scroll_by_keys(const Look& l, const std::string& panel, const std::string& strip);

}  // namespace warpspy::ui
