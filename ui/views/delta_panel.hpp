// Shows the compared runs as a table: every quantity of the baseline, and its change in the other runs.
#pragma once

#include <vector>

#include "ui/views/ui.hpp"

struct ImVec2;

namespace warpspy::ui {

class DeltaPanel {
 public:
  void draw(const AppState& s, Ui& ui, ImVec2 size);

 private:
  std::vector<float> columns_;  // left edges of those of runs, in the frame before
};

}  // namespace warpspy::ui
