// Shows the arrays of the selected format as the papers print them, or shows where their padding is.
#pragma once

#include <string>

#include "core/plot/plot.hpp"
#include "ui/views/ui.hpp"

struct ImVec2;

namespace warpspy::ui {

// Whether a printed table is this array, or a piece of it: "columns, slice 3" is one of columns.
bool is_piece_of(const std::string& table, const std::string& array);

class LayoutPanel {
 public:
  void draw(const AppState& s, Ui& ui, ImVec2 size);
  const plot::Layout& layout() const { return layout_; }  // layout of the last frame, for tests

 private:
  void hover_cells(const AppState& s, Ui& ui, const plot::Plot& figure);
  void mark_selected(const AppState& s, Ui& ui, const plot::Plot& figure) const;
  void hover_bars(Ui& ui, const plot::Plot& figure);
  plot::Layout layout_;
};

}  // namespace warpspy::ui
