#include "ui/views/differences_panel.hpp"

#include <imgui.h>

#include <cmath>

#include "ui/platform/compat.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

bool DifferencesPanel::beside(const Look& l, float width) { return width >= l.u(760); }

void DifferencesPanel::draw(const AppState& s, Ui& ui, ImVec2 size, float rule_above) {
  const Look& l = ui.look;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float gutter = l.u(24);
  const auto place = [&](const char* id, float x, float y, float w, float h, auto& panel) {
    ImGui::SetCursorScreenPos(ImVec2(at.x + x, at.y + y));
    ImGui::BeginChild(id, ImVec2(w, h), false, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    panel.draw(s, ui, ImVec2(w, h));
    end_child();
  };
  if (!beside(l, size.x)) {
    const float half = std::floor((size.y - gutter) / 2);
    place("deltas", 0, 0, size.x, half, deltas_);
    return place("roofline", 0, half + gutter, size.x, size.y - half - gutter, roofline_);
  }
  const float table = std::floor((size.x - gutter) * 0.62f), rule = at.x + table + gutter / 2;
  place("deltas", 0, 0, table, size.y, deltas_);
  place("roofline", table + gutter, 0, size.x - table - gutter, size.y, roofline_);
  ImGui::GetWindowDrawList()->AddLine(ImVec2(rule, at.y - rule_above), ImVec2(rule, at.y + size.y),
                                      u32(l.palette->hairline));
}

}  // namespace warpspy::ui
