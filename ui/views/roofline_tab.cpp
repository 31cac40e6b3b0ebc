#include <imgui.h>

#include <algorithm>

#include "ui/platform/compat.hpp"
#include "ui/views/roofline_panel.hpp"
#include "ui/views/runs_panel.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

class RooflineTab final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    const ImVec2 room = ImGui::GetContentRegionAvail(), at = ImGui::GetCursorScreenPos();
    const float table = room.y < l.u(420) ? 0 : l.u(220);
    ImGui::BeginChild("plot", ImVec2(room.x, room.y - table), false,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    roofline_.draw(s, ui, ImVec2(room.x, room.y - table - l.u(12)));
    ImGui::EndChild();
    if (table <= 0) return;
    const float y = at.y + room.y - table;
    ImGui::GetWindowDrawList()->AddLine(ImVec2(at.x, y), ImVec2(at.x + room.x, y), u32(l.palette->hairline));
    ImGui::SetCursorScreenPos(ImVec2(at.x, y + l.u(10)));
    ImGui::BeginChild("points", ImVec2(room.x, table - l.u(10)), false);
    points(s, ui);
    ImGui::EndChild();
  }

 private:
  void points(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    const Palette& p = *l.palette;
    heading(l, "Points", "Every point of the roofline, by run and memory level. Click one to copy its numbers.");
    const auto* d = s.roofline_device;
    static constexpr const char* names[] = {"#",       "kernel", "parameters", "level", "flop/B",
                                            "GFLOP/s", "GB/s",   "of roof",    "limit"};
    static constexpr float widths[] = {20, 92, 0, 62, 62, 64, 60, 56, 0};
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(l.u(4), l.u(3)));
    const bool open = ImGui::BeginTable(
        "points", 9, ImGuiTableFlags_ScrollY | ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_NoPadOuterX);
    ImGui::PopStyleVar();
    if (!open) return;
    ImGui::TableSetupScrollFreeze(0, 1);
    for (int k = 0; k < 9; ++k)
      ImGui::TableSetupColumn(names[k],
                              widths[k] > 0 ? ImGuiTableColumnFlags_WidthFixed : ImGuiTableColumnFlags_WidthStretch,
                              widths[k] > 0 ? l.u(widths[k])
                              : k == 2      ? 1.f
                                            : 1.5f);
    ImGui::TableNextRow();
    const auto cell = [&](const std::string& text, Face face, Color c, bool right) {
      ImGui::TableNextColumn();
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float room = ImGui::GetContentRegionAvail().x, w = text_width(l, face, 13, text);
      draw_text(l, ImGui::GetWindowDrawList(), ImVec2(right ? at.x + std::max(0.f, room - w) : at.x, at.y), face, 13, c,
                text, room);
      ImGui::Dummy(ImVec2(room, l.u(17)));
    };
    for (int k = 0; k < 9; ++k) cell(names[k], Face::ui, p.muted, k == 0 || (k >= 4 && k <= 7));
    int index = 0;
    for (auto it = s.runs.all().rbegin(); it != s.runs.all().rend(); ++it) {
      const RunRecord& r = **it;
      const auto found = s.points.find(r.id);
      if (s.on_trail(r.id) || found == s.points.end() || !d || r.device != d->id) continue;
      for (const auto& point : found->second) {
        ImGui::PushID(index++);
        ImGui::TableNextRow();
        if (r.id == s.selected_run) ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, u32(p.select));
        ImGui::TableNextColumn();
        if (ImGui::Selectable("##p", false, ImGuiSelectableFlags_SpanAllColumns | kSelectableOverlap,
                              ImVec2(0, l.u(17)))) {
          ui.out(SelectRun{r.id});
          ui.out(CopyText{r.kernel_label + "\t" + params_text(s, r) + "\t" + point_text(point)});
        }
        tip(l, std::string(warpspy::name_of(point.provenance)) + "; click copies this row.\nLimit: " + point.limit);
        ImGui::SameLine(0, 0);
        label(l, Face::mono, 13, p.muted, number_text(r.id));
        cell(r.kernel_label, Face::ui, p.ink, false);
        cell(params_text(s, r), Face::ui, p.muted, false);
        ImGui::TableNextColumn();
        const ImVec2 at = ImGui::GetCursorScreenPos();
        auto* list = ImGui::GetWindowDrawList();
        draw_provenance(l, list, ImVec2(at.x + l.u(5), at.y + l.u(9)), l.u(4.5f), point.provenance,
                        color_of(point.level));
        draw_text(l, list, ImVec2(at.x + l.u(14), at.y), Face::ui, 13, p.ink, name_of(point.level));
        cell(real_text(point.intensity), Face::mono, p.ink, true);
        cell(real_text(point.gflops), Face::mono, p.ink, true);
        cell(real_text(point.gbs), Face::mono, p.ink, true);
        cell(point.roof_gflops > 0 ? percent_text(point.gflops / point.roof_gflops) : "\xE2\x80\x93", Face::mono, p.ink,
             true);
        cell(point.limit, Face::ui, p.ink, false);
        tip(l, point.limit);
        ImGui::PopID();
      }
    }
    ImGui::EndTable();
  }

  RooflinePanel roofline_;
};

}  // namespace

extern const ViewRow roofline_tab = {
    .id = "roofline",
    .label = "Roofline",
    .place = Place::tab,
    .help = "The roofline in full, and a table of its points.",
    .keys = {key('4'), true},
    .make = make<RooflineTab>,
};

}  // namespace warpspy::ui
