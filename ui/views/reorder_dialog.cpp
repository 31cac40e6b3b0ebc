#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "ui/platform/input.hpp"
#include "ui/views/dialog.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

class ReorderDialog final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    if (!begin_dialog(s, ui, "Reorder", ImVec2(440, 340))) return;
    const auto* m = s.current();
    if (!m || !m->matrix) {
      caption(l, "Open a matrix first.");
      return end_dialog(ui);
    }
    const Csr& a = *m->matrix->csr;
    std::vector<Choice> choices;
    int chosen = 0;
    const auto& rows = reorderings();
    for (std::size_t k = 0; k < rows.size(); ++k) {
      if (rows[k].info.id == s.reorder_by) chosen = static_cast<int>(k);
      const bool fits = !rows[k].info.square_only || a.rows() == a.cols();
      choices.push_back(
          {rows[k].info.label, fits ? rows[k].info.source : "for square matrices", fits, rows[k].info.help});
    }
    ImGui::PushItemWidth(-1);
    const int k = choose(l, "##order", choices, chosen);
    if (k >= 0) ui.out(ShowReorder{rows[static_cast<std::size_t>(k)].info.id});
    gap(l, 8);
    const ReorderInfo& info = rows[static_cast<std::size_t>(chosen)].info;
    caption(l, info.help);
    gap(l, 12);
    auto& params = params_[info.id];
    for (const auto& spec : info.params) {
      double value = params.count(spec.id) ? params[spec.id] : spec.def;
      ParamSpec shown = spec;
      if (spec.id == "parts") shown.max = std::clamp<double>(static_cast<double>(a.rows()), 2, spec.max);
      value = std::clamp(value, shown.min, shown.max);
      if (knob(l, shown, value)) params[spec.id] = value;
      gap(l, 8);
    }
    if (info.takes_file) {
      label(l, Face::ui, 12, l.palette->muted, "File");
      const FontScope font(*l.fonts, Face::mono, 13);
      ImGui::InputTextWithHint("##file", "path of a text file", &file_);
      text_stop(l, "##file");
    }
    ImGui::PopItemWidth();
    const bool possible = choices[static_cast<std::size_t>(chosen)].enabled && (!info.takes_file || !file_.empty());
    ImGui::SetCursorPosY(ImGui::GetWindowHeight() - l.u(46));
    if (button(l, "Reorder", Weight::primary, l.u(100), possible) || (possible && entered(l)))
      ui.out(Reorder{info.id, params, info.takes_file ? file_ : std::string()});
    ImGui::SameLine(0, l.u(12));
    caption(l, "Opens beside " + fit_text(l, Face::ui, 12, m->name, l.u(220)) + ".");
    end_dialog(ui);
  }

 private:
  std::map<std::string, ParamSet> params_;
  std::string file_;
};

}  // namespace

extern const ViewRow reorder_dialog = {
    .id = "reorder",
    .label = "Reorder",
    .place = Place::overlay,
    .help = "Opens the matrix in another order.",
    .make = make<ReorderDialog>,
};

}  // namespace warpspy::ui
