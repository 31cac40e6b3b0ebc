#include <imgui.h>

#include <algorithm>
#include <string>

#include "core/catalog/guide.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/terms.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

constexpr float kGuideWidth = 620;  // longer lines are hard to read

// The guide for newcomers: chapters with a picture each, and a link to the tab that shows it.
class GuideTab final : public View {
 public:
  void draw(const AppState&, Ui& ui) override {
    const Look& l = ui.look;
    const float width = std::min(l.u(kGuideWidth), ImGui::GetContentRegionAvail().x);
    label(l, Face::bold, 18, l.palette->ink, "From a sparse matrix to its speed");
    caption(l, "Ten short chapters; each ends where you can see it at work. docs/guide.md has them with screenshots.");
    gap(l, 14);
    int number = 0;
    for (const Chapter& c : chapters()) chapter(ui, c, ++number, width);
    ImGui::Dummy(ImVec2(1, 1));
  }

 private:
  static void chapter(Ui& ui, const Chapter& c, int number, float width) {
    const Look& l = ui.look;
    ImGui::PushID(c.id);
    label(l, Face::bold, 15, l.palette->ink, std::to_string(number) + ". " + c.title);
    gap(l, 4);
    {
      const FontScope font(*l.fonts, Face::ui, 14);
      const std::string text = c.text;
      for (std::size_t from = 0; from < text.size();) {
        const auto end = std::min(text.find('\n', from), text.size());
        paragraph(l, l.palette->ink, text.substr(from, end - from), width);
        gap(l, 4);
        from = end + 1;
      }
    }
    if (*c.picture) {
      gap(l, 4);
      show_cells(l, c.picture, std::min(width, l.u(384)));
      caption(l, c.caption);
    }
    gap(l, 4);
    if (const ViewRow* row = view_row(c.tab))
      if (button(l, std::string("See it: ") + row->label)) ui.out(ShowTab{c.tab});
    gap(l, 18);
    ImGui::PopID();
  }
};

}  // namespace

extern const ViewRow guide_tab = {
    .id = "guide",
    .label = "Guide",
    .place = Place::tab,
    .group = Topic::learn,
    .help = "For newcomers: products, warps, sectors, caches, formats and the roofline in ten short chapters.",
    .scrolls = true,
    .make = make<GuideTab>,
};

}  // namespace warpspy::ui
