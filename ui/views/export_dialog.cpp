#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "ui/platform/input.hpp"
#include "ui/views/dialog.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

constexpr const char* picture_formats[] = {"svg", "pdf", "png", "csv", "json"};
constexpr const char* run_formats[] = {"csv", "json"};

class ExportDialog final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    if (!begin_dialog(s, ui, "Export", ImVec2(740, 300))) {
      shown_ = false;
      return;
    }
    if (!shown_ || what_ != s.export_what) restart(s);
    shown_ = true;
    const bool runs = what_ == Figure::runs || what_ == Figure::comparison;  // numbers without a picture
    const auto row = [&](const char* name) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x, at.y + l.u(2)), Face::ui, 13, l.palette->muted, name);
      ImGui::SetCursorScreenPos(ImVec2(at.x + l.u(80), at.y));
    };
    row("What");
    const int figure =
        segments(l, "what",
                 {"pattern", "row lengths", "roofline", "runs", "layout", "tuning", "comparison", "analysis", "memory"},
                 static_cast<int>(what_));
    if (figure >= 0 && figure != static_cast<int>(what_)) ui.out(ShowExport{static_cast<Figure>(figure)});
    gap(l, 12);
    row("Format");
    std::vector<std::string> formats(std::begin(picture_formats), std::end(picture_formats));
    if (runs) formats.assign(std::begin(run_formats), std::end(run_formats));
    format_ = std::min(format_, static_cast<int>(formats.size()) - 1);
    const int f = segments(l, "format", formats, format_);
    if (f >= 0) format_ = f, set_ending(formats[static_cast<std::size_t>(f)]);
    tip(l,
        "SVG, PDF and PNG are pictures on white, with a legend. CSV and JSON hold the numbers behind them with their "
        "provenance.");
    gap(l, 12);
    row("File");
    {
      const FontScope font(*l.fonts, Face::mono, 13);
      ImGui::SetNextItemWidth(-1);
      ImGui::InputText("##path", &path_);
    }
    gap(l, 12);
    const bool numbers = runs || format_ > 2;
    if (!numbers) {
      row("Size");
      const FontScope font(*l.fonts, Face::mono, 13);
      ImGui::SetNextItemWidth(l.u(80));
      ImGui::InputInt("##width", &width_, 0);
      ImGui::SameLine();
      ImGui::TextUnformatted("\xC3\x97");
      ImGui::SameLine();
      ImGui::SetNextItemWidth(l.u(80));
      ImGui::InputInt("##height", &height_, 0);
      width_ = std::clamp(width_, 200, 8000);
      height_ = std::clamp(height_, 150, 8000);
      gap(l, 12);
    }
    if (what_ == Figure::spy) {
      row("Part");
      const int part = segments(l, "part", {"whole matrix", "what is visible"}, visible_only_ ? 1 : 0);
      if (part >= 0) visible_only_ = part == 1;
      gap(l, 12);
    }
    const auto analysis = s.analyses.find(s.analysis.id);
    const bool something = what_ == Figure::roofline     ? true
                           : what_ == Figure::tuning     ? s.tuning && s.tuning->plane
                           : what_ == Figure::comparison ? s.comparison != nullptr
                           : what_ == Figure::analysis   ? analysis != s.analyses.end() && analysis->second.result
                           : what_ == Figure::memory     ? !memory_runs(s).empty()
                           : runs                        ? !s.list.rows.empty()
                                                         : s.current() && s.current()->matrix;
    const bool possible = !path_.empty() && something;
    ImGui::SetCursorPosY(ImGui::GetWindowHeight() - l.u(46));
    if (button(l, "Export", Weight::primary, l.u(100), possible) || (possible && pressed({Key::enter}))) {
      ExportFigure e{what_, path_, static_cast<double>(width_), static_cast<double>(height_), std::nullopt};
      if (visible_only_ && what_ == Figure::spy) e.window = ui.spy_window;
      ui.out(e);
    }
    if (!possible) {
      ImGui::SameLine(0, l.u(12));
      caption(l, what_ == Figure::comparison       ? "Ctrl+click two runs in the table first."
                 : runs || what_ == Figure::memory ? "There are no runs yet."
                 : what_ == Figure::tuning         ? "Nothing was tuned yet."
                 : what_ == Figure::analysis       ? "This analysis was not made yet."
                                                   : "Open a matrix first.");
    }
    end_dialog();
  }

 private:
  void restart(const AppState& s) {
    what_ = s.export_what;
    const auto* m = s.current();
    std::string name = what_ == Figure::roofline || what_ == Figure::runs || what_ == Figure::tuning ||
                               what_ == Figure::comparison || !m
                           ? std::string(name_of(what_))
                           : m->name + "-" + name_of(what_);
    for (char& c : name)
      if (c == '/' || c == '?' || c == '&' || c == '=' || c == ' ') c = '-';
    format_ = 0;
    path_ = name + (what_ == Figure::runs || what_ == Figure::comparison ? ".csv" : ".svg");
  }
  void set_ending(const std::string& ending) {
    const auto dot = path_.find_last_of('.');
    const auto slash = path_.find_last_of('/');
    const bool has = dot != std::string::npos && (slash == std::string::npos || dot > slash);
    path_ = (has ? path_.substr(0, dot) : path_) + "." + ending;
  }

  bool shown_ = false, visible_only_ = false;
  Figure what_ = Figure::roofline;
  int format_ = 0, width_ = 900, height_ = 600;
  std::string path_;
};

}  // namespace

std::unique_ptr<View> make_export_dialog() { return std::make_unique<ExportDialog>(); }

}  // namespace warpspy::ui
