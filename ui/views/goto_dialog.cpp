#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cstdio>

#include "ui/views/dialog.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

class GotoDialog final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    if (!begin_dialog(s, ui, "Go to", ImVec2(360, 150), true)) return;
    const auto* m = s.current();
    if (!m || !m->matrix) {
      caption(l, "Open a matrix first.");
      return end_dialog(ui);
    }
    const Csr& a = *m->matrix->csr;
    caption(l, "Row and column, from 1 to " + count_text(a.rows()) + " and " + count_text(a.cols()) +
                   "; the column may be left out.");
    gap(l, 6);
    bool enter = false;
    {
      const FontScope font(*l.fonts, Face::mono, 13);
      ImGui::SetNextItemWidth(-l.u(84));
      enter = ImGui::InputTextWithHint("##place", "row, column", &place_, ImGuiInputTextFlags_EnterReturnsTrue);
      text_stop(l, "##place", ImGui::IsWindowAppearing());
    }
    ImGui::SameLine();
    long long row = 0, col = 0;
    const int got = std::sscanf(place_.c_str(), "%lld%*[ ,;]%lld", &row, &col);
    if (got == 1) col = std::min<long long>(row, a.cols());
    const bool valid = got >= 1 && row >= 1 && row <= a.rows() && col >= 1 && col <= a.cols();
    if (button(l, "Go", Weight::primary, l.u(76), valid) || (enter && valid)) {
      ui.out(SetCamera{m->id, go_to(m->camera, row - 1, col - 1, 40.0 * l.scale)});
      ui.out(ShowTab{"matrix"});
      ui.out(ShowDialog{});
    }
    end_dialog(ui);
  }

 private:
  std::string place_;
};

}  // namespace

extern const ViewRow goto_dialog = {
    .id = "goto",
    .label = "Go to",
    .place = Place::overlay,
    .help = "Zooms in on one place of the matrix.",
    .keys = {key('G'), true},
    .opener = {"matrix.goto", "Matrix", "Go to row and column...", "matrix.unmark"},
    .why_not = needs_matrix,
    .make = make<GotoDialog>,
};

}  // namespace warpspy::ui
