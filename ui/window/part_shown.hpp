// Copies only a part of what was painted to the screen, if the system can do that.
#pragma once

#include <memory>

#include "ui/window/changed_tiles.hpp"

namespace warpspy::ui {

// Swapping hands over the whole window, and nobody says what is painted over afterwards. On X11, Mesa's software
// renderer copies a part of it instead, and what was painted stays as it is (GLX_MESA_copy_sub_buffer). There painting
// takes most of the time: at 1280x800 on two cores, while the mouse moves over everything, a frame is painted and shown
// in 5 ms and 6 ms of processor time, where all of it is in 26 ms and 19 ms (medians, and means of 250 frames).
class PartShown {
 public:
  virtual ~PartShown() = default;
  // `height`: of the framebuffer, since OpenGL counts from below.
  virtual void show(const PixelBox& box, int height) = 0;
};
// For the current context. nullptr: it cannot show parts, or paints by hardware.
std::unique_ptr<PartShown> find_part_shown();

}  // namespace warpspy::ui
