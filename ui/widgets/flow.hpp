// Places controls side by side; a control without room goes to the next line.
#pragma once

#include <imgui.h>

#include "ui/look/look.hpp"

namespace warpspy::ui {

class Flow {
 public:
  // Begins the first line at a place of the screen, with this width and height of a line, in pixels.
  Flow(ImVec2 at, float width, float line) : at_(at), width_(width), line_(line) {}

  // Returns the place for the next control, from its width and the gap after it.
  ImVec2 next(float wide, float gap) {
    if (x_ > 0 && x_ + wide > width_) x_ = 0, y_ += line_;
    const ImVec2 place(at_.x + x_, at_.y + y_);
    x_ += wide + gap;
    return place;
  }
  float height() const { return y_ + line_; }

 private:
  ImVec2 at_;
  float width_, line_, x_ = 0, y_ = 0;
};

}  // namespace warpspy::ui
