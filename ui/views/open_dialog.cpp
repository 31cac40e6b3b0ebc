#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "ui/views/dialog.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

std::string join(const std::string& folder, const std::string& name) {
  return folder.empty() || folder.back() == '/' ? folder + name : folder + "/" + name;
}
std::string parent(const std::string& folder) {
  const auto slash = folder.find_last_of('/');
  return slash == std::string::npos || slash == 0 ? "/" : folder.substr(0, slash);
}

class OpenDialog final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    if (!begin_dialog(s, ui, "Open a matrix", ImVec2(680, 520))) return;
    if (ImGui::IsWindowAppearing()) ui.out(BrowseFolder{s.listing.folder});
    const int k = segments(l, "kind", {"File", "Recent", "Generate"}, kind_);
    if (k >= 0) kind_ = k;
    gap(l, 12);
    if (kind_ == 0) files(s, ui);
    if (kind_ == 1) recent(s, ui);
    if (kind_ == 2) generate(ui);
    end_dialog();
  }

 private:
  void files(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    {
      const FontScope font(*l.fonts, Face::mono, 13);
      ImGui::SetNextItemWidth(-l.u(92));
      if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
      if (ImGui::InputTextWithHint("##path", "path of a matrix file, packed or not, or a folder", &path_,
                                   ImGuiInputTextFlags_EnterReturnsTrue))
        open(ui, path_);
    }
    ImGui::SameLine();
    if (button(l, "Open", Weight::primary, l.u(84), !path_.empty())) open(ui, path_);
    gap(l, 10);
    const auto& list = s.listing;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (button(l, "Up", Weight::quiet)) ui.out(BrowseFolder{parent(list.folder)});
    tip(l, "The folder above.");
    draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x + l.u(44), at.y + l.u(5)), Face::ui, 13, l.palette->muted,
              list.folder, ImGui::GetContentRegionAvail().x - l.u(48));
    hairline(l);
    ImGui::BeginChild("entries", ImVec2(0, 0), false);
    if (!list.problem.empty()) paragraph(l, l.palette->error, "\xE2\x9C\x97 " + list.problem);
    if (list.problem.empty() && list.entries.empty()) caption(l, "No matrices and no folders here.");
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(list.entries.size()), l.u(24));
    while (clipper.Step()) {
      for (int k = clipper.DisplayStart; k < clipper.DisplayEnd; ++k) {
        const auto& e = list.entries[static_cast<std::size_t>(k)];
        ImGui::PushID(k);
        if (ImGui::Selectable("##entry", false, 0, ImVec2(0, l.u(24) - ImGui::GetStyle().ItemSpacing.y))) {
          const std::string full = join(list.folder, e.name);
          if (e.is_folder)
            ui.out(BrowseFolder{full});
          else
            open(ui, full);
        }
        const ImVec2 from = ImGui::GetItemRectMin();
        const float right = ImGui::GetItemRectMax().x;
        auto* draw = ImGui::GetWindowDrawList();
        const std::string size = e.is_folder ? "" : bytes_text(static_cast<double>(e.bytes));
        draw_text(l, draw, ImVec2(from.x + l.u(4), from.y + l.u(2)), Face::ui, 13,
                  e.is_folder ? l.palette->muted : l.palette->ink, e.name + (e.is_folder ? "/" : ""),
                  right - from.x - l.u(90));
        draw_text(l, draw, ImVec2(right - l.u(4) - text_width(l, Face::mono, 13, size), from.y + l.u(2)), Face::mono,
                  13, l.palette->muted, size);
        ImGui::PopID();
      }
    }
    ImGui::EndChild();
  }

  static void recent(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    if (s.recent.empty()) return caption(l, "What you open is listed here, the newest first.");
    ImGui::BeginChild("recent", ImVec2(0, 0), false);
    for (std::size_t k = 0; k < s.recent.size(); ++k) {
      ImGui::PushID(static_cast<int>(k));
      if (ImGui::Selectable("##recent", false, 0, ImVec2(0, l.u(20)))) ui.out(OpenSource{s.recent[k]});
      const ImVec2 from = ImGui::GetItemRectMin();
      draw_text(l, ImGui::GetWindowDrawList(), ImVec2(from.x + l.u(4), from.y + l.u(2)), Face::ui, 13, l.palette->ink,
                s.recent[k], ImGui::GetItemRectSize().x - l.u(8));
      ImGui::PopID();
    }
    ImGui::EndChild();
  }

  void generate(Ui& ui) {
    const Look& l = ui.look;
    const auto& all = generators();
    if (all.empty()) return caption(l, "This build has no generators.");
    generator_ = std::min(generator_, all.size() - 1);
    const float list_w = l.u(200);
    ImGui::BeginChild("generators", ImVec2(list_w, 0), false);
    for (std::size_t k = 0; k < all.size(); ++k) {
      ImGui::PushID(static_cast<int>(k));
      if (ImGui::Selectable("##generator", k == generator_, 0, ImVec2(0, l.u(20)))) generator_ = k;
      const ImVec2 from = ImGui::GetItemRectMin();
      draw_text(l, ImGui::GetWindowDrawList(), ImVec2(from.x + l.u(4), from.y + l.u(2)), Face::ui, 13, l.palette->ink,
                all[k].label, list_w - l.u(12));
      tip(l, all[k].help);
      ImGui::PopID();
    }
    ImGui::EndChild();
    ImGui::SameLine(0, l.u(24));
    ImGui::BeginChild("form", ImVec2(0, 0), false);
    const auto& g = all[generator_];
    label(l, Face::bold, 15, l.palette->ink, g.label);
    caption(l, g.help + (g.source.empty() ? "" : "\n" + g.source));
    gap(l, 12);
    std::string spec = "gen:" + g.id;
    auto& values = values_[g.id];
    bool first = true;
    for (const auto& p : g.params) {
      double v = values.contains(p.id) ? values[p.id] : p.def;
      if (knob(l, p, v)) values[p.id] = v;
      gap(l, 6);
      if (v == p.def) continue;
      char number[40];
      std::snprintf(number, sizeof number, p.type == ParamSpec::Type::real ? "%.9g" : "%.0f", v);
      spec += (first ? "?" : "&") + p.id + "=" + (p.type == ParamSpec::Type::choice ? value_text(p, v) : number);
      first = false;
    }
    gap(l, 6);
    label(l, Face::mono, 13, l.palette->muted, spec);
    tip(l, "The same text opens the same matrix on the command line.");
    gap(l, 8);
    if (button(l, "Generate", Weight::primary)) ui.out(OpenSource{spec});
    ImGui::EndChild();
  }

  // A path that is a folder is listed, not opened; the session finds out which.
  static void open(Ui& ui, const std::string& path) {
    if (path.empty()) return;
    if (path.back() == '/')
      ui.out(BrowseFolder{path});
    else
      ui.out(OpenSource{path});
  }

  int kind_ = 0;
  std::string path_;
  std::size_t generator_ = 0;
  std::map<std::string, std::map<std::string, double>> values_;
};

}  // namespace

extern const ViewRow open_dialog = {
    .id = "open",
    .label = "Open",
    .place = Place::overlay,
    .help = "A Matrix Market file, or a generated matrix.",
    .keys = {key('O'), true},
    .opener = {"file.open", "File", "Open a matrix...", "file.save_session"},
    .make = make<OpenDialog>,
};

}  // namespace warpspy::ui
