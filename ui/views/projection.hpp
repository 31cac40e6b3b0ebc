// Shows a slide of a lecture on the whole screen, for a projector: a figure, its sentence and its number.
#pragma once

#include "ui/figures/figure.hpp"
#include "ui/views/ui.hpp"

namespace warpspy::ui {

class Projection {
 public:
  void draw(const AppState& s, Ui& ui);

 private:
  std::shared_ptr<const plot::Plot> figure_of_tab(const AppState& s);

  std::optional<Drawing> drawing_;  // of plot_
  std::shared_ptr<const plot::Plot> plot_;
};

}  // namespace warpspy::ui
