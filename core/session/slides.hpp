// A lecture is one file with desks in order, its slides. A slide is a complete desk, so it does not depend on the
// previous slide.
#pragma once

#include <string>
#include <vector>

#include "core/session/desk.hpp"

namespace warpspy {

struct Slide {
  std::string title;  // one line, shown above the figure
  Desk desk;
};

inline constexpr std::size_t most_slides = 500;

std::string to_json(const std::vector<Slide>& slides);
// Throws Error if the file is no lecture, was cut off, or comes from a newer version. A slide that cannot be read is
// left out, and `remarks` has a sentence about it.
struct SlidesRead {
  std::vector<Slide> slides;
  std::vector<std::string> remarks;
};
SlidesRead slides_from_json(const std::string& text);

// Throws Error, with the file.
SlidesRead load_slides(const std::string& path);

// The ending of a lecture's file name.
inline constexpr const char* slides_ending = ".slides";
inline bool is_slides_name(const std::string& name) { return name.ends_with(slides_ending); }

}  // namespace warpspy
