#include "ui/views/projection.hpp"

#include <imgui.h>

#include <algorithm>
#include <string>

#include "ui/platform/compat.hpp"
#include "ui/state/slide_words.hpp"
#include "ui/views/figure_view.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

bool shows_roofline(const std::string& tab) {
  return tab == "matrix" || tab == "roofline" || tab == "runs" || tab == "two_runs" || tab == "diagnosis";
}

// The figure that is shown for a tab without a figure of its own, by id.
struct InItsPlace {
  const char *tab, *figure;
};
constexpr InItsPlace kInItsPlace[] = {{"rows", "histogram"}, {"facts", "spy"}, {"traffic", "memory"}};

bool stands_for(const FigureRow& row, const std::string& tab) {
  for (const InItsPlace& p : kInItsPlace)
    if (tab == p.tab) return std::string(row.id) == p.figure;
  return row.tab == tab;
}

std::string title_now(const AppState& s) {
  const Lecture& l = s.lecture;
  const bool of_slide = s.tab == l.tab && (!s.current() || s.current()->source == l.source);
  if (l.at < l.titles.size() && (of_slide || !l.missing.empty())) return l.titles[l.at];
  return s.current() ? slide_title(s) : "Warpspy";
}

}  // namespace

// The window draws the roofline and the warp itself. Any other figure of the tab is drawn here when it has changed.
std::shared_ptr<const plot::Plot> Projection::figure_of_tab(const AppState& s) {
  if (s.tab == "warp") return s.warp.figure;
  // The first screen has several figures. Before there is a run, the pattern is what it is about.
  const std::string tab = s.tab == "matrix" && !s.run(s.selected_run) ? "facts" : s.tab;
  if (s.roofline && shows_roofline(tab)) return s.roofline;
  for (const FigureRow* row : figure_rows()) {
    if (!stands_for(*row, tab) || !row->picture() || !row->reason(s).empty()) continue;
    try {
      Drawing now{figure_of(s, *row), s.theme};
      if (drawing_ != now) {
        Progress progress;
        plot_ = drawn(now, progress);
        drawing_ = std::move(now);
      }
      return plot_;
    } catch (const Error&) {
      continue;  // not ready yet
    }
  }
  return s.roofline;
}

void Projection::draw(const AppState& s, Ui& ui) {
  const Look& l = ui.look;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float pad = l.u(10), width = screen.x - 2 * pad;
  auto* list = ImGui::GetWindowDrawList();
  ImGui::SetCursorScreenPos(ImVec2(pad, pad));
  ImGui::BeginGroup();
  const auto run = s.run(s.selected_run);
  const auto& [subject, sentence, number, of_run] = slide_words(s);
  const float right = number.empty() ? 0 : text_width(l, Face::bold, 14, number) + l.u(26);
  {
    const FontScope font(*l.fonts, Face::bold, 14);
    const std::string title = title_now(s);
    paragraph(l, l.palette->ink, title, width - right);
  }
  if (!number.empty()) {
    draw_text(l, list, ImVec2(pad + width - right + l.u(26), pad), Face::bold, 14, l.palette->ink, number);
    if (of_run && run)
      draw_provenance(l, list, ImVec2(pad + width - right + l.u(16), pad + l.u(9)), l.u(4), run->gflops.provenance,
                      l.palette->ink);
    show_text(l, number);
  }
  const FontScope font(*l.fonts, Face::ui, 12.5f);
  if (!s.lecture.missing.empty()) paragraph(l, l.palette->error, "\xE2\x9C\x97 " + s.lecture.missing, width);
  if (!sentence.empty()) paragraph(l, l.palette->ink, sentence, width);
  end_group();
  const float top = ImGui::GetItemRectMax().y + l.u(4);
  const float foot = s.lecture.titles.empty() ? 0 : l.u(16);
  const plot::Rect frame{pad, top, width, screen.y - top - foot - l.u(4)};
  if (const auto figure = figure_of_tab(s); figure && s.lecture.missing.empty()) {
    paint_figure(ui, *figure, frame, {.titles = false, .foot = false}, l.u(12));
    show_text(l, figure->title);
  } else if (s.lecture.missing.empty())
    draw_text(l, list, ImVec2(pad, top), Face::ui, 12, l.palette->muted,
              s.warp.job ? "Being found out\xE2\x80\xA6" : "There is no figure here. Esc leaves the projector.");
  if (foot <= 0) return;
  const std::string place = std::to_string(s.lecture.at + 1) + " / " + std::to_string(s.lecture.titles.size());
  draw_text(l, list, ImVec2(pad + width - text_width(l, Face::ui, 12, place), screen.y - foot), Face::ui, 12,
            l.palette->muted, place);
  show_text(l, place);
}

}  // namespace warpspy::ui
