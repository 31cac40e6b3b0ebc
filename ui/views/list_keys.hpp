// A place in a list that the arrow keys move, for lists below a text field.
#pragma once

#include "ui/look/look.hpp"

namespace warpspy::ui {

class ListKeys {
 public:
  int at() const { return at_; }
  void put(int at) { at_ = at, moved_ = true; }
  // Arrows, PgUp, PgDn, Home and End of this frame, unless another control has them; kept within `count`. `page`: rows
  // of a page. Home and End only with Ctrl: a text field has them for itself. `own`: the list has the keys.
  void take(const Look& l, int count, int page, bool own = false);
  // It moved with Shift in the last take(). Shift itself may be up again by then.
  bool extends() const { return extends_; }
  // Scrolls the current window so that the place is seen, in the frame in which it moved.
  void follow(float row_height);

 private:
  int at_ = 0;
  bool moved_ = false, extends_ = false;
};

}  // namespace warpspy::ui
