#include "ui/views/figure_view.hpp"

#include <imgui.h>

#include <algorithm>

#include "ui/canvas/imgui_canvas.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

// The first line is the title of the card, the others are its text.
void text_card(const Look& l, const std::string& text) {
  const auto end = text.find('\n');
  card(l, text.substr(0, end), {}, end == std::string::npos ? "" : text.substr(end + 1));
}

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

void draw_figure(Ui& ui, const plot::Plot& shown, ImVec2 size, Figure what, bool bare) {
  const Look& l = ui.look;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton(name_of(what), ImVec2(std::max(1.f, size.x), std::max(1.f, size.y)));
  const bool hovered = ImGui::IsItemHovered();
  if (hovered && ImGui::IsMouseClicked(1)) ui.out(ShowExport{what});
  auto* list = ImGui::GetWindowDrawList();
  ImGuiCanvas canvas(list, l, ui.images);
  plot::Theme theme = l.figure();
  theme.ground = l.palette->ground;
  plot::Plot figure = shown;
  if (bare) figure.title.clear(), figure.subtitle.clear();
  list->PushClipRect(at, ImVec2(at.x + size.x, at.y + size.y), true);
  const plot::Layout layout = plot::draw(figure, canvas, {at.x, at.y, size.x, size.y}, theme);
  if (hovered) hover(l, figure, layout);
  list->PopClipRect();
}

}  // namespace warpspy::ui
