#include "ui/views/figure_view.hpp"

#include <imgui.h>

#include <algorithm>
#include <string>
#include <vector>

#include "ui/canvas/imgui_canvas.hpp"
#include "ui/platform/compat.hpp"
#include "ui/widgets/menu.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

void hover(const Look& l, const plot::Plot& figure, const plot::Layout& layout) {
  const plot::Point p{ImGui::GetIO().MousePos.x, ImGui::GetIO().MousePos.y};
  if (figure.diagram) {
    for (const auto& [rect, index] : layout.arrows)
      if (rect.contains(p) && !figure.diagram->arrows[index].tooltip.empty())
        return text_tooltip(l, figure.diagram->arrows[index].tooltip);
    return;
  }
  // The mouse finds bars by their tops, from further away than marks.
  const auto hit = layout.hit(p, l.u(26));
  if (!hit) return;
  const auto& tooltips = figure.series[hit->series].tooltips;
  if (hit->point < tooltips.size()) text_tooltip(l, tooltips[hit->point]);
}

std::string numbers_of(const plot::Plot& figure) {
  std::string text;
  const auto line = [&](const std::vector<std::string>& cells) {
    for (std::size_t k = 0; k < cells.size(); ++k) text += (k > 0 ? "\t" : "") + cells[k];
    text += "\n";
  };
  line(figure.columns);
  for (const auto& row : figure.rows) line(row);
  return text;
}

}  // namespace

void text_tooltip(const Look& l, const std::string& text) {
  const auto end = text.find('\n');
  tooltip(l, text.substr(0, end), {}, end == std::string::npos ? "" : text.substr(end + 1));
}

plot::Layout paint_figure(Ui& ui, const plot::Plot& figure, plot::Rect frame, plot::Parts parts, double least_text) {
  auto* list = ImGui::GetWindowDrawList();
  ImGuiCanvas canvas(list, ui.look, ui.images);
  plot::Theme theme = ui.look.figure();
  theme.ground = ui.look.palette->ground;
  theme.least_text = std::max(theme.least_text, least_text);
  list->PushClipRect(ImVec2(static_cast<float>(frame.x), static_cast<float>(frame.y)),
                     ImVec2(static_cast<float>(frame.right()), static_cast<float>(frame.bottom())), true);
  parts.ground = false;  // the window has painted it
  plot::Layout layout = plot::draw(figure, canvas, frame, theme, parts);
  list->PopClipRect();
  return layout;
}

Keys figure_stop(Ui& ui, const plot::Plot& figure, const char* id, Focus::Takes takes,
                 const std::function<void()>& more) {
  const Look& l = ui.look;
  show_item(l, std::string("figure ") + id);
  const Keys keys = key_stop(l, id, takes);
  ImGui::PushID(id);
  if (begin_context_menu(l, "menu", keys)) {
    if (more) more();
    if (menu_item(l, "Export\xE2\x80\xA6", {.help = "As PDF, SVG, PNG, CSV or JSON."})) ui.out(ShowExport{id});
    const bool numbers = !figure.rows.empty();
    if (menu_item(l, "Copy the numbers", {.enabled = numbers, .help = "Those behind the figure, parted by tabs."}))
      ui.out(CopyText{numbers_of(figure)});
    end_menu(l);
  }
  ImGui::PopID();
  return keys;
}

std::optional<plot::Hit> draw_figure(Ui& ui, const plot::Plot& figure, ImVec2 size, const char* id, plot::Parts parts,
                                     plot::Layout* placed) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton(id, ImVec2(std::max(1.f, size.x), std::max(1.f, size.y)));
  const bool hovered = ImGui::IsItemHovered();
  const plot::Layout layout = paint_figure(ui, figure, {at.x, at.y, size.x, size.y}, parts);
  if (placed) *placed = layout;
  figure_stop(ui, figure, id);
  if (hovered) hover(ui.look, figure, layout);
  if (!clicked) return std::nullopt;
  const plot::Point p{ImGui::GetIO().MousePos.x, ImGui::GetIO().MousePos.y};
  if (figure.diagram) {
    for (const auto& [rect, index] : layout.arrows)
      if (const std::uint64_t of_arrow = figure.diagram->arrows[index].id; of_arrow != 0 && rect.contains(p))
        return plot::Hit{.series = 0, .point = index, .id = of_arrow, .at = p, .part = 0};
    return std::nullopt;
  }
  const auto hit = layout.hit(p, ui.look.u(26));
  return hit && hit->id != 0 ? hit : std::nullopt;
}

void with_room(const char* id, ImVec2 room, ImVec2 least, const std::function<void(ImVec2)>& draw) {
  if (room.x >= least.x && room.y >= least.y) return draw(room);
  ImGui::BeginChild(id, room, false, ImGuiWindowFlags_HorizontalScrollbar);
  const float bar = ImGui::GetStyle().ScrollbarSize;
  draw(ImVec2(room.x < least.x ? least.x : room.x - bar, room.y < least.y ? least.y : room.y - bar));
  end_child();
}

}  // namespace warpspy::ui
