// Sheets with axes: the roofline without runs, and the row lengths with K.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

#include "core/base/number_text.hpp"
#include "core/plot/figures.hpp"
#include "ui/platform/compat.hpp"
#include "ui/views/figure_view.hpp"
#include "ui/views/lesson_controls.hpp"
#include "ui/views/lesson_ghosts.hpp"
#include "ui/views/lesson_sheets.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

// Only the roofs: neither runs nor values that follow from the matrix.
struct Roofs {
  plot::Layout layout;
  bool held = false, clicked = false;
  Keys keys;
};
Roofs draw_roofs(const AppState& s, Ui& ui, ImVec2 size) {
  const plot::Plot figure =
      plot::roofline_figure(s.roofs, s.roofline_device ? s.roofline_device->name : "", {}, {}, ui.look.figure());
  const ImVec2 at = ImGui::GetCursorScreenPos();
  Roofs r;
  r.clicked = ImGui::InvisibleButton("roofs", ImVec2(std::max(1.f, size.x), std::max(1.f, size.y)));
  r.held = ImGui::IsItemActive();
  show_item(ui.look, "roofs");
  r.layout = paint_figure(ui, figure, {at.x, at.y, size.x, size.y});
  r.keys = key_stop(ui.look, "roofs");
  return r;
}

plot::Point mouse_place() { return {ImGui::GetIO().MousePos.x, ImGui::GetIO().MousePos.y}; }

std::string two_numbers(double intensity, double share) {
  std::ostringstream out;
  out.precision(3);
  out << std::max(1e-6, intensity) << " " << std::clamp(share, 0.1, 100.0);
  return out.str();
}

}  // namespace

std::string point_sheet(const AppState& s, Ui& ui, ImVec2 size) {
  const Roofs r = draw_roofs(s, ui, ImVec2(size.x, std::min(size.y, ui.look.u(460))));
  auto now = point_of_answer(s.lesson.answer);
  std::string answer = s.lesson.answer;
  if (r.held && r.layout.area.contains(mouse_place())) {
    const double x = r.layout.x_of(mouse_place().x), y = r.layout.y_of(mouse_place().y), roof = dram_roof(s, x);
    if (roof > 0) answer = two_numbers(x, 100 * y / roof);
  }
  if (r.keys.has && (r.keys.along || r.keys.down)) {
    const auto [x, share] = now.value_or(std::pair(1.0, 50.0));
    answer = two_numbers(x * std::pow(1.1, r.keys.along), share * std::pow(1.1, -r.keys.down));
  }
  if (now) draw_point_mark(s, ui.look, r.layout, *now, "you");
  return answer;
}

std::string roof_sheet(const AppState& s, Ui& ui, ImVec2 size) {
  const Look& l = ui.look;
  const float names = l.u(28) * static_cast<float>(s.lesson.offer.names.size());
  const Roofs r = draw_roofs(s, ui, ImVec2(size.x, std::clamp(size.y - names, l.u(160), l.u(420))));
  draw_roof_mark(s, l, r.layout, s.lesson.answer, "you");
  const std::string answer = offered_names(s, ui, std::min(size.x, l.u(420)), false);
  if (!r.clicked) return answer;
  const std::string near = roof_at(s, r.layout, mouse_place(), l.u(16));
  const auto& offered = s.lesson.offer.names;
  return std::find(offered.begin(), offered.end(), near) == offered.end() ? answer : near;
}

bool pick_k(const AppState& s, Ui& ui, const plot::Layout& layout, bool held, const Keys& keys) {
  const LessonShown& lesson = s.lesson;
  if (!lesson.step() || lesson.step()->question.kind != "hyb_k") return false;
  if (lesson.revealed) return draw_ghost(s, ui.look, "histogram", layout), false;
  if (!covered(s, Covered::formats) || lesson.offer.past == 0) return false;
  const auto now = number_from<double>(lesson.answer);
  const auto set = [&](double k) {
    const double most = static_cast<double>(lesson.offer.past - 1);
    ui.out(DraftAnswer{std::to_string(static_cast<int>(std::lround(std::clamp(k, 0.0, most)))), lesson.reason});
  };
  if (held && mouse_place().x >= layout.area.x && mouse_place().x <= layout.area.right())
    set(layout.x_of(mouse_place().x));
  if (keys.has && keys.along) set(now.value_or(0) + keys.along);
  if (now) draw_upright(ui.look, layout, *now, "K " + lesson.answer, true);
  return true;
}

}  // namespace warpspy::ui
