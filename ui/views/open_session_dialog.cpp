#include <imgui.h>
#include <imgui_stdlib.h>

#include "ui/views/dialog.hpp"
#include "ui/views/session_list.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

class OpenSessionDialog final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    if (!begin_dialog(s, ui, "Open a session", ImVec2(620, 440))) return;
    const bool appears = ImGui::IsWindowAppearing();
    if (appears) ui.out(BrowseFolder{s.listing.folder});
    bool enter = false;
    {
      const FontScope font(*l.fonts, Face::mono, 13);
      ImGui::SetNextItemWidth(-l.u(92));
      enter = ImGui::InputTextWithHint("##path", "path of a session (.warpspy)", &path_,
                                       ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
      text_stop(l, "##path", appears);
    }
    ImGui::SameLine();
    if ((button(l, "Open", Weight::primary, l.u(84), !path_.empty()) || enter) && !path_.empty())
      ui.out(OpenSession{path_});
    gap(l, 10);
    if (const auto picked = session_list(s, ui, 268)) ui.out(OpenSession{*picked});
    gap(l, 6);
    caption(l, "It takes the place of what is open, which can be brought back from the File menu.");
    end_dialog(ui);
  }

 private:
  std::string path_;
};

}  // namespace

extern const ViewRow open_session_dialog = {
    .id = "open_session",
    .label = "Open a session",
    .place = Place::overlay,
    .help = "A desk that was saved, with its runs; it takes the place of what is open.",
    .keys = {key('D'), true, true},
    .opener = {"file.open_session", "File", "Open a session...", "file.save_session"},
    .make = make<OpenSessionDialog>,
};

}  // namespace warpspy::ui
