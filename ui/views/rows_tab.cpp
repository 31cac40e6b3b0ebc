#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "ui/platform/compat.hpp"
#include "ui/views/cover.hpp"
#include "ui/views/histogram_panel.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/panel.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

class RowsTab final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    const bool beside = ImGui::GetContentRegionAvail().x >= l.u(520);  // otherwise it is below
    const ImVec2 room = room_at_least(l, beside ? 200 : 480), at = ImGui::GetCursorScreenPos();
    const float gutter = l.u(24), side = l.u(220), high = std::floor(room.y * 0.6f);
    const ImVec2 figure = beside ? ImVec2(room.x - side - gutter, room.y) : ImVec2(room.x, high);
    ImGui::BeginChild("histogram", figure, false, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    histogram_.draw(s, ui, figure);
    end_child();
    const ImVec2 from = beside ? ImVec2(at.x + room.x - side, at.y) : ImVec2(at.x, at.y + high + gutter);
    const ImVec2 size = beside ? ImVec2(side, room.y) : ImVec2(room.x, room.y - high - gutter);
    const float middle = gutter / 2;
    ImGui::GetWindowDrawList()->AddLine(
        beside ? ImVec2(from.x - middle, at.y) : ImVec2(at.x, from.y - middle),
        beside ? ImVec2(from.x - middle, at.y + room.y) : ImVec2(at.x + room.x, from.y - middle),
        u32(l.palette->hairline));
    ImGui::SetCursorScreenPos(from);
    ImGui::BeginChild("longest", size, false);
    longest(s, ui);
    end_child();
  }

 private:
  void longest(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    heading(l, "Longest rows", "Click one to see it in the pattern.");
    if (draw_cover(s, ui, Covered::facts)) return;
    const auto* m = s.current();
    if (!m || !m->facts || m->facts->rows.longest.empty()) {
      caption(l, "The rows with the most entries are listed here.");
      return;
    }
    const auto& stats = m->facts->rows;
    const double most = std::max<double>(1, static_cast<double>(stats.max));
    caption(l, "row, entries; the mean is " + real_text(stats.mean, 3));
    gap(l, 4);
    for (index_t row : stats.longest) {
      const index_t length = m->matrix->csr->row_length(row);
      ImGui::PushID(static_cast<int>(row));
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float w = ImGui::GetContentRegionAvail().x, h = l.u(22);
      const bool marked = s.highlight && s.highlight->first == row && s.highlight->past == row + 1;
      const bool clicked =
          ImGui::Selectable("##row", marked, kSelectableOverlap, ImVec2(w, h - ImGui::GetStyle().ItemSpacing.y));
      if (key_stop(l, "##row", Focus::Takes::press).pressed || clicked) {
        ui.out(SetCamera{m->id, go_to(m->camera, row, m->matrix->csr->cols() / 2, 1.0)});
        ui.out(SetHighlight{.first = row, .past = row + 1});
        ui.out(ShowTab{"matrix"});
      }
      auto* list = ImGui::GetWindowDrawList();
      const float bar = (w - l.u(4)) * static_cast<float>(static_cast<double>(length) / most);
      list->AddRectFilled(ImVec2(at.x, at.y + l.u(16)), ImVec2(at.x + std::max(1.f, bar), at.y + l.u(18)),
                          u32(l.palette->muted));
      draw_text(l, list, at, Face::mono, 13, l.palette->ink, count_text(row + 1));
      const std::string n = count_text(length);
      draw_text(l, list, ImVec2(at.x + w - l.u(4) - text_width(l, Face::mono, 13, n), at.y), Face::mono, 13,
                l.palette->ink, n);
      ImGui::PopID();
    }
  }

  HistogramPanel histogram_;
};

}  // namespace

extern const ViewRow rows_tab = {
    .id = "rows",
    .label = "Rows",
    .place = Place::tab,
    .group = Topic::matrix,
    .help = "Row lengths in full, and the longest rows.",
    .scrolls = true,
    .make = make<RowsTab>,
};

}  // namespace warpspy::ui
