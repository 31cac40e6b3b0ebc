#include "ui/views/cover.hpp"

#include <imgui.h>

#include <algorithm>
#include <string>

#include "ui/views/lesson_controls.hpp"
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
  const Look& l = ui.look;
  if (tab != "warp" || s.lesson.step()->question.kind != "lanes") {
    if (empty_state(l, kCovered,
                    "The lesson asks first. Answer its question and say why: then this shows what is true.",
                    s.has_matrix() ? "Look at the matrix" : std::string()))
      ui.out(ShowTab{"matrix"});
    return;
  }
  heading(l, "Warp", "The 32 lanes of the warp that the lesson asks for. What they do is covered until you predict.");
  gap(l, 4);
  {
    const FontScope font(*l.fonts, Face::ui, 13);
    paragraph(l, l.palette->ink, s.lesson.step()->question.ask);
  }
  caption(l, "Click on lanes, or drag over them. What they ask for is covered until you predict.");
  gap(l, 8);
  const float width = std::min(ImGui::GetContentRegionAvail().x, l.u(520));
  const std::string answer = lane_boxes(l, width, s.lesson.answer);
  if (answer != s.lesson.answer) ui.out(DraftAnswer{answer, s.lesson.reason});
}

}  // namespace warpspy::ui
