#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "ui/platform/compat.hpp"
#include "ui/views/delta_panel.hpp"
#include "ui/views/roofline_panel.hpp"
#include "ui/views/runs_panel.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/panel.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

// Every run with its filters and notes; below them, when runs are compared, the differences beside the roofline.
class RunsTab final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    const bool below = s.comparison != nullptr, beside = ImGui::GetContentRegionAvail().x >= l.u(760);
    const ImVec2 room = room_at_least(l, !below ? 200 : beside ? 480 : 760), at = ImGui::GetCursorScreenPos();
    const float lower = below ? std::floor(room.y * 0.56f) : 0;
    const auto place = [&](const char* id, float x, float y, float w, float h, auto& panel) {
      ImGui::SetCursorScreenPos(ImVec2(at.x + x, at.y + y));
      ImGui::BeginChild(id, ImVec2(w, h), false, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
      panel.draw(s, ui, ImVec2(w, h));
      end_child();
    };
    place("runs", 0, 0, room.x, room.y - lower - (below ? l.u(20) : 0), runs_);
    if (!below) return;
    auto* list = ImGui::GetWindowDrawList();
    const ImU32 line = u32(l.palette->hairline);
    const float y = room.y - lower, gutter = l.u(24);
    list->AddLine(ImVec2(at.x, at.y + y - l.u(12)), ImVec2(at.x + room.x, at.y + y - l.u(12)), line);
    if (!beside) {  // the one below the other
      const float half = std::floor((lower - gutter) / 2);
      place("deltas", 0, y, room.x, half, deltas_);
      return place("roofline", 0, y + half + gutter, room.x, lower - half - gutter, roofline_);
    }
    const float table = std::floor((room.x - gutter) * 0.62f);
    place("deltas", 0, y, table, lower, deltas_);
    place("roofline", table + gutter, y, room.x - table - gutter, lower, roofline_);
    list->AddLine(ImVec2(at.x + table + gutter / 2, at.y + y - l.u(12)),
                  ImVec2(at.x + table + gutter / 2, at.y + room.y), line);
  }

 private:
  RunsPanel runs_{RunsPanel::Size::whole};
  DeltaPanel deltas_;
  RooflinePanel roofline_;
};

}  // namespace

extern const ViewRow runs_tab = {
    .id = "runs",
    .label = "Runs",
    .place = Place::tab,
    .group = Topic::performance,
    .help = "All runs, with filters and notes; what differs between them.",
    .scrolls = true,
    .make = make<RunsTab>,
};

}  // namespace warpspy::ui
