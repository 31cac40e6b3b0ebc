// Boxes in rows that are picked: one stop of Tab, the arrows go from box to box, Enter or Space turns one. With the
// mouse a click turns one, and a drag makes all that it crosses as the first.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "ui/look/look.hpp"
#include "ui/widgets/focus.hpp"

namespace warpspy::ui {

struct PickGrid {
  std::size_t count = 0;
  std::size_t across = 1;  // boxes from one row to the next
  bool upwards = false;    // rows are counted from below
  bool drags = true;       // a drag turns several
  std::function<Focus::Area(std::size_t)> box;
  std::function<std::string(std::size_t)> name;  // name of each item
  std::function<bool(std::size_t)> on;
};
// Draws nothing but the ring of the keys. What was turned in this frame, in the area from..to that holds all boxes.
std::vector<std::size_t> pick_grid(const Look& l, const char* id, Focus::Area all, const PickGrid& grid);

}  // namespace warpspy::ui
