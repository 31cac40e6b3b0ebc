#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/platform/compat.hpp"
#include "ui/views/both_panel.hpp"
#include "ui/views/lengths_panel.hpp"
#include "ui/views/spy_panel.hpp"
#include "ui/views/view.hpp"
#include "ui/views/waiting.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/panel.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

// Two matrices side by side: patterns, facts, row lengths in one figure, formats and runs.
class CompareTab final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    const auto [left, right] = s.compared();
    if (waits_for_matrix(ui, left)) return;
    if (!left) {
      if (empty_state(l, "Nothing to compare yet",
                      "Two matrices are shown here side by side: patterns, row lengths, formats and runs.",
                      "Open a matrix"))
        ui.out(AskForFiles{});
      return;
    }
    choice(s, ui, left, right);
    if (!right) return alone(s, ui);
    if (waits_for_matrix(ui, right)) return;  // a reordering under way
    const ImVec2 room = room_at_least(l, 520), at = ImGui::GetCursorScreenPos();
    const float gutter = l.u(24), w = std::max(l.u(60), std::floor((room.x - gutter) / 2));
    const float facts_h = l.u(82), lower = std::floor((room.y - facts_h) * 0.4f);
    const float upper = room.y - facts_h - lower - l.u(12);
    const auto place = [&](const char* id, float x, float y, float h, auto&& draw) {
      begin_panel(l, id, ImVec2(at.x + x, at.y + y), ImVec2(w, h));
      draw(ImVec2(w, h));
      end_child();
    };
    place("spy left", 0, 0, upper, [&](ImVec2 size) { spy_[0].draw_beside(s, ui, size, *left, *right); });
    place("spy right", w + gutter, 0, upper, [&](ImVec2 size) { spy_[1].draw_beside(s, ui, size, *right, *left); });
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + upper + l.u(6)));
    facts(ui, *left, *right, room.x);
    auto* list = ImGui::GetWindowDrawList();
    const ImU32 rule = u32(l.palette->hairline);
    const float x = at.x + w + gutter / 2;
    list->AddLine(ImVec2(x, at.y), ImVec2(x, at.y + upper), rule);
    const float y = upper + facts_h + l.u(12);
    place("lengths", 0, y, lower, [&](ImVec2 size) { draw_lengths(s, ui, size, *left, *right); });
    place("both", w + gutter, y, lower, [&](ImVec2 size) { both_.draw(s, ui, size, *left, *right); });
    list->AddLine(ImVec2(x, at.y + y), ImVec2(x, at.y + room.y), rule);
  }

 private:
  // The lists in which the two matrices are chosen by name.
  static void choice(const AppState& s, Ui& ui, const OpenMatrix* left, const OpenMatrix* right) {
    const Look& l = ui.look;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x;
    const float leave = right ? text_width(l, Face::ui, 13, "Leave   Esc") + l.u(24) : 0;
    const float each = std::min(l.u(300), std::floor((room - leave - l.u(60)) / 2));
    const auto pick = [&](const char* id, float x, const OpenMatrix* now) {
      std::vector<Choice> choices;
      std::vector<MatrixId> ids;
      int chosen = -1;
      for (const auto& m : s.matrices) {
        if (!m.matrix) continue;
        if (&m == now) chosen = static_cast<int>(ids.size());
        choices.push_back({m.name, m.source, true, ""});
        ids.push_back(m.id);
      }
      ImGui::SetCursorScreenPos(ImVec2(at.x + x, at.y));
      ImGui::BeginChild(id, ImVec2(each, l.u(28)), false, ImGuiWindowFlags_NoScrollbar);
      const int k = choose(l, id, choices, chosen);
      end_child();
      return k < 0 ? MatrixId{0} : ids[static_cast<std::size_t>(k)];
    };
    const MatrixId a = pick("left matrix", 0, left);
    draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x + each + l.u(8), at.y + l.u(5)), Face::ui, 13,
              l.palette->muted, "beside");
    const MatrixId b = pick("right matrix", each + l.u(56), right);
    const MatrixId now_left = left->id, now_right = right ? right->id : 0;
    // Choosing the matrix of the other side exchanges the two.
    if (a != 0) ui.out(CompareMatrices{a, a == now_right ? now_left : now_right});
    if (b != 0) ui.out(CompareMatrices{b == now_left ? now_right : now_left, b});
    if (right) {
      ImGui::SetCursorScreenPos(ImVec2(at.x + room - leave + l.u(8), at.y));
      if (button(l, "Leave   Esc", Weight::quiet)) ui.out(LeaveComparison{});
      tip(l, "Ends the comparison: one matrix is shown, and all runs are in full colour.");
    }
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + l.u(36)));
  }

  static void alone(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    if (empty_state(l, "Nothing to compare with yet",
                    "Open a second matrix, or reorder this one: both are shown here side by side.",
                    "Reorder\xE2\x80\xA6"))
      ui.out(ShowReorder{s.reorder_by});
  }

  struct Row {
    std::string name, left, right, help;
  };

  static std::vector<Row> rows_of(const OpenMatrix& left, const OpenMatrix& right) {
    std::vector<Row> rows;
    const Csr &a = *left.matrix->csr, &b = *right.matrix->csr;
    const auto size = [](const Csr& m) {
      return count_text(m.rows()) + " \xC3\x97 " + count_text(m.cols()) + ", " + count_text(m.nnz()) + " nnz";
    };
    if (right.original == left.id && right.before && right.after) {
      rows.push_back({"order", "as it was", right.reordering, ""});
      rows.push_back({"bandwidth", count_text(right.before->bandwidth), count_text(right.after->bandwidth),
                      "max |i \xE2\x88\x92 j| over stored entries."});
      rows.push_back({"profile", count_text(right.before->profile), count_text(right.after->profile),
                      "Sum over rows of the distance from the diagonal to the first entry, of A + A^T: what a skyline "
                      "solver stores."});
      return rows;
    }
    rows.push_back({"size", size(a), size(b), ""});
    if (!left.facts || !right.facts) return rows;
    const RowStats &x = left.facts->rows, &y = right.facts->rows;
    rows.push_back({"mean row", real_text(x.mean, 3), real_text(y.mean, 3), "Entries per row."});
    rows.push_back({"longest row", count_text(x.max), count_text(y.max), ""});
    return rows;
  }

  static void facts(Ui& ui, const OpenMatrix& left, const OpenMatrix& right, float width) {
    const Look& l = ui.look;
    auto* list = ImGui::GetWindowDrawList();
    const float middle = std::floor(width / 2), side = l.u(60);
    for (const Row& r : rows_of(left, right)) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float name = text_width(l, Face::ui, 13, r.name), v = text_width(l, Face::mono, 13, r.left);
      draw_text(l, list, ImVec2(at.x + middle - name / 2, at.y + l.u(2)), Face::ui, 13, l.palette->muted, r.name);
      draw_text(l, list, ImVec2(at.x + std::max(0.f, middle - side - v), at.y + l.u(2)), Face::mono, 13, l.palette->ink,
                r.left);
      draw_text(l, list, ImVec2(at.x + middle + side, at.y + l.u(2)), Face::mono, 13, l.palette->ink, r.right,
                middle - side);
      ImGui::Dummy(ImVec2(width, l.u(22) - ImGui::GetStyle().ItemSpacing.y));
      if (!r.help.empty()) tip(l, r.help);
      list->AddLine(ImVec2(at.x + middle - l.u(260), at.y + l.u(21) + 0.5f),
                    ImVec2(at.x + middle + l.u(260), at.y + l.u(21) + 0.5f), u32(l.palette->hairline));
    }
  }

  SpyPanel spy_[2];
  BothPanel both_;
};

}  // namespace

extern const ViewRow compare_tab = {
    .id = "compare",
    .label = "Two matrices",
    .place = Place::tab,
    .group = Topic::compare,
    .help = "Two matrices side by side: patterns, row lengths, formats and runs.",
    .scrolls = true,
    .make = make<CompareTab>,
};

}  // namespace warpspy::ui
