#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "ui/platform/compat.hpp"
#include "ui/views/differences_panel.hpp"
#include "ui/views/runs_panel.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/panel.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

// All runs with filters and notes. If runs are compared, their differences and the roofline are below.
class RunsTab final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    const bool below = s.comparison != nullptr, beside = DifferencesPanel::beside(l, ImGui::GetContentRegionAvail().x);
    const ImVec2 room = room_at_least(l, !below ? 200 : beside ? 480 : 760), at = ImGui::GetCursorScreenPos();
    const float lower = below ? std::floor(room.y * 0.56f) : 0;
    const ImVec2 upper(room.x, room.y - lower - (below ? l.u(20) : 0));
    ImGui::BeginChild("runs", upper, false, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    runs_.draw(s, ui, upper);
    end_child();
    if (!below) return;
    auto* list = ImGui::GetWindowDrawList();
    const ImU32 line = u32(l.palette->hairline);
    const float y = room.y - lower;
    list->AddLine(ImVec2(at.x, at.y + y - l.u(12)), ImVec2(at.x + room.x, at.y + y - l.u(12)), line);
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + y));
    differences_.draw(s, ui, ImVec2(room.x, lower), l.u(12));
  }

 private:
  RunsPanel runs_{RunsPanel::Size::whole};
  DifferencesPanel differences_;
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
