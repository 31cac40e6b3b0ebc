// The compared runs as a table: every quantity of the baseline, and what became of it in the others.
#pragma once

#include "ui/views/ui.hpp"

struct ImVec2;

namespace warpspy::ui {

class DeltaPanel {
 public:
  void draw(const AppState& s, Ui& ui, ImVec2 size);
};

}  // namespace warpspy::ui
