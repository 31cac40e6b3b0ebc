// A cursor in a list, which the arrow keys move, for lists below a text field.
#pragma once

#include "ui/look/look.hpp"

namespace warpspy::ui {

class ListKeys {
 public:
  int at() const { return at_; }
  void put(int at) { at_ = at, moved_ = true; }
  // Arrows, PgUp, PgDn, Home and End of this frame, unless another control has them; kept within `count`. `page`: rows
  // of a page. Home and End count only with Ctrl, since the text field uses them. `own`: the list has the keys.
  void take(const Look& l, int count, int page, bool own = false);
  // Whether an arrow of this frame came with Shift: items that the cursor passes are chosen too.
  bool extends() const { return extends_; }
  // Scrolls the current window so that the cursor is visible, in the frame in which it moved.
  void follow(float row_height);

 private:
  int at_ = 0;
  bool moved_ = false, extends_ = false;
};

}  // namespace warpspy::ui
