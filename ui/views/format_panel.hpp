// Shows one storage format: its sliders, its bytes by kind, and other facts.
#pragma once

#include "ui/views/ui.hpp"

namespace warpspy::ui {

class FormatPanel {
 public:
  // Draws the panel from the cursor down, over the remaining width.
  void draw(const AppState& s, Ui& ui);
};

// Bytes of an estimate by what they hold; they add up to its bytes.
struct KindBytes {
  double values = 0, indices = 0, pointers = 0, padding = 0;
};
KindBytes kind_bytes(const FormatInfo& info, const Estimate& e, index_t cols, Precision precision);

}  // namespace warpspy::ui
