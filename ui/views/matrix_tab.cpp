#include <imgui.h>

#include <algorithm>

#include "ui/views/histogram_panel.hpp"
#include "ui/views/roofline_panel.hpp"
#include "ui/views/runs_panel.hpp"
#include "ui/views/spy_panel.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

// The first screen: pattern over row lengths on the left, roofline over runs on the right.
class MatrixTab final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    const ImVec2 room = ImGui::GetContentRegionAvail(), at = ImGui::GetCursorScreenPos();
    const float gutter = l.u(24);
    const auto place = [&](const char* id, float x, float y, float w, float h, auto& panel) {
      ImGui::SetCursorScreenPos(ImVec2(at.x + x, at.y + y));
      ImGui::BeginChild(id, ImVec2(w, h), false, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
      panel.draw(s, ui, ImVec2(w, h));
      ImGui::EndChild();
    };
    if (room.x < l.u(560)) {  // too narrow for two columns
      const bool both = room.y >= l.u(420);
      const float spy = both ? std::min(room.y * 0.62f, room.x) : room.y;
      place("spy", 0, 0, room.x, spy, spy_);
      if (both) place("rows", 0, spy + l.u(12), room.x, room.y - spy - l.u(12), histogram_);
      return;
    }
    const float left = std::floor((room.x - gutter) * 0.5f), right = room.x - gutter - left;
    const float upper = std::floor((room.y - l.u(20)) * 0.62f), lower = room.y - l.u(20) - upper;
    place("spy", 0, 0, left, upper, spy_);
    place("rows", 0, upper + l.u(20), left, lower, histogram_);
    place("roofline", left + gutter, 0, right, upper, roofline_);
    place("runs", left + gutter, upper + l.u(20), right, lower, runs_);
    auto* list = ImGui::GetWindowDrawList();
    const ImU32 line = u32(l.palette->hairline);
    const float x = at.x + left + gutter / 2, y = at.y + upper + l.u(8);
    list->AddLine(ImVec2(x, at.y), ImVec2(x, at.y + room.y), line);
    list->AddLine(ImVec2(at.x, y), ImVec2(at.x + left, y), line);
    list->AddLine(ImVec2(at.x + left + gutter, y), ImVec2(at.x + room.x, y), line);
  }

 private:
  SpyPanel spy_;
  HistogramPanel histogram_;
  RooflinePanel roofline_;
  RunsPanel runs_;
};

}  // namespace

extern const ViewRow matrix_tab = {
    .id = "matrix",
    .label = "Matrix",
    .place = Place::tab,
    .help = "Pattern, row lengths, roofline and runs together.",
    .keys = {key('1'), true},
    .make = make<MatrixTab>,
};

}  // namespace warpspy::ui
