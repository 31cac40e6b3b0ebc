// A line between two parts of the window that can be moved, by mouse or by arrow keys.
#pragma once

#include "ui/look/look.hpp"

struct ImVec2;

namespace warpspy::ui {

// `by` in pixels, to the right or down. reset: a double click, or Enter.
struct SplitterMove {
  float by = 0;
  bool reset = false;
};
// The line runs in the middle of the area. `upright`: it divides left from right.
SplitterMove splitter(const Look& l, const char* id, ImVec2 at, ImVec2 size, bool upright);

}  // namespace warpspy::ui
