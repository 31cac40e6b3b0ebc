// Shows the pattern of the matrix: exact counts of entries per pixel, and single values when zoomed in.
#pragma once

#include <optional>
#include <string>

#include "ui/spy/paint.hpp"
#include "ui/state/cell_cursor.hpp"
#include "ui/views/ui.hpp"
#include "ui/widgets/focus.hpp"

struct ImVec2;

namespace warpspy::ui {

class SpyPanel {
 public:
  // Fills `size` at the cursor with the current matrix.
  void draw(const AppState& s, Ui& ui, ImVec2 size);
  // The same for one of two matrices that are compared: counts alone, with the place, the size and the scale of colours
  // that the panel of `other` has too.
  void draw_beside(const AppState& s, Ui& ui, ImVec2 size, const OpenMatrix& m, const OpenMatrix& other);
  // Where the last frame drew the matrix; empty when it did not. For tests.
  const plot::Rect& view() const { return view_; }

 private:
  void draw(const AppState& s, Ui& ui, ImVec2 size, const OpenMatrix* m, const OpenMatrix* other);
  // Both return the height taken.
  float header(const AppState& s, Ui& ui, const OpenMatrix* m, float width);
  static float header_beside(const AppState& s, Ui& ui, const OpenMatrix& m, const OpenMatrix& other, float width);
  void mouse(const AppState& s, Ui& ui, const SpyScene& scene, const Camera& camera);
  // A click (not a drag) marks the rows of the cell, or removes the marks.
  void pick(const AppState& s, Ui& ui, const SpyScene& scene, const CellCursor& at);
  static std::optional<CellCursor> below_mouse(const SpyScene& scene);
  void hover(const AppState& s, Ui& ui, const SpyScene& scene);
  // The arrows move the cursor from cell to cell, Enter marks its rows, plus and minus zoom there.
  void keys(const AppState& s, Ui& ui, const SpyScene& scene, const Keys& keys);
  std::optional<plot::Point> cursor_at(const SpyScene& scene) const;  // the middle of its entry, on the screen
  void paint_cursor(const AppState& s, Ui& ui, const SpyScene& scene);
  void menu(const AppState& s, Ui& ui, const SpyScene& scene, const Keys& keys);
  void shade_choice(const AppState& s, Ui& ui, ImVec2 at, float width);
  void shade_legend(const AppState& s, Ui& ui, const SpyScene& scene, plot::Rect at, const ShadeLook& run);
  // The GPUs and their colours, at the right end; returns the width taken.
  static float owner_legend(Ui& ui, const RowOwners& owners, plot::Rect at);
  // `most`: the largest value in view. `most_beside`: TileLook's.
  void legend(const AppState& s, Ui& ui, const SpyScene& scene, plot::Rect at, double most, std::uint32_t most_beside);

  plot::Rect view_;
  std::optional<CellCursor> cursor_;  // the cell that the keys have reached, or of the menu
  MatrixId cursor_of_ = 0;
  bool clicked_right_ = false, menu_open_ = false;
  std::optional<plot::Point> box_from_;
  bool panning_ = false;
  std::optional<plot::Point> pressed_;  // where the left button was pressed, while it may still be a click
  std::optional<SetHighlight> before_;  // the marks before the last click: a double click restores them
};

}  // namespace warpspy::ui
