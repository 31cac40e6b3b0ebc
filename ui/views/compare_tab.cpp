#include <imgui.h>

#include <algorithm>

#include "ui/views/histogram_panel.hpp"
#include "ui/views/spy_panel.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

// A matrix and what a reordering made of it: patterns, facts and row lengths side by side.
class CompareTab final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    const auto [before, after] = s.compared();
    if (!before || !before->matrix) {
      if (empty_state(l, "Nothing to compare yet",
                      "A matrix and its reordered self are shown here side by side: pattern, bandwidth, row lengths.",
                      "Open a matrix"))
        ui.out(AskForFiles{});
      return;
    }
    if (!after) {
      if (empty_state(
              l, "Nothing to compare yet",
              "Reorder this matrix: both orders are shown here side by side, pattern, bandwidth and row lengths.",
              "Reorder\xE2\x80\xA6"))
        ui.out(ShowReorder{s.reorder_by});
      return;
    }
    const ImVec2 room = ImGui::GetContentRegionAvail(), at = ImGui::GetCursorScreenPos();
    const float gutter = l.u(24), w = std::floor((room.x - gutter) / 2);
    const bool rows = room.y >= l.u(420);
    const float facts_h = std::min(l.u(104), std::max(0.f, room.y - l.u(220)));
    const float lower = rows ? std::floor((room.y - facts_h) * 0.34f) : 0;
    const float upper = room.y - facts_h - lower - (rows ? l.u(20) : 0);
    const auto place = [&](const char* id, float x, float y, float h, auto&& draw) {
      if (h < l.u(40) || w < l.u(60)) return;
      ImGui::SetCursorScreenPos(ImVec2(at.x + x, at.y + y));
      ImGui::BeginChild(id, ImVec2(w, h), false, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
      draw(ImVec2(w, h));
      ImGui::EndChild();
    };
    const std::string left = fit_text(l, Face::bold, 13, before->name, w - l.u(8));
    const std::string right = fit_text(l, Face::bold, 13, after->name, w - l.u(8));
    place("spy before", 0, 0, upper, [&](ImVec2 size) { spy_[0].draw(s, ui, size, before, left); });
    place("spy after", w + gutter, 0, upper, [&](ImVec2 size) { spy_[1].draw(s, ui, size, after, right); });
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + upper + l.u(8)));
    if (facts_h > l.u(30)) facts(ui, *before, *after, room.x);
    if (rows) {
      const float y = upper + facts_h + l.u(20);
      place("rows before", 0, y, lower, [&](ImVec2 size) { histogram_[0].draw(s, ui, size, before); });
      place("rows after", w + gutter, y, lower, [&](ImVec2 size) { histogram_[1].draw(s, ui, size, after); });
    }
    const float x = at.x + w + gutter / 2;
    ImGui::GetWindowDrawList()->AddLine(ImVec2(x, at.y), ImVec2(x, at.y + upper), u32(l.palette->hairline));
  }

 private:
  struct Row {
    std::string name, before, after, help;
  };

  static void facts(Ui& ui, const OpenMatrix& before, const OpenMatrix& after, float width) {
    const Look& l = ui.look;
    std::vector<Row> rows = {{"order", "as it was", after.reordering, ""}};
    if (after.before && after.after) {
      rows.push_back({"bandwidth", count_text(after.before->bandwidth), count_text(after.after->bandwidth),
                      "max |i \xE2\x88\x92 j| over stored entries."});
      rows.push_back({"profile", count_text(after.before->profile), count_text(after.after->profile),
                      "Sum over rows of the distance from the diagonal to the first entry, of A + A^T: what a skyline "
                      "solver stores."});
    }
    if (before.facts && after.facts)
      rows.push_back({"longest row", count_text(before.facts->rows.max), count_text(after.facts->rows.max), ""});
    auto* list = ImGui::GetWindowDrawList();
    const float middle = std::floor(width / 2), side = l.u(70);
    for (const auto& r : rows) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float name = text_width(l, Face::ui, 13, r.name), v = text_width(l, Face::mono, 13, r.before);
      draw_text(l, list, ImVec2(at.x + middle - name / 2, at.y + l.u(2)), Face::ui, 13, l.palette->muted, r.name);
      draw_text(l, list, ImVec2(at.x + std::max(0.f, middle - side - v), at.y + l.u(2)), Face::mono, 13, l.palette->ink,
                r.before);
      draw_text(l, list, ImVec2(at.x + middle + side, at.y + l.u(2)), Face::mono, 13, l.palette->ink, r.after,
                middle - side);
      ImGui::Dummy(ImVec2(width, l.u(22) - ImGui::GetStyle().ItemSpacing.y));
      if (!r.help.empty()) tip(l, r.help);
      list->AddLine(ImVec2(at.x + middle - l.u(220), at.y + l.u(21) + 0.5f),
                    ImVec2(at.x + middle + l.u(220), at.y + l.u(21) + 0.5f), u32(l.palette->hairline));
    }
  }

  SpyPanel spy_[2];
  HistogramPanel histogram_[2];
};

}  // namespace

extern const ViewRow compare_tab = {
    .id = "compare",
    .label = "Compare",
    .place = Place::tab,
    .help = "A matrix before and after it was reordered.",
    .keys = {key('7'), true},
    .make = make<CompareTab>,
};

}  // namespace warpspy::ui
