// Shows the roofline of the chosen device with the runs made on it.
#pragma once

#include "core/plot/plot.hpp"
#include "ui/views/ui.hpp"

struct ImVec2;

namespace warpspy::ui {

class RooflinePanel {
 public:
  void draw(const AppState& s, Ui& ui, ImVec2 size);
  const plot::Layout& layout() const { return layout_; }

 private:
  void mouse(const AppState& s, Ui& ui, const plot::Plot& figure);
  void step(const AppState& s, Ui& ui, int along);
  static void run_items(const AppState& s, Ui& ui);
  void zoom(const AppState& s, Ui& ui);
  plot::Layout layout_;
  bool panning_ = false;
};

// The name and colour of a memory level, the same in all views.
const char* name_of(Level level);
Color color_of(Level level);
// The rows of the tooltip of one roofline point.
std::string point_text(const RooflinePoint& p);

}  // namespace warpspy::ui
