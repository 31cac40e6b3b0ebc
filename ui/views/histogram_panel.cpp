#include "ui/views/histogram_panel.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "ui/state/choice_rows.hpp"
#include "ui/state/desk_words.hpp"
#include "ui/views/figure_view.hpp"
#include "ui/views/lesson_sheets.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/flow.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

const plot::Series* bars_of(const plot::Plot& figure) {
  for (const auto& s : figure.series)
    if (s.kind == plot::Series::Kind::bars) return &s;
  return nullptr;
}

// The bar above or below the mouse, since short bars are hard to hit.
std::optional<std::size_t> bar_below(const plot::Layout& layout, plot::Point p) {
  if (!layout.area.contains(p)) return std::nullopt;
  for (const auto& [r, k] : layout.bars)
    if (p.x >= r.x && p.x < r.right()) return k;
  return std::nullopt;
}

// Bar k has the lengths ids[k] <= length < ids[k + 1] (see histogram_figure).
std::pair<index_t, index_t> lengths(const plot::Series& bars, std::size_t k) {
  return {static_cast<index_t>(bars.ids[k]), static_cast<index_t>(bars.ids[k + 1])};
}

// The lengths of the marked rows: the selected lengths, or that of the single marked row.
std::pair<index_t, index_t> marked_lengths(const AppState& s, const OpenMatrix* m) {
  if (!s.highlight) return {0, 0};
  const Highlight& h = *s.highlight;
  if (h.lo < h.hi || h.past - h.first != 1 || !m || !m->matrix || h.first >= m->matrix->csr->rows())
    return {h.lo, h.hi};
  const index_t length = m->matrix->csr->row_length(h.first);
  return {length, length + 1};
}

}  // namespace

float HistogramPanel::header(const AppState& s, Ui& ui, const OpenMatrix* m, float width) {
  const Look& l = ui.look;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  heading(l, "Row lengths",
          "How many rows have how many entries. Uneven rows leave threads idle when each row gets the same number of "
          "threads.\n"
          "Click a bar to mark its rows in the pattern.");
  struct Switch {
    const char *label, *help;
    bool plot::HistogramStyle::* on;
  };
  static constexpr Switch switches[] = {
      {"log x", "Row lengths on a logarithmic axis.", &plot::HistogramStyle::log_x},
      {"log y", "Numbers of rows on a logarithmic axis: single long rows show.", &plot::HistogramStyle::log_y},
      {"share", "Share of the rows that are at most this long (cumulative).", &plot::HistogramStyle::cumulative},
      {"quartiles", "A quarter, half and three quarters of the rows are at most this long.",
       &plot::HistogramStyle::quartiles},
  };
  const plot::HistogramStyle shown = m ? histogram_style(s, *m) : s.histogram;
  // At the right of the heading, or below it.
  float all = -l.u(8);
  for (const Switch& each : switches) all += toggle_width(l, each.label) + l.u(8);
  const float left = text_width(l, Face::bold, 13, "Row lengths") + l.u(10);
  const bool beside = left + all <= width;
  Flow flow(beside ? ImVec2(at.x + width - all, at.y - l.u(3)) : ImVec2(at.x, at.y + l.u(22)),
            beside ? all + l.u(8) : width, l.u(24));
  for (const Switch& each : switches) {
    ImGui::SetCursorScreenPos(flow.next(toggle_width(l, each.label), l.u(8)));
    if (toggle(l, each.label, shown.*(each.on))) {
      auto next = shown;
      next.*(each.on) = !(shown.*(each.on));
      ui.out(choose("row lengths", to_text(next)));
    }
    tip(l, each.help);
  }
  return beside ? l.u(24) : l.u(24) + flow.height();
}

void HistogramPanel::draw(const AppState& s, Ui& ui, ImVec2 size) { draw(s, ui, size, s.current()); }

void HistogramPanel::draw(const AppState& s, Ui& ui, ImVec2 size, const OpenMatrix* m) {
  const Look& l = ui.look;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  layout_ = {};
  const float used = header(s, ui, m, size.x), top = origin.y + used;
  ImGui::SetCursorScreenPos(ImVec2(origin.x, top));
  if (!m || !m->histogram) {
    const bool working = m && m->status != OpenMatrix::Status::failed;
    empty_state(l, working ? "Counting rows" : "No rows yet", working ? "" : "How many rows have how many entries.");
    return;
  }
  const plot::Rect frame{origin.x, top, size.x, std::max(1.f, size.y - used)};
  ImGui::InvisibleButton("histogram", ImVec2(std::max(1.f, size.x), static_cast<float>(frame.h)));
  const bool hovered = ImGui::IsItemHovered(), held = ImGui::IsItemActive();
  layout_ = paint_figure(ui, *m->histogram, frame);
  const Keys keys = figure_stop(ui, *m->histogram, "histogram");
  if (m == s.current() && pick_k(s, ui, layout_, held, keys)) return;
  if (keys.along && m == s.current()) step(s, ui, *m->histogram, keys.along);
  mouse(hovered, s, ui, m, *m->histogram);
}

// The arrow keys move from bar to bar that has rows, and mark these rows.
void HistogramPanel::step(const AppState& s, Ui& ui, const plot::Plot& figure, int by) {
  const auto* bars = bars_of(figure);
  if (!bars || bars->ids.size() < 2) return;
  const int n = static_cast<int>(bars->ids.size()) - 1;
  int at = by > 0 ? -1 : n;
  for (int k = 0; k < n; ++k)
    if (s.highlight && lengths(*bars, static_cast<std::size_t>(k)).first == s.highlight->lo) at = k;
  for (int k = at + by; k >= 0 && k < n; k += by) {
    if (!(bars->y[static_cast<std::size_t>(k)] > 0)) continue;
    const auto [lo, hi] = lengths(*bars, static_cast<std::size_t>(k));
    return ui.out(SetHighlight{lo, hi});
  }
}

void HistogramPanel::mouse(bool hovered, const AppState& s, Ui& ui, const OpenMatrix* m, const plot::Plot& figure) {
  const Look& l = ui.look;
  const auto* bars = bars_of(figure);
  const bool current = m == s.current();
  if (!bars) return;
  auto* list = ImGui::GetWindowDrawList();
  const auto strip = [&](std::size_t k, Color c, float alpha) {
    for (const auto& [r, index] : layout_.bars)
      if (index == k)
        list->AddRectFilled(ImVec2(static_cast<float>(r.x), static_cast<float>(layout_.area.y)),
                            ImVec2(static_cast<float>(r.right()), static_cast<float>(layout_.area.bottom())),
                            u32(c, alpha));
  };
  const auto [from, to] = marked_lengths(s, m);
  for (std::size_t k = 0; current && k + 1 < bars->ids.size(); ++k) {
    const auto [lo, hi] = lengths(*bars, k);
    if (lo < to && hi > from) strip(k, l.palette->highlight, 0.35f);
  }
  if (!hovered) return;
  const plot::Point p{ImGui::GetIO().MousePos.x, ImGui::GetIO().MousePos.y};
  const auto bar = bar_below(layout_, p);
  if (current && ImGui::IsMouseClicked(0)) {
    if (!bar) return ui.out(SetHighlight{});
    const auto [lo, hi] = lengths(*bars, *bar);
    const bool again = s.highlight && s.highlight->lo == lo && s.highlight->hi == hi;
    return ui.out(again ? SetHighlight{} : SetHighlight{lo, hi});
  }
  if (!bar) return;
  strip(*bar, l.palette->ink, 0.08f);
  const auto [lo, hi] = lengths(*bars, *bar);
  const auto rows = static_cast<index_t>(bars->y[*bar]);
  std::vector<TooltipRow> out = {
      {"entries per row", hi - lo == 1 ? count_text(lo) : count_text(lo) + " \xE2\x80\x93 " + count_text(hi - 1), {}},
      {"rows", count_text(rows), {}}};
  const index_t all = m && m->matrix ? m->matrix->csr->rows() : 0;
  if (all > 0) out.push_back({"of all rows", percent_text(static_cast<double>(rows) / static_cast<double>(all)), {}});
  tooltip(l, "", out, current ? "Click marks these rows in the pattern." : "");
}

}  // namespace warpspy::ui
