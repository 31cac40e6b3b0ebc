#include "ui/views/studies_tab.hpp"

#include <imgui.h>

#include <algorithm>

#include "ui/platform/compat.hpp"
#include "ui/state/choice_rows.hpp"
#include "ui/views/figure_view.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/panel.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

const char* sign_of(CellVerdict v) {
  constexpr const char* signs[] = {"\xE2\x9C\x93", "\xE2\x89\x88", "\xE2\x9C\x97", "\xE2\x80\x93", "\xC2\xB7"};
  return signs[static_cast<int>(v)];
}

Color ink_of(CellVerdict v, const Palette& p) {
  return v == CellVerdict::agrees ? p.ink : v == CellVerdict::differs ? p.warning : p.muted;
}

namespace {

constexpr float kFigureFrom = 860;  // from this width on the figure is beside the cells

class StudiesTab final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    const StudiesShown& v = s.studies;
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = room_at_least(l, 420);
    if (v.all.empty()) {
      empty_state(l,
                  v.job               ? "Reading the studies"
                  : v.problem.empty() ? "No studies"
                                      : "The studies cannot be read",
                  v.problem.empty()
                      ? "A study is a table of a paper, made again: what was printed, what the model says of "
                        "the paper's GPU, what a GPU here measures, and why they differ."
                      : v.problem);
      return;
    }
    const OpenStudy* study = v.shown();
    if (!study) return draw_study_list(s, ui, room);
    draw_study_head(s, ui, *study);
    const float top = ImGui::GetCursorScreenPos().y - at.y + l.u(4), rest = std::max(room.y - top, l.u(260));
    const float below = v.cell > 0 ? std::min(l.u(150), rest * 0.45f) : 0;
    const bool beside = v.figure && room.x >= l.u(kFigureFrom);
    const float cells = beside ? room.x * 0.6f : room.x;
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + top));
    draw_study_cells(s, ui, *study, ImVec2(cells, rest - below), seen_);
    if (beside) {
      ImGui::SetCursorScreenPos(ImVec2(at.x + cells + l.u(16), at.y + top));
      const auto hit = draw_figure(ui, *v.figure, ImVec2(room.x - cells - l.u(16), rest - below), "study",
                                   {.titles = false, .foot = false});
      if (hit && hit->id > 0) ui.out(choose("study cell", hit->id));
    }
    if (below <= 0) return;
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + top + rest - below + l.u(6)));
    ImGui::BeginChild("cell", ImVec2(room.x, below - l.u(6)), false);
    hairline(l);
    gap(l, 6);
    draw_study_cell(s, ui, *study);
    end_child();
  }

 private:
  std::size_t seen_ = 0;
};

}  // namespace

extern const ViewRow studies_tab = {
    .id = "studies",
    .label = "Studies",
    .place = Place::tab,
    .group = Topic::learn,
    .help = "Tables of the papers, made again: printed, modelled, measured, and why they differ.",
    .scrolls = true,
    .make = make<StudiesTab>,
};

}  // namespace warpspy::ui
