#include "ui/views/layout_panel.hpp"

#include <imgui.h>

#include <algorithm>

#include "ui/views/figure_view.hpp"
#include "ui/views/lesson_ghosts.hpp"
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
  layout_ = paint_figure(ui, *s.layout, frame);
  figure_stop(ui, *s.layout, "layout");
  mark_selected(s, ui, *s.layout);
  draw_ghost(s, l, "layout", layout_, s.layout.get());
  if (hovered) printed ? hover_cells(s, ui, *s.layout) : hover_bars(ui, *s.layout);
}

namespace {

// The row of the entry in a cell, or -1. Cells have row and column as tags (layout_figure).
index_t row_of(const plot::Table::Cell& cell, const OpenMatrix* m) {
  if (cell.tag == 0 || !m || !m->matrix || m->matrix->csr->cols() == 0) return -1;
  const auto row = static_cast<index_t>((cell.tag - 1) / static_cast<std::uint64_t>(m->matrix->csr->cols()));
  return row < m->matrix->csr->rows() ? row : -1;
}

}  // namespace

bool is_piece_of(const std::string& table, const std::string& array) {
  return !array.empty() && table.starts_with(array) && (table.size() == array.size() || table[array.size()] == ',');
}

// The array that is selected, and the entries of marked rows.
void LayoutPanel::mark_selected(const AppState& s, Ui& ui, const plot::Plot& figure) const {
  const Look& l = ui.look;
  const RowMask* rows = s.highlight && s.highlight->rows ? s.highlight->rows.get() : nullptr;
  const std::vector<std::string> arrays = marked_arrays(s);
  auto* list = ImGui::GetWindowDrawList();
  for (const auto& c : layout_.cells) {
    const auto& table = figure.tables[c.table];
    const index_t row = rows ? row_of(table.cells[c.cell], s.current()) : -1;
    const bool marked = row >= 0 && row < rows->rows() && rows->has(row);
    const auto is_this = [&](const std::string& array) { return is_piece_of(table.name, array); };
    if (!marked && std::none_of(arrays.begin(), arrays.end(), is_this)) continue;
    list->AddRectFilled(ImVec2(static_cast<float>(c.rect.x), static_cast<float>(c.rect.y)),
                        ImVec2(static_cast<float>(c.rect.right()), static_cast<float>(c.rect.bottom())),
                        u32(l.palette->highlight, marked ? 0.35f : 0.15f));
  }
}

void LayoutPanel::hover_cells(const AppState& s, Ui& ui, const plot::Plot& figure) {
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
  std::vector<TooltipRow> rows = {{"array", table.name, {}}, {"holds", cell.padding ? "padding" : cell.text, {}}};
  if (cell.tag != 0) rows.push_back({"marked", "the same entry", l.palette->highlight});
  const index_t row = row_of(cell, s.current());
  tooltip(l, "", rows, row >= 0 ? "Click marks row " + count_text(row + 1) + " everywhere." : "");
  if (!ImGui::IsMouseClicked(0)) return;
  if (row >= 0) ui.out(SetHighlight{.lo = 0, .hi = 0, .first = row, .past = row + 1});
  // Also selects the array if the selected run has it.
  const auto run = s.run(s.selected_run);
  if (!run) return;
  for (const Traffic& t : run->arrays)
    if (is_piece_of(table.name, t.name)) ui.out(SelectPart{t.name, s.line});
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
    std::vector<TooltipRow> rows = {{"rows", count(1), {}}, {"entries", count(2), {}}, {"padding", count(3), {}}};
    if (row[4] != "0") rows.push_back({"elsewhere", count(4), {}});
    // Rows that the format reorders are not neighbours in the matrix.
    const bool in_order = figure.x.label == "rows";
    tooltip(l, "", rows, in_order ? "Click marks these rows everywhere." : "");
    const auto first = static_cast<index_t>(std::stod(row[0]));
    if (in_order && ImGui::IsMouseClicked(0)) ui.out(SetHighlight{.first = first, .past = first + std::stoll(row[1])});
    return;
  }
}

}  // namespace warpspy::ui
