// The table below a search: what each strategy found and what it cost.
#pragma once

#include "ui/views/ui.hpp"
#include "ui/widgets/table.hpp"

namespace warpspy::ui {

class TuneOutcomes {
 public:
  // Draws the table of the present search. A click on a strategy shows its path.
  void draw(const AppState& s, Ui& ui);

 private:
  TableSort sort_;
};

}  // namespace warpspy::ui
