// Finds what differs between a frame and the previous one, and paints only that.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ui/window/changed_tiles.hpp"

struct ImDrawData;

namespace warpspy::ui {

struct PaintedList;  // a draw list as it was

// Remembers what was painted last. Most frames look like the previous one, or differ in a few lines of text. If OpenGL
// runs in software, painting every frame completely would take most of a processor's time.
class Picture {
 public:
  Picture();
  ~Picture();

  // The parts in which `data` looks different from the last call's data; empty: nothing is new. The look also depends
  // on the background colour, and on how many textures were made: the name of a freed texture may return with other
  // pixels. So after a new texture, everything drawn with textures, except glyphs, is new.
  std::vector<PixelBox> changes_to(const ImDrawData& data, std::uint32_t ground, std::uint64_t textures_made);
  void forget() { known_ = false; }  // the whole next frame is new
  // These boxes were not painted: they are new in the next frame too.
  void owe(std::vector<PixelBox> boxes) { owed_ = std::move(boxes); }

 private:
  bool known_ = false;
  std::uint32_t ground_ = 0;
  std::uint64_t textures_made_ = 0;
  float place_[6] = {};  // corner, size and scale of the display
  std::vector<PixelBox> owed_;
  std::vector<PaintedList> last_, next_;  // kept to use their memory again
};

// All of the framebuffer.
PixelBox whole(const ImDrawData& data);

// While it lives, `data` has only what touches the boxes, clipped to them. It is made for ImGui's renderer for OpenGL
// 3, and for framebuffers with as many pixels as the window.
class Part {
 public:
  Part(ImDrawData& data, const std::vector<PixelBox>& boxes);
  ~Part();
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

 private:
  struct Left;  // the sizes of a draw list, to restore it
  ImDrawData& data_;
  std::vector<Left> left_;
};

}  // namespace warpspy::ui
