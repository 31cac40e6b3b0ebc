#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "ui/figures/figure.hpp"
#include "ui/platform/input.hpp"
#include "ui/views/dialog.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/choose.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

const std::vector<std::string> picture_endings = {"svg", "pdf", "png", "csv", "json"};
const std::vector<std::string> number_endings = {"csv", "json"};

const std::vector<std::string>& endings_of(const FigureRow& row) {
  return row.picture ? picture_endings : number_endings;
}

class ExportDialog final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    if (!begin_dialog(s, ui, "Export", ImVec2(620, 320))) {
      row_ = nullptr;
      return;
    }
    const FigureRow* wanted = figure_row(s.export_what);
    if (wanted && row_ != wanted) restart(s, *wanted);
    if (!row_) return end_dialog(ui);
    what(s, ui);
    format(l);
    file(l);
    if (row_->picture && format_ <= 2) size(l);
    if (row_->in_part) part(l);
    go(s, ui);
    end_dialog(ui);
  }

 private:
  static void name(const Look& l, const char* text) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x, at.y + l.u(2)), Face::ui, 13, l.palette->muted, text);
    ImGui::SetCursorScreenPos(ImVec2(at.x + l.u(80), at.y));
  }

  void what(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    name(l, "What");
    std::vector<Choice> choices;
    int now = -1;
    for (const FigureRow* row : figure_rows()) {
      if (row == row_) now = static_cast<int>(choices.size());
      const std::string why_not = row->reason(s);
      choices.push_back({row->word, "", why_not.empty(), why_not.empty() ? row->help : why_not});
    }
    ImGui::BeginChild("what", ImVec2(l.u(260), l.u(32)), false, ImGuiWindowFlags_NoScrollbar);
    const int picked = choose(l, "what", choices, now);
    ImGui::EndChild();
    if (picked >= 0 && picked != now) ui.out(ShowExport{figure_rows()[static_cast<std::size_t>(picked)]->id});
    gap(l, 12);
  }

  void format(const Look& l) {
    name(l, "Format");
    const auto& endings = endings_of(*row_);
    const int picked = segments(l, "format", endings, format_);
    if (picked >= 0) format_ = picked, set_ending(endings[static_cast<std::size_t>(picked)]);
    tip(l,
        "SVG, PDF and PNG are pictures on white, with a legend. CSV and JSON hold the numbers behind them with their "
        "provenance.");
    gap(l, 12);
  }

  void file(const Look& l) {
    name(l, "File");
    {
      const FontScope font(*l.fonts, Face::mono, 13);
      ImGui::SetNextItemWidth(-1);
      ImGui::InputText("##path", &path_);
      text_stop(l, "##path");
    }
    gap(l, 12);
  }

  void size(const Look& l) {
    name(l, "Size");
    const FontScope font(*l.fonts, Face::mono, 13);
    ImGui::SetNextItemWidth(l.u(80));
    ImGui::InputInt("##width", &width_, 0);
    text_stop(l, "##width");
    ImGui::SameLine();
    ImGui::TextUnformatted("\xC3\x97");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(l.u(80));
    ImGui::InputInt("##height", &height_, 0);
    text_stop(l, "##height");
    width_ = std::clamp(width_, 200, 8000);
    height_ = std::clamp(height_, 150, 8000);
    gap(l, 12);
  }

  void part(const Look& l) {
    name(l, "Part");
    const int part = segments(l, "part", {"whole matrix", "what is visible"}, visible_only_ ? 1 : 0);
    if (part >= 0) visible_only_ = part == 1;
    gap(l, 12);
  }

  void go(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    const std::string reason = row_->reason(s);
    const bool possible = !path_.empty() && reason.empty();
    ImGui::SetCursorPosY(ImGui::GetWindowHeight() - l.u(46));
    if (button(l, "Export", Weight::primary, l.u(100), possible) || (possible && entered(l))) {
      ExportFigure e{row_->id, path_, static_cast<double>(width_), static_cast<double>(height_), std::nullopt};
      if (visible_only_ && row_->in_part) e.window = ui.spy_window;
      ui.out(e);
    }
    if (possible) return;
    ImGui::SameLine(0, l.u(12));
    caption(l, reason.empty() ? "Name a file." : reason);
  }

  void restart(const AppState& s, const FigureRow& row) {
    row_ = &row;
    const auto* m = s.current();
    std::string name = row.of_matrix && m ? m->name + "-" + row.id : row.id;
    for (char& c : name)
      if (c == '/' || c == '?' || c == '&' || c == '=' || c == ' ') c = '-';
    format_ = 0;
    path_ = name + "." + endings_of(row).front();
  }

  void set_ending(const std::string& ending) {
    const auto dot = path_.find_last_of('.');
    const auto slash = path_.find_last_of('/');
    const bool has = dot != std::string::npos && (slash == std::string::npos || dot > slash);
    path_ = (has ? path_.substr(0, dot) : path_) + "." + ending;
  }

  const FigureRow* row_ = nullptr;  // none while the dialog is closed
  bool visible_only_ = false;
  int format_ = 0, width_ = 900, height_ = 600;
  std::string path_;
};

}  // namespace

extern const ViewRow export_dialog = {
    .id = "export",
    .label = "Export",
    .place = Place::overlay,
    .help = "Writes a figure or the runs.",
    .make = make<ExportDialog>,
};

}  // namespace warpspy::ui
