#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "core/session/desk.hpp"
#include "ui/views/dialog.hpp"
#include "ui/views/session_list.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

class SaveSessionDialog final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    if (!begin_dialog(s, ui, "Save the session", ImVec2(620, 440))) return;
    const bool appears = ImGui::IsWindowAppearing();
    if (appears) begin(s, ui);
    // The folder's name is known a moment later.
    if (path_.empty() && !s.listing.folder.empty()) path_ = path_in(s.listing.folder, name_);
    bool enter = false;
    {
      const FontScope font(*l.fonts, Face::mono, 13);
      ImGui::SetNextItemWidth(-l.u(92));
      enter =
          ImGui::InputText("##path", &path_, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
      text_stop(l, "##path", appears);
    }
    ImGui::SameLine();
    if ((button(l, "Save", Weight::primary, l.u(84), !path_.empty()) || enter) && !path_.empty())
      ui.out(SaveSession{path_, true});
    gap(l, 10);
    if (auto picked = session_list(s, ui, 250)) path_ = *std::move(picked);
    gap(l, 6);
    if (replaces(s))
      label(l, Face::ui, 13, l.palette->warning, "! This replaces the session of that name.");
    else
      caption(l, "Matrices are saved by path and contents, generated ones by recipe, runs with all their numbers.");
    end_dialog(ui);
  }

 private:
  void begin(const AppState& s, Ui& ui) {
    const auto slash = s.session.find_last_of('/');
    ui.out(BrowseFolder{s.session.empty() ? s.listing.folder : s.session.substr(0, slash)});
    const auto* m = s.current();
    name_ = (m ? m->name : std::string("desk")) + kDeskEnding;
    for (char& c : name_)
      if (c == '/' || c == '?' || c == '&' || c == '=' || c == ' ') c = '-';
    path_ = s.session;
  }

  bool replaces(const AppState& s) const {
    return std::any_of(s.listing.entries.begin(), s.listing.entries.end(), [&](const FolderEntry& e) {
      const std::string full = path_in(s.listing.folder, e.name);
      return !e.is_folder && (full == path_ || full == path_ + kDeskEnding);
    });
  }

  std::string path_, name_;
};

}  // namespace

extern const ViewRow save_session_dialog = {
    .id = "save_session",
    .label = "Save the session",
    .place = Place::overlay,
    .help = "What is open, how it is looked at, and every run, in a file of another name.",
    .keys = {key('S'), true, true},
    .opener = {"file.save_session_as", "File", "Save the session as...", "file.bring_back"},
    .make = make<SaveSessionDialog>,
};

}  // namespace warpspy::ui
