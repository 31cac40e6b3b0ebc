// What a frame shows that the one before did not, and how only that is painted.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ui/window/changed_tiles.hpp"

struct ImDrawData;

namespace warpspy::ui {

struct PaintedList;  // a draw list as it was

// Remembers what was painted last. Most frames that settle hover and layout, and most of what a mouse does on empty
// ground, look like the frame before; the rest differ in a few lines of text. Painting all of them takes a processor
// most of its time where OpenGL is software.
class Picture {
 public:
  Picture();
  ~Picture();

  // The parts in which `data` looks other than what was asked about before; none: nothing is new. Its look depends on
  // the colour beneath, too, and on how many textures were made: a name that was freed comes back with other pixels, so
  // then all that is drawn with textures but the glyphs' is new.
  std::vector<PixelBox> changes_to(const ImDrawData& data, std::uint32_t ground, std::uint64_t textures_made);
  void forget() { known_ = false; }  // all of the next one is new
  // These were not painted: they are new in the next one, too.
  void owe(std::vector<PixelBox> boxes) { owed_ = std::move(boxes); }

 private:
  bool known_ = false;
  std::uint32_t ground_ = 0;
  std::uint64_t textures_made_ = 0;
  float place_[6] = {};  // of the display: its corner, size and scale
  std::vector<PixelBox> owed_;
  std::vector<PaintedList> last_, next_;  // kept, since their memory is
};

// All of the framebuffer.
PixelBox whole(const ImDrawData& data);

// As long as it lives, `data` holds only what touches the boxes, clipped to them. As ImGui's renderer for OpenGL 3
// takes it, and for framebuffers as fine as the window.
class Part {
 public:
  Part(ImDrawData& data, const std::vector<PixelBox>& boxes);
  ~Part();
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

 private:
  struct Left;  // what a draw list held
  ImDrawData& data_;
  std::vector<Left> left_;
};

}  // namespace warpspy::ui
