// Draws a part of a tab, with a header of its own.
#pragma once

#include "ui/look/look.hpp"

struct ImVec2;

namespace warpspy::ui {

// Begins it at a place of the screen; end it with end_child(). What stands in its header may reach a little above
// it.
void begin_panel(const Look& l, const char* id, ImVec2 at, ImVec2 size);

// The room of a tab whose parts need at least this height at 100 %. With less room the tab scrolls (ViewRow::scrolls).
ImVec2 room_at_least(const Look& l, float height);

}  // namespace warpspy::ui
