#include <imgui.h>

#include "ui/views/dialog.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

class AboutDialog final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    if (!begin_dialog(s, ui, "About Warpspy", ImVec2(420, 210))) return;
    paragraph(l, l.palette->ink,
              "Warpspy shows what a GPU does with a sparse matrix: its pattern, its row lengths, the kernels that "
              "multiply it, "
              "their memory traffic and their place on the roofline.");
    gap(l, 8);
    if (!s.version.empty()) label(l, Face::mono, 13, l.palette->ink, "Version " + s.version);
    caption(l, "MIT licence. Numbers say where they come from: measured, derived or modelled.");
    end_dialog(ui);
  }
};

}  // namespace

extern const ViewRow about_dialog = {
    .id = "about",
    .label = "About",
    .place = Place::overlay,
    .help = "Version and licence.",
    .opener = {"help.about", "Help", "About Warpspy"},
    .make = make<AboutDialog>,
};

}  // namespace warpspy::ui
