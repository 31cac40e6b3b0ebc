// Parts of the tab Matrices.
#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "ui/views/list_keys.hpp"
#include "ui/views/ui.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/table.hpp"

namespace warpspy::ui {

// The table of open matrices, with a row for each. A click shows the matrix; Ctrl and Shift choose several.
class MatrixTable {
 public:
  void draw(const AppState& s, Ui& ui, ImVec2 size);

 private:
  struct Row;
  struct Column;
  static const std::vector<Column>& columns();
  void keys(const AppState& s, Ui& ui, const std::vector<const OpenMatrix*>& listed);
  void click(const AppState& s, Ui& ui, const std::vector<const OpenMatrix*>& listed, std::size_t k);
  void menu(const AppState& s, Ui& ui, const Keys& keys, const OpenMatrix& m);

  ListKeys keys_;
  bool has_keys_ = false, on_names_ = false;  // the table, in the frame before
  MatrixId anchor_ = 0;                       // where a selection with Shift begins
  std::string filter_;
  bool typing_ = false;

 public:
  // The field that filters, as wide as that.
  void filter(const AppState& s, Ui& ui, float width);
};

// The state of a cell as a sign and a word, never by colour alone: "… running".
std::string state_text(CellState state);
Color ink_of(CellState state, const Palette& p);
// Draws words at the right end of a line, from the right to the left.
class RightOf {
 public:
  RightOf(const Look& l, float width);
  bool button(const char* words, Weight weight, const char* help);
  // Draws the progress left of these words, in words and as a bar; below 0: no bar.
  void progress(const std::string& text, Color ink, double share);

 private:
  const Look& l_;
  ImVec2 at_;
  float right_;
};

// Draws the cells of the sweep with their states, and the reasons of failures.
void draw_sweep_cells(const AppState& s, Ui& ui, TableSort& sort, ImVec2 size);
// Draws one line: how far the search for the best kernels is, with buttons to stop or continue it.
void draw_best_line(const AppState& s, Ui& ui, float width);
// Lets the user choose the number of products for which the best kernel is searched: some numbers to click, and a
// field.
class BestFor {
 public:
  void draw(const AppState& s, Ui& ui);  // one line at the cursor
  static float width(const Look& l);

 private:
  std::string text_;
  bool editing_ = false;
};
// Draws the best kernel of each matrix, and why it is best (core/model/best_runs.hpp). Matrices that still wait, or
// failed, stand below. A click on a row selects its run.
void draw_best(const AppState& s, Ui& ui, TableSort& sort, ImVec2 size);
// Draws one line: how far the sweep is, with buttons to stop or continue it.
void draw_sweep_line(const AppState& s, Ui& ui, float width);

}  // namespace warpspy::ui
