#include "ui/views/lengths_panel.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "ui/views/figure_view.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

// A length in one of the two matrices, and the share of its rows that are at most so long.
struct OnCurve {
  std::size_t curve = 0;
  index_t length = 0;
  double share = 0;
};

double at_x(const plot::Series& curve, double x) {
  const auto past = std::upper_bound(curve.x.begin(), curve.x.end(), x);
  if (past == curve.x.begin()) return curve.y.front();
  const auto k = static_cast<std::size_t>(past - curve.x.begin());
  if (k == curve.x.size()) return curve.y.back();
  const double run = curve.x[k] - curve.x[k - 1];
  return curve.y[k - 1] + (run > 0 ? (x - curve.x[k - 1]) / run * (curve.y[k] - curve.y[k - 1]) : 0);
}

// The nearest curve above or below the mouse, and on it the nearest length.
std::optional<OnCurve> place_at(const plot::Plot& figure, const plot::Layout& layout, plot::Point p) {
  if (!layout.area.contains(p)) return std::nullopt;
  const double x = layout.x_of(p.x), y = layout.y_of(p.y);
  std::optional<OnCurve> best;
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < figure.series.size(); ++k) {
    const plot::Series& curve = figure.series[k];
    if (curve.x.empty() || curve.ids.empty()) continue;
    const double share = at_x(curve, x), away = std::fabs(share - y);
    if (away >= nearest) continue;
    nearest = away;
    const auto far = [&](std::uint64_t length) { return std::fabs(static_cast<double>(length) - x); };
    const auto id = std::min_element(curve.ids.begin(), curve.ids.end(),
                                     [&](std::uint64_t a, std::uint64_t b) { return far(a) < far(b); });
    best = OnCurve{k, static_cast<index_t>(*id), share};
  }
  return best;
}

void select(const AppState& s, Ui& ui, const OpenMatrix* const both[2], std::size_t which, index_t length) {
  const OpenMatrix& m = *both[which];
  // So far the two matrices followed the shown one; from now on they stay.
  if (s.left == 0) ui.out(CompareMatrices{both[0]->id, both[1]->id});
  if (m.id != s.selected) ui.out(SelectMatrix{m.id});
  const bool again = m.id == s.selected && s.highlight && s.highlight->lo == length && s.highlight->hi == length + 1;
  ui.out(again ? SetHighlight{} : SetHighlight{.lo = length, .hi = length + 1});
}

// Left and right move between lengths of the shown matrix; up and down change the matrix.
void step(const AppState& s, Ui& ui, const plot::Plot& figure, const OpenMatrix* const both[2], const Keys& keys) {
  const std::size_t now = both[1]->id == s.selected ? 1 : 0, of = keys.down != 0 ? 1 - now : now;
  const auto& lengths = figure.series[of].ids;
  if (lengths.empty()) return;
  std::size_t k = keys.along >= 0 ? 0 : lengths.size() - 1;
  if (s.highlight && s.highlight->lo < s.highlight->hi) {
    const auto marked = static_cast<std::uint64_t>(s.highlight->lo);
    const auto at = std::lower_bound(lengths.begin(), lengths.end(), marked) - lengths.begin();
    const auto last = static_cast<std::ptrdiff_t>(lengths.size()) - 1;
    k = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at + keys.along, 0, last));
    if (of == now && lengths[k] == marked) return;  // at the end
  }
  select(s, ui, both, of, static_cast<index_t>(lengths[k]));
}

void mark(const AppState& s, Ui& ui, const plot::Layout& layout) {
  if (!s.highlight || s.highlight->lo >= s.highlight->hi) return;
  const double lo = static_cast<double>(s.highlight->lo), hi = static_cast<double>(s.highlight->hi);
  const plot::Rect& area = layout.area;
  const double least = ui.look.u(2);
  const double x0 = std::max(area.x, layout.to_pixel(std::max(lo - 0.5, 0.36), 0).x);
  const double x1 = std::min(area.right(), std::max(layout.to_pixel(hi - 0.5, 0).x, x0 + least));
  if (x1 <= x0) return;
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(static_cast<float>(x0), static_cast<float>(area.y)),
                                            ImVec2(static_cast<float>(x1), static_cast<float>(area.bottom())),
                                            u32(ui.look.palette->highlight, 0.35f));
}

}  // namespace

void draw_lengths(const AppState& s, Ui& ui, ImVec2 size, const OpenMatrix& left, const OpenMatrix& right) {
  const Look& l = ui.look;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  heading(l, "Row lengths of both",
          "The share of rows that are at most so long, of either matrix. Click a curve to mark the rows of that length "
          "in its matrix. With the keys: left and right for the length, up and down for the matrix.");
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + l.u(24)));
  if (!s.both_lengths || s.both_lengths->series.size() < 2) return caption(l, "Counting rows\xE2\x80\xA6");
  const plot::Plot& figure = *s.both_lengths;
  const ImVec2 from = ImGui::GetCursorScreenPos(), room(std::max(1.f, size.x), std::max(1.f, size.y - l.u(24)));
  const bool clicked = ImGui::InvisibleButton("both_lengths", room);
  const bool hovered = ImGui::IsItemHovered();
  const plot::Layout layout = paint_figure(ui, figure, {from.x, from.y, room.x, room.y});
  mark(s, ui, layout);
  const OpenMatrix* const both[] = {&left, &right};
  const Keys keys = figure_stop(ui, figure, "both_lengths");
  if (keys.along != 0 || keys.down != 0) step(s, ui, figure, both, keys);
  if (!hovered) return;
  const auto place = place_at(figure, layout, {ImGui::GetIO().MousePos.x, ImGui::GetIO().MousePos.y});
  if (clicked && !place) return ui.out(SetHighlight{});
  if (!place) return;
  if (clicked) return select(s, ui, both, place->curve, place->length);
  tooltip(l, both[place->curve]->name,
          {{"entries per row", count_text(place->length), {}},
           {"rows at most this long", percent_text(place->share / 100), {}}},
          "Click marks the rows of this length.");
}

}  // namespace warpspy::ui
