// A table of a run's counters, from the hardware or from the emulator.
#pragma once

#include "ui/views/ui.hpp"
#include "ui/widgets/table.hpp"

namespace warpspy::ui {

class CounterTable {
 public:
  // Draws the table, with its heading. A click copies a counter.
  void draw(const AppState& s, Ui& ui, const RunRecord& r);

 private:
  TableSort sort_;
};

}  // namespace warpspy::ui
