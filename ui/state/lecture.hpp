// The open lecture: slides in order; each is a desk.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace warpspy::ui {

struct Lecture {
  std::string path;                 // path of its file; empty: no lecture is open
  std::vector<std::string> titles;  // of the slides
  std::size_t at = 0;               // the shown slide
  bool projects = false;            // on the whole screen: a figure, a sentence, a number
  std::string missing;              // why the slide cannot be shown as it was; empty: it is
};

}  // namespace warpspy::ui
