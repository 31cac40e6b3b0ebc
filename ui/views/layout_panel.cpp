#include "ui/views/layout_panel.hpp"

#include <imgui.h>

#include <algorithm>

#include "ui/views/figure_view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

void LayoutPanel::draw(const AppState& s, Ui& ui, ImVec2 size) {
  const Look& l = ui.look;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  layout_ = {};
  const bool printed = s.layout && !s.layout->tables.empty();
  heading(l, printed ? "Arrays" : "Padding",
          printed
              ? "The arrays as the papers print them, rows of the matrix downwards; * is padding.\nPoint at an entry "
                "to see where else it is kept."
              : "Slots per row, in groups of rows as the format orders them: what holds an entry, what is padding, "
                "and what is kept elsewhere. The arrays themselves are printed for small matrices.");
  const float top = origin.y + l.u(24);
  ImGui::SetCursorScreenPos(ImVec2(origin.x, top));
  if (!s.layout) {
    if (s.layout_problem.empty())
      empty_state(l, s.current() ? "Laying out" : "No arrays yet", "");
    else
      empty_state(l, "No picture", s.layout_problem);
    return;
  }
  const plot::Rect frame{origin.x, top, size.x, std::max(1.f, size.y - l.u(24))};
  ImGui::InvisibleButton("layout", ImVec2(std::max(1.f, size.x), static_cast<float>(frame.h)));
  const bool hovered = ImGui::IsItemHovered();
  if (hovered && ImGui::IsMouseClicked(1)) ui.out(ShowExport{"layout"});
  layout_ = paint_figure(ui, *s.layout, frame);
  if (hovered) printed ? hover_cells(ui, *s.layout) : hover_bars(ui, *s.layout);
}

void LayoutPanel::hover_cells(Ui& ui, const plot::Plot& figure) {
  const Look& l = ui.look;
  const plot::Point p{ImGui::GetIO().MousePos.x, ImGui::GetIO().MousePos.y};
  const auto below =
      std::find_if(layout_.cells.begin(), layout_.cells.end(), [&](const auto& c) { return c.rect.contains(p); });
  if (below == layout_.cells.end()) return;
  const auto& table = figure.tables[below->table];
  const auto& cell = table.cells[below->cell];
  auto* list = ImGui::GetWindowDrawList();
  for (const auto& c : layout_.cells) {
    const auto tag = figure.tables[c.table].cells[c.cell].tag;
    if (&c != &*below && (tag == 0 || tag != cell.tag)) continue;
    list->AddRect(ImVec2(static_cast<float>(c.rect.x), static_cast<float>(c.rect.y)),
                  ImVec2(static_cast<float>(c.rect.right()), static_cast<float>(c.rect.bottom())),
                  u32(l.palette->highlight), 0, 0, std::max(1.5f, 2 * l.scale));
  }
  std::vector<CardRow> rows = {{"array", table.name, {}}, {"holds", cell.padding ? "padding" : cell.text, {}}};
  if (cell.tag != 0) rows.push_back({"marked", "the same entry", l.palette->highlight});
  card(l, "", rows);
}

void LayoutPanel::hover_bars(Ui& ui, const plot::Plot& figure) {
  const Look& l = ui.look;
  const plot::Point p{ImGui::GetIO().MousePos.x, ImGui::GetIO().MousePos.y};
  if (!layout_.area.contains(p)) return;
  for (const auto& [r, k] : layout_.bars) {
    if (p.x < r.x || p.x >= r.right() || k >= figure.rows.size()) continue;
    const auto& row = figure.rows[k];  // first_row, rows, entries, padding, rest
    ImGui::GetWindowDrawList()->AddRectFilled(
        ImVec2(static_cast<float>(r.x), static_cast<float>(layout_.area.y)),
        ImVec2(static_cast<float>(r.right()), static_cast<float>(layout_.area.bottom())), u32(l.palette->ink, 0.08f));
    const auto count = [&](std::size_t c) { return count_text(std::stoll(row[c])); };
    std::vector<CardRow> rows = {{"rows", count(1), {}}, {"entries", count(2), {}}, {"padding", count(3), {}}};
    if (row[4] != "0") rows.push_back({"elsewhere", count(4), {}});
    card(l, "", rows);
    return;
  }
}

}  // namespace warpspy::ui
