#include <imgui.h>

#include <algorithm>
#include <string>

#include "ui/platform/compat.hpp"
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

// Desks that can be restored. After a crash none is opened automatically, since it may have caused the crash.
class RecoverDialog final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    const auto shown = std::min<std::size_t>(5, s.offers.size());
    if (!begin_dialog(s, ui, "Bring the desk back?", ImVec2(520, 148.f + kLine * static_cast<float>(shown)))) return;
    if (s.offers.empty()) {
      caption(l, "There is no desk to bring back.");
      return end_dialog(ui);
    }
    const bool crashed = std::any_of(s.offers.begin(), s.offers.end(), [](const DeskOffer& o) { return o.crashed; });
    paragraph(l, l.palette->ink,
              crashed ? "Warpspy did not end as it should. What lay on the desk is kept."
                      : "What lay on a desk before, or in another window, is kept.");
    gap(l, 6);
    ImGui::BeginChild("desks", ImVec2(0, -l.u(66)), false);
    for (std::size_t k = 0; k < s.offers.size(); ++k) line(s.offers[k], k, ui);
    end_child();
    caption(l, "Who starts empty finds them in the File menu.");
    ImGui::SetCursorPosY(ImGui::GetWindowHeight() - l.u(46));
    if (button(l, "Start empty")) ui.out(ShowDialog{});
    if (entered(l)) ui.out(BringBack{s.offers.front().file});
    end_dialog(ui);
  }

 private:
  static constexpr float kLine = 38;

  static void line(const DeskOffer& o, std::size_t k, Ui& ui) {
    const Look& l = ui.look;
    ImGui::PushID(static_cast<int>(k));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (button(l, "Bring it back", k == 0 ? Weight::primary : Weight::plain)) ui.out(BringBack{o.file});
    ImGui::SetCursorScreenPos(ImVec2(at.x + l.u(128), at.y + l.u(2)));
    label(l, Face::ui, 13, l.palette->ink, o.contents);
    ImGui::SetCursorScreenPos(ImVec2(at.x + l.u(128), at.y + l.u(17)));
    label(l, Face::ui, 12, o.crashed ? l.palette->warning : l.palette->muted,
          (o.crashed ? "! crashed, saved " : "saved ") + time_text(o.saved));
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + l.u(kLine)));
    ImGui::PopID();
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
