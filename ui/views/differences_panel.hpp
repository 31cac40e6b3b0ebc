// Tells what differs between the compared runs: a table, and their points on the roofline beside it or below it.
#pragma once

#include "ui/views/delta_panel.hpp"
#include "ui/views/roofline_panel.hpp"
#include "ui/views/ui.hpp"

struct ImVec2;

namespace warpspy::ui {

class DifferencesPanel {
 public:
  // Draws the panel at the cursor. The line between table and roofline begins `rule_above` over the panel.
  void draw(const AppState& s, Ui& ui, ImVec2 size, float rule_above = 0);
  // Whether the roofline has room beside the table in this width.
  static bool beside(const Look& l, float width);

 private:
  DeltaPanel deltas_;
  RooflinePanel roofline_;
};

}  // namespace warpspy::ui
