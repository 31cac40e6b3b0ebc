#include <imgui.h>

#include "ui/platform/input.hpp"
#include "ui/views/dialog.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

// "2026-11-23T08:05:00Z" as people read it.
std::string time_text(const std::string& utc) {
  return utc.size() < 16 ? utc : utc.substr(0, 10) + ", " + utc.substr(11, 5) + " UTC";
}

// After a crash: nothing is opened by itself, since it may be what brought the program down.
class RecoverDialog final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    if (!begin_dialog(s, ui, "Bring the desk back?", ImVec2(460, 168))) return;
    if (!s.offer) {
      caption(l, "There is no desk to bring back.");
      return end_dialog(ui);
    }
    paragraph(l, l.palette->ink, "Warpspy did not end as it should. What lay on the desk is kept.");
    gap(l, 6);
    caption(l, s.offer->contents + ", saved " + time_text(s.offer->saved));
    caption(l, "Who starts empty finds it in the File menu.");
    ImGui::SetCursorPosY(ImGui::GetWindowHeight() - l.u(46));
    if (button(l, "Bring it back", Weight::primary) || entered(l)) ui.out(BringBack{});
    ImGui::SameLine(0, l.u(8));
    if (button(l, "Start empty")) ui.out(ShowDialog{});
    end_dialog(ui);
  }
};

}  // namespace

extern const ViewRow recover_dialog = {
    .id = "recover",
    .label = "Bring the desk back",
    .place = Place::overlay,
    .help = "What lay on the desk when the program ended as it should not.",
    .make = make<RecoverDialog>,
};

}  // namespace warpspy::ui
