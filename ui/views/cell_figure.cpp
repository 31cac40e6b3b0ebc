#include "ui/views/cell_figure.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "ui/views/figure_view.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

struct CellsOf {
  const plot::Series& cells;
  long columns, rows;

  explicit CellsOf(const plot::Plot& figure)
      : cells(figure.series[0]),
        columns(std::max<long>(1, static_cast<long>(figure.x.categories.size()))),
        rows(static_cast<long>(figure.series[0].tooltips.size()) / columns) {}
  std::optional<std::size_t> at(long column, long row) const {
    if (column < 0 || column >= columns || row < 0 || row >= rows) return std::nullopt;
    return static_cast<std::size_t>(row * columns + column);
  }
  std::uint64_t id(std::size_t cell) const { return cell < cells.ids.size() ? cells.ids[cell] : 0; }
};

std::size_t moved(const CellsOf& grid, std::size_t from, int along, int up) {
  const long column = static_cast<long>(from) % grid.columns + along, row = static_cast<long>(from) / grid.columns + up;
  return grid.at(std::clamp(column, 0L, grid.columns - 1), std::clamp(row, 0L, std::max(0L, grid.rows - 1)))
      .value_or(0);
}

// The frame around a cell, with its tooltip beside it.
void paint_cursor(const Look& l, const CellsOf& grid, const plot::Layout& layout, std::size_t cell) {
  const auto column = static_cast<double>(static_cast<long>(cell) % grid.columns),
             row = static_cast<double>(static_cast<long>(cell) / grid.columns);
  const plot::Point a = layout.to_pixel(column - 0.5, row - 0.5), b = layout.to_pixel(column + 0.5, row + 0.5);
  const ImVec2 from(static_cast<float>(std::min(a.x, b.x)), static_cast<float>(std::min(a.y, b.y))),
      to(static_cast<float>(std::max(a.x, b.x)), static_cast<float>(std::max(a.y, b.y)));
  draw_cursor(l, ImGui::GetWindowDrawList(), from, to);
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const bool far = to.x > screen.x * 0.7f, low = to.y > screen.y * 0.7f;
  ImGui::SetNextWindowPos(ImVec2(far ? from.x - l.u(8) : to.x + l.u(8), low ? from.y : to.y), ImGuiCond_Always,
                          ImVec2(far ? 1.f : 0.f, low ? 1.f : 0.f));
  text_tooltip(l, grid.cells.tooltips[cell]);
}

}  // namespace

std::optional<CellFigure::Picked> CellFigure::draw(Ui& ui, const plot::Plot& figure, ImVec2 size, const char* id,
                                                   plot::Parts parts, plot::Layout* placed) {
  const Look& l = ui.look;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton(id, ImVec2(std::max(1.f, size.x), std::max(1.f, size.y)));
  const bool hovered = ImGui::IsItemHovered();
  const plot::Layout layout = paint_figure(ui, figure, {at.x, at.y, size.x, size.y}, parts);
  if (placed) *placed = layout;
  const Keys keys = figure_stop(ui, figure, id);
  if (figure.series.empty() || figure.series[0].tooltips.empty()) return std::nullopt;
  const CellsOf grid(figure);
  if (keys.has) {
    cursor_ = moved(grid, std::min(cursor_, grid.cells.tooltips.size() - 1), keys.along,
                    layout.y.inverted ? keys.down : -keys.down);
    paint_cursor(l, grid, layout, cursor_);
    if (keys.pressed) return Picked{cursor_, grid.id(cursor_)};
  }
  const plot::Point p{ImGui::GetIO().MousePos.x, ImGui::GetIO().MousePos.y};
  if (!hovered || keys.has || !layout.area.contains(p)) return std::nullopt;
  const auto cell = grid.at(std::lround(layout.x_of(p.x)), std::lround(layout.y_of(p.y)));
  if (!cell) return std::nullopt;
  Picked picked{*cell, grid.id(*cell)};
  std::string tooltip = grid.cells.tooltips[*cell];
  if (const auto hit = layout.hit(p, l.u(9))) {
    const plot::Series& marks = figure.series[hit->series];
    if (hit->point < marks.tooltips.size()) tooltip = marks.tooltips[hit->point];
    if (hit->id != 0) picked.id = hit->id;
  }
  text_tooltip(l, tooltip);
  if (!clicked) return std::nullopt;
  cursor_ = *cell;
  return picked;
}

}  // namespace warpspy::ui
