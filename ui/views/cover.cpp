#include "ui/views/cover.hpp"

#include <imgui.h>

#include <string>

#include "ui/views/lesson_sheets.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

bool draw_cover(const AppState& s, const Ui& ui, Covered what) {
  if (!covered(s, what)) return false;
  const Look& l = ui.look;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (room.x >= l.u(300) && room.y >= l.u(90))
    empty_state(l, kCovered, "The lesson asks first. Answer its question and say why: then this shows what is true.");
  else
    caption(l, kCovered);
  return true;
}

void draw_covered_tab(const AppState& s, Ui& ui, const std::string& tab) {
  if (draw_sheet(s, ui, tab)) return;
  if (empty_state(ui.look, kCovered,
                  "The lesson asks first. Answer its question and say why: then this shows what is true.",
                  s.has_matrix() ? "Look at the matrix" : std::string()))
    ui.out(ShowTab{"matrix"});
}

}  // namespace warpspy::ui
