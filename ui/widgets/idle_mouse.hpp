// A mouse that rests while the keys are used marks nothing: of two marked lines in a list one would be wrong.
#pragma once

#include "ui/widgets/focus.hpp"

namespace warpspy::ui {

class IdleMouse {
 public:
  // Call these around all drawing of a frame. Between the two calls ImGui does not know the place of an idle mouse.
  void begin_frame(const Focus& focus);
  void end_frame() const;

 private:
  float x_ = 0, y_ = 0;
  bool idle_ = false;
};

}  // namespace warpspy::ui
