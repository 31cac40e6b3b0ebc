// The open lecture: slides in order; each is a desk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace warpspy::ui {

struct Lecture {
  std::string path;                 // path of its file; empty: no lecture is open
  std::vector<std::string> titles;  // of the slides
  std::size_t at = 0;               // the shown slide
  bool projects = false;            // on the whole screen: a figure, a sentence, a number
  std::string missing;              // why the slide cannot be shown as it was; empty: it is
  std::string tab, source;          // of the shown slide; its title is theirs
  std::set<std::uint64_t> hidden;   // runs of this session that are not the slide's, and are not drawn with it
};

}  // namespace warpspy::ui
