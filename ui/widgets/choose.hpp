// Drop-downs: lists to choose from, by mouse or by keys; typed letters filter the list.
#pragma once

#include <string>
#include <vector>

#include "ui/look/look.hpp"

namespace warpspy::ui {

struct Choice {
  std::string label, note;  // note: small, below the label in the list
  bool enabled = true;
  std::string help;
  std::string group = {};  // choices of one group stand together below its name
};
// Draws a drop-down over the full width; returns the picked index, or -1.
int choose(const Look& l, const char* id, const std::vector<Choice>& choices, int chosen);

// Draws the words side by side as segments (ui/widgets/controls.hpp), or, if these have no room, as a list. Returns the
// picked index, or -1.
int segments_or_list(const Look& l, const char* id, const std::vector<std::string>& words, int chosen, float room);
// Returns the width of that control.
float segments_or_list_width(const Look& l, const std::vector<std::string>& words, float room);

// The choices whose label, note and group contain every word, in their order; without words all. Upper and lower case
// count the same.
std::vector<int> filtered(const std::vector<Choice>& choices, const std::string& words);

}  // namespace warpspy::ui
