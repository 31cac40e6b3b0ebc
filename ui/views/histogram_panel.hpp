// Shows the histogram of the row lengths; a clicked bar marks its rows in the spy plot.
#pragma once

#include "core/plot/plot.hpp"
#include "ui/views/ui.hpp"

struct ImVec2;

namespace warpspy::ui {

class HistogramPanel {
 public:
  void draw(const AppState& s, Ui& ui, ImVec2 size);
  void draw(const AppState& s, Ui& ui, ImVec2 size, const OpenMatrix* m);
  const plot::Layout& layout() const { return layout_; }  // layout of the last frame, for tests

 private:
  float header(const AppState& s, Ui& ui, const OpenMatrix* m, float width);  // the height taken
  static void step(const AppState& s, Ui& ui, const plot::Plot& figure, int by);
  void mouse(bool hovered, const AppState& s, Ui& ui, const OpenMatrix* m, const plot::Plot& figure);
  plot::Layout layout_;
};

}  // namespace warpspy::ui
