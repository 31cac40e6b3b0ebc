// The printed arrays without what they hold: each is clicked on.
#include <imgui.h>

#include <algorithm>
#include <map>
#include <string>

#include "ui/views/figure_view.hpp"
#include "ui/views/layout_panel.hpp"
#include "ui/views/lesson_controls.hpp"
#include "ui/views/lesson_sheets.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

// As large as they are, but every cell is the same. The matrix itself is no secret.
plot::Plot without_contents(const plot::Plot& printed) {
  plot::Plot all = printed;
  for (plot::Table& table : all.tables) {
    if (table.name == "A") continue;
    table.note.clear();
    for (plot::Table::Cell& cell : table.cells) cell = {"?", false, 0};
  }
  return all;
}

// Of the run's array that the table is a piece of; "" where no kernel reads it.
std::string array_of(const AppState& s, const std::string& table) {
  for (const std::string& name : s.lesson.offer.names)
    if (is_piece_of(table, name)) return name;
  return "";
}

// The box around each table's cells.
std::map<std::size_t, plot::Rect> boxes_of(const plot::Layout& layout) {
  std::map<std::size_t, plot::Rect> boxes;
  for (const auto& c : layout.cells) {
    const auto [at, first] = boxes.try_emplace(c.table, c.rect);
    if (first) continue;
    plot::Rect& box = at->second;
    const double right = std::max(box.right(), c.rect.right()), bottom = std::max(box.bottom(), c.rect.bottom());
    box.x = std::min(box.x, c.rect.x), box.y = std::min(box.y, c.rect.y);
    box.w = right - box.x, box.h = bottom - box.y;
  }
  return boxes;
}

ImVec2 corner(double x, double y) { return {static_cast<float>(x), static_cast<float>(y)}; }

}  // namespace

// Where the arrays are too long to be printed, their names are what is clicked on.
std::string padding_sheet(const AppState& s, Ui& ui, ImVec2 size) {
  const Look& l = ui.look;
  const float names_h = l.u(30) * static_cast<float>(s.lesson.offer.names.size()), width = std::min(size.x, l.u(520));
  const float room = size.y - names_h - l.u(16);
  const bool printed = s.tab == "formats" && s.layout && !s.layout->tables.empty() && room > l.u(140);
  if (!printed) return array_rows(s, ui, width);
  std::string answer = s.lesson.answer;
  const auto chosen = answer_words(answer);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const plot::Plot covered = without_contents(*s.layout);
  const plot::Layout layout = paint_figure(ui, covered, {at.x, at.y, size.x, room});
  auto* list = ImGui::GetWindowDrawList();
  for (const auto& [table, box] : boxes_of(layout)) {
    const std::string name = array_of(s, covered.tables[table].name);
    if (name.empty()) continue;
    ImGui::PushID(static_cast<int>(table));
    ImGui::SetCursorScreenPos(corner(box.x, box.y));
    const bool clicked = ImGui::InvisibleButton("array", corner(std::max(1.0, box.w), std::max(1.0, box.h)));
    show_item(l, "array " + name);
    const bool on = std::find(chosen.begin(), chosen.end(), name) != chosen.end(), hot = ImGui::IsItemHovered();
    if (on || hot)
      list->AddRectFilled(corner(box.x, box.y), corner(box.right(), box.bottom()),
                          u32(l.palette->accent, on ? 0.3f : 0.12f));
    if (clicked) answer = answer_turned(answer, name);
    ImGui::PopID();
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + room + l.u(8)));
  const std::string listed = array_rows(s, ui, width);
  return listed != s.lesson.answer ? listed : answer;
}

}  // namespace warpspy::ui
