#include "ui/views/figure_view.hpp"

#include <imgui.h>

#include <algorithm>

#include "ui/canvas/imgui_canvas.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

void hover(const Look& l, const plot::Plot& figure, const plot::Layout& layout) {
  const plot::Point p{ImGui::GetIO().MousePos.x, ImGui::GetIO().MousePos.y};
  if (figure.diagram) {
    for (const auto& [rect, index] : layout.arrows)
      if (rect.contains(p) && !figure.diagram->arrows[index].card.empty())
        return text_card(l, figure.diagram->arrows[index].card);
    return;
  }
  // Bars are found by their tops, from further away than marks.
  const auto hit = layout.hit(p, l.u(26));
  if (!hit) return;
  const auto& cards = figure.series[hit->series].cards;
  if (hit->point < cards.size()) text_card(l, cards[hit->point]);
}

}  // namespace

void text_card(const Look& l, const std::string& text) {
  const auto end = text.find('\n');
  card(l, text.substr(0, end), {}, end == std::string::npos ? "" : text.substr(end + 1));
}

plot::Layout paint_figure(Ui& ui, const plot::Plot& figure, plot::Rect frame, plot::Parts parts) {
  auto* list = ImGui::GetWindowDrawList();
  ImGuiCanvas canvas(list, ui.look, ui.images);
  plot::Theme theme = ui.look.figure();
  theme.ground = ui.look.palette->ground;
  list->PushClipRect(ImVec2(static_cast<float>(frame.x), static_cast<float>(frame.y)),
                     ImVec2(static_cast<float>(frame.right()), static_cast<float>(frame.bottom())), true);
  plot::Layout layout = plot::draw(figure, canvas, frame, theme, parts);
  list->PopClipRect();
  return layout;
}

void draw_figure(Ui& ui, const plot::Plot& figure, ImVec2 size, const char* id, plot::Parts parts) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton(id, ImVec2(std::max(1.f, size.x), std::max(1.f, size.y)));
  const bool hovered = ImGui::IsItemHovered();
  if (hovered && ImGui::IsMouseClicked(1)) ui.out(ShowExport{id});
  const plot::Layout layout = paint_figure(ui, figure, {at.x, at.y, size.x, size.y}, parts);
  if (hovered) hover(ui.look, figure, layout);
}

}  // namespace warpspy::ui
