#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>

#include "core/plot/export.hpp"
#include "core/plot/page.hpp"
#include "ui/canvas/imgui_canvas.hpp"
#include "ui/figures/figure.hpp"
#include "ui/platform/compat.hpp"
#include "ui/platform/input.hpp"
#include "ui/views/dialog.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/choose.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

const std::vector<std::string> picture_endings = {"svg", "pdf", "png", "pgf", "tex", "csv", "json"};
const std::vector<std::string> number_endings = {"csv", "json"};
constexpr std::size_t picture_formats = 5;  // the first so many formats are pictures
constexpr float controls_width = 420;

const std::vector<std::string>& endings_of(const FigureRow& row) {
  return row.picture() ? picture_endings : number_endings;
}

std::string millimetres(double px) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", px / plot::kPxPerMm);
  return text;
}

class ExportDialog final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    if (!begin_dialog(s, ui, "Export", ImVec2(1160, 640))) {
      row_ = nullptr;
      return;
    }
    const FigureRow* wanted = figure_row(s.exporting.what);
    if (wanted && row_ != wanted) restart(s, *wanted);
    if (!row_) return end_dialog(ui);
    ImGui::BeginChild("controls", ImVec2(l.u(controls_width), 0), false, ImGuiWindowFlags_NoScrollbar);
    what(s, ui);
    format(l);
    file(l);
    if (draws()) page(l);
    if (draws() && row_->in_part()) part(l);
    go(s, ui);
    end_child();
    ImGui::SameLine(0, l.u(20));
    ImGui::BeginChild("preview", ImVec2(0, 0), false, ImGuiWindowFlags_HorizontalScrollbar);
    if (draws()) preview(s, ui);
    end_child();
    end_dialog(ui);
  }

 private:
  static void name(const Look& l, const char* text) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x, at.y + l.u(2)), Face::ui, 13, l.palette->muted, text);
    ImGui::SetCursorScreenPos(ImVec2(at.x + l.u(70), at.y));
  }

  // The index of the file's ending in the list; -1 if it is not there.
  int format_now() const {
    const auto& endings = endings_of(*row_);
    for (std::size_t k = 0; k < endings.size(); ++k)
      if (path_.ends_with("." + endings[k])) return static_cast<int>(k);
    return -1;
  }
  bool draws() const {
    const int now = format_now();
    return row_->picture() && now >= 0 && now < static_cast<int>(picture_formats);
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
    end_child();
    if (picked >= 0 && picked != now) ui.out(ShowExport{figure_rows()[static_cast<std::size_t>(picked)]->id});
    gap(l, 12);
  }

  void format(const Look& l) {
    name(l, "Format");
    const auto& endings = endings_of(*row_);
    const int picked = segments(l, "format", endings, format_now());
    if (picked >= 0) set_ending(endings[static_cast<std::size_t>(picked)]);
    tip(l,
        "SVG, PDF and PNG are pictures, PGF a drawing that LaTeX sets in the document's fonts. CSV and JSON hold the "
        "numbers behind them with their provenance.");
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

  void page(const Look& l) {
    name(l, "Page");
    std::vector<std::string> words;
    int now = -1;
    for (const plot::PagePreset& preset : plot::page_presets()) {
      if (preset.id == page_.preset) now = static_cast<int>(words.size());
      words.emplace_back(preset.word);
    }
    const int picked = segments(l, "page", words, now);
    if (picked >= 0) set_preset(plot::page_presets()[static_cast<std::size_t>(picked)]);
    gap(l, 12);
    if (page_.on_paper())
      font(l);
    else
      size(l);
    name(l, "Colours");
    const std::vector<std::string> colours = {"screen", "print", "grey"};
    const int colour = segments(l, "colours", colours, static_cast<int>(page_.colours));
    if (colour >= 0) page_.colours = static_cast<plot::Colours>(colour);
    tip(l, "print: darker words and a paler grid. grey: told apart where a printer has no colours, too.");
    gap(l, 12);
    name(l, "Show");
    if (toggle(l, "title", page_.title)) page_.title = !page_.title;
    ImGui::SameLine(0, l.u(16));
    if (toggle(l, "legend", page_.legend)) page_.legend = !page_.legend;
    gap(l, 12);
  }

  void set_preset(const plot::PagePreset& preset) {
    plot::Page page = plot::page_of(preset);
    page.title = page_.title, page.legend = page_.legend;
    if (!page.on_paper()) page.width = width_, page.height = height_;
    page_ = page;
  }

  void font(const Look& l) {
    name(l, "Texts");
    const FontScope mono(*l.fonts, Face::mono, 13);
    ImGui::SetNextItemWidth(l.u(80));
    ImGui::InputDouble("##font", &page_.font_pt, 0, 0, "%.4g");
    text_stop(l, "##font");
    ImGui::SameLine(0, l.u(8));
    ImGui::TextUnformatted("pt");
    page_.font_pt = std::clamp(page_.font_pt, plot::kLeastPt, plot::kMostPt);
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
    page_.width = width_, page_.height = height_;
    gap(l, 12);
  }

  void part(const Look& l) {
    name(l, "Part");
    const int part = segments(l, "part", {"whole matrix", "what is visible"}, visible_only_ ? 1 : 0);
    if (part >= 0) visible_only_ = part == 1;
    gap(l, 12);
  }

  std::optional<Window> part_of(const Ui& ui) const {
    return visible_only_ && row_->in_part() ? ui.spy_window : std::nullopt;
  }

  void go(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    const Exporting& e = s.exporting;
    const std::string reason = row_->reason(s);
    const std::string wrong = path_.empty() ? "Name a file." : plot::wrong_ending(path_, row_->picture());
    const bool over = !path_.empty() && path_ == e.exists;
    const bool possible = reason.empty() && wrong.empty() && !e.writing;
    if (button(l, over ? "Write over it" : "Export", Weight::primary, l.u(over ? 130 : 100), possible) ||
        (possible && !over && entered(l)))
      ui.out(ExportFigure{.what = row_->id, .path = path_, .page = page_, .window = part_of(ui), .overwrite = over});
    ImGui::SameLine(0, l.u(12));
    all(l, ui, "Export all", false, !e.writing);
    ImGui::SameLine(0, l.u(12));
    all(l, ui, "All as a zip", true, !e.writing);
    gap(l, 10);
    const Color warning = l.palette->warning;
    if (!reason.empty() || !wrong.empty())
      paragraph(l, wrong.empty() ? l.palette->muted : warning, reason.empty() ? wrong : reason);
    else if (over)
      paragraph(l, warning, "This file exists already.");
    else if (!e.problem.empty())
      paragraph(l, l.palette->error, e.problem);
    else if (e.writing)
      caption(l, "Writing...");
  }

  void all(const Look& l, Ui& ui, const char* words, bool zip, bool possible) const {
    if (button(l, words, Weight::plain, l.u(100), possible)) {
      const auto slash = path_.find_last_of('/');
      ui.out(ExportAll{slash == std::string::npos ? "" : path_.substr(0, slash), page_, zip});
    }
    tip(l,
        std::string(
            "Every figure that there is, on this page: SVG, PDF, numbers, captions, and a report for any browser. ") +
            (zip ? "One new archive" : "A new folder") + " beside the file.");
  }

  // The page at its final size, and notes about it.
  void preview(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    const PreviewFigure wanted{.what = row_->id, .page = page_, .window = part_of(ui), .scale = l.u(1)};
    if (row_->reason(s).empty() && !(asked_ && *asked_ == wanted)) {
      ui.out(wanted);
      asked_ = wanted;
    }
    const Exporting& e = s.exporting;
    if (!e.no_preview.empty()) return paragraph(l, l.palette->error, e.no_preview);
    if (!e.preview) return caption(l, "Drawing...");
    const plot::Fitted& f = e.preview->fitted;
    caption(l, said_of(f));
    if (f.left_out > 0)
      paragraph(l, l.palette->warning, "Not all words have room on this page: choose a larger one, or show less.");
    gap(l, 4);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const auto w = static_cast<float>(e.preview->width), h = static_cast<float>(e.preview->height);
    ImGuiCanvas canvas(ImGui::GetWindowDrawList(), l, ui.images);
    canvas.image({std::floor(at.x), std::floor(at.y), w, h}, e.preview->width, e.preview->height, e.preview->rgba);
    canvas.stroke_rect({std::floor(at.x), std::floor(at.y), w, h}, l.palette->outline, 1);
    ImGui::Dummy(ImVec2(w + 2, h + 2));
  }

  std::string said_of(const plot::Fitted& f) const {
    if (!page_.on_paper())
      return "as in the window, " + std::to_string(width_) + " \xC3\x97 " + std::to_string(height_);
    std::string text =
        millimetres(f.width) + " \xC3\x97 " + millimetres(f.height) + " mm, texts of " + pt_text(f.font_pt) + " pt";
    if (f.font_pt < page_.font_pt) text += ": not all had room at " + pt_text(page_.font_pt);
    return text;
  }
  static std::string pt_text(double v) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", v);
    return text;
  }

  void restart(const AppState& s, const FigureRow& row) {
    const bool opened = row_ == nullptr;
    row_ = &row;
    asked_.reset();
    if (opened) page_ = s.exporting.page;
    const auto* m = s.current();
    std::string name = row.of_matrix && m ? m->name + "-" + row.id : row.id;
    for (char& c : name)
      if (c == '/' || c == '?' || c == '&' || c == '=' || c == ' ') c = '-';
    const std::string& folder = s.exporting.folder;
    path_ = (folder.empty() || folder.ends_with('/') ? folder : folder + "/") + name + "." + endings_of(row).front();
  }

  void set_ending(const std::string& ending) {
    const auto dot = path_.find_last_of('.');
    const auto slash = path_.find_last_of('/');
    const bool has = dot != std::string::npos && (slash == std::string::npos || dot > slash);
    path_ = (has ? path_.substr(0, dot) : path_) + "." + ending;
  }

  const FigureRow* row_ = nullptr;  // nullptr while the dialog is closed
  bool visible_only_ = false;
  int width_ = 900, height_ = 600;  // px, of the page screen
  plot::Page page_;
  std::string path_;
  std::optional<PreviewFigure> asked_;  // the last preview that was requested
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
