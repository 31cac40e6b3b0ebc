// Scrolling by keys.
#pragma once

#include <string>

#include "ui/look/look.hpp"

namespace warpspy::ui {

// Scrolls the current window, that of `panel`, by the keys that no control has a use for: PgUp and PgDn, Home and End,
// and the arrows where none has the keys. `strip` is the panel of the words that chose it.
void scroll_by_keys(const Look& l, const std::string& panel, const std::string& strip);

}  // namespace warpspy::ui
