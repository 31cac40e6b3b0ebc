// Whether a frame shows anything new.
#pragma once

#include <cstdint>

struct ImDrawData;

namespace warpspy::ui {

// Remembers what was painted last. Most frames that settle hover and layout, and most of what a mouse does on empty
// ground, look like the frame before: painting them takes a processor most of its time where OpenGL is software.
class Picture {
 public:
  // Whether `data` looks other than what was asked about before. `beside`: what its look depends on besides, such as
  // the colour beneath and how many textures were made, since a name that was freed comes back with other pixels.
  bool changes_to(const ImDrawData& data, std::uint64_t beside);
  void forget() { known_ = false; }  // the next one is new

 private:
  bool known_ = false;
  std::uint64_t last_ = 0;
};

}  // namespace warpspy::ui
