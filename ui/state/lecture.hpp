// The lecture that is open: slides in an order, each a state of the desk.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace warpspy::ui {

struct Lecture {
  std::string path;                 // of its file; empty: there is none
  std::vector<std::string> titles;  // of the slides
  std::size_t at = 0;               // the one that is shown
  bool projects = false;            // on the whole screen: a figure, a sentence, a number
  std::string missing;              // why the slide cannot be shown as it was; empty: it is
};

}  // namespace warpspy::ui
