#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string>

#include "core/base/numbers.hpp"
#include "core/base/splitmix.hpp"
#include "core/run/examples.hpp"
#include "ui/platform/compat.hpp"
#include "ui/state/choice_rows.hpp"
#include "ui/views/dialog.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

// Points of a sketch: row and column in 0 to 1 of point k of n.
struct Dot {
  double row, col;
};
double random_of(int k, int which) {
  return static_cast<double>(splitmix::mixed(static_cast<std::uint64_t>(4 * k + which)) >> 11) * 0x1p-53;
}
Dot grid(int k, int n) {
  const double at = random_of(k, 0), off[] = {0, 0.03, -0.03, 0.22, -0.22};
  return {at, at + off[k * 5 / n]};
}
Dot power_law(int k, int) { return {std::pow(random_of(k, 0), 4), std::pow(random_of(k, 1), 4)}; }
Dot arrow(int k, int n) {
  const double at = random_of(k, 0);
  return k < n / 2 ? Dot{at, at} : k < 3 * n / 4 ? Dot{0.985, at} : Dot{at, 0.985};
}

// A sketch for each of examples(), in the same order.
constexpr Dot (*kSketches[])(int k, int n) = {grid, power_law, arrow};

// Shown once, if there is no desk to restore.
class WelcomeDialog final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    if (!begin_dialog(s, ui, "Welcome to Warpspy", ImVec2(680, 388))) return;
    paragraph(l, l.palette->ink, "See what a GPU does with a sparse matrix. Begin with an example:");
    gap(l, 10);
    const float w = std::floor((ImGui::GetContentRegionAvail().x - l.u(24)) / 3);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const auto shown = examples();
    for (std::size_t k = 0; k < std::min(shown.size(), std::size(kSketches)); ++k) {
      ImGui::SetCursorScreenPos(ImVec2(at.x + static_cast<float>(k) * (w + l.u(12)), at.y));
      if (card_button(l, shown[k], kSketches[k], ImVec2(w, l.u(212)))) open(ui, shown[k]);
    }
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + l.u(228)));
    if (button(l, "Open a file...", Weight::primary)) ui.out(ShowDialog{"open"});
    tip(l, "A matrix in any of the usual formats, packed or not.");
    ImGui::SameLine(0, l.u(8));
    if (button(l, "Read the guide")) {
      ui.out(ShowTab{"guide"});
      ui.out(ShowDialog{});
    }
    tip(l, "What a sparse product, its formats, warps, sectors and the roofline are, in ten short chapters.");
    lessons(s, ui);
    gap(l, 8);
    caption(l, "Matrix files can also be dropped onto the window.");
    end_dialog(ui);
  }

 private:
  // Opens the matrix, and sets the choices of the next run that the example is about.
  static void open(Ui& ui, const Example& e) {
    ui.out(OpenSource{e.source});
    ui.out(choose("cache state", e.caches));
    ui.out(choose("parts", std::uint64_t{1}));
    ui.out(SetKernel{*e.kernel ? e.kernel : RunRequest{}.kernel});
  }

  // A link to the lessons, beside the guide.
  static void lessons(const AppState& s, Ui& ui) {
    if (s.lesson.list.empty()) return;
    const Look& l = ui.look;
    std::vector<Choice> choices = {{"Follow a lesson\xE2\x80\xA6", "", false, "Each asks before it shows."}};
    for (const LessonEntry& e : s.lesson.list)
      choices.push_back({e.title, counted(static_cast<index_t>(e.steps), "step"), true, "Predict, run, see."});
    ImGui::SameLine(0, l.u(8));
    ImGui::BeginChild("lessons", ImVec2(std::min(l.u(250), ImGui::GetContentRegionAvail().x), l.u(30)), false,
                      ImGuiWindowFlags_NoScrollbar);
    const int picked = choose(l, "##lessons", choices, 0);
    end_child();
    if (picked > 0) ui.out(OpenLesson{s.lesson.list[static_cast<std::size_t>(picked) - 1].file});
  }

  static bool card_button(const Look& l, const Example& e, Dot (*sketch)(int k, int n), ImVec2 size) {
    const Palette& p = *l.palette;
    ImGui::PushID(e.name);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    bool clicked = ImGui::InvisibleButton("card", size);
    if (key_stop(l, "card", Focus::Takes::press).pressed) clicked = true;
    show_item(l, e.name);
    const bool hot = ImGui::IsItemHovered();
    auto* list = ImGui::GetWindowDrawList();
    const ImVec2 to(at.x + size.x, at.y + size.y);
    list->AddRectFilled(at, to, u32(hot ? p.control_hot : p.control), l.u(6));
    const float side = l.u(96);
    const ImVec2 box(at.x + l.u(12), at.y + l.u(12));
    list->AddRectFilled(box, ImVec2(box.x + side, box.y + side), u32(p.panel), l.u(2));
    constexpr int dots = 420;
    const float dot = std::max(1.f, l.u(1.5f));
    for (int k = 0; k < dots; ++k) {
      const Dot d = sketch(k, dots);
      if (d.row < 0 || d.row >= 1 || d.col < 0 || d.col >= 1) continue;
      const ImVec2 a(box.x + static_cast<float>(d.col) * (side - dot),
                     box.y + static_cast<float>(d.row) * (side - dot));
      list->AddRectFilled(a, ImVec2(a.x + dot, a.y + dot), u32(p.accent));
    }
    draw_text(l, list, ImVec2(box.x, box.y + side + l.u(10)), Face::bold, 13, p.ink, e.name);
    const FontScope font(*l.fonts, Face::ui, 12);
    const std::string why = broken_at_spaces(e.why, size.x - l.u(24));
    list->AddText(ImVec2(box.x, box.y + side + l.u(30)), u32(p.muted), why.c_str());
    show_text(l, e.why);
    ImGui::PopID();
    return clicked;
  }
};

}  // namespace

extern const ViewRow welcome_dialog = {
    .id = "welcome",
    .label = "Welcome",
    .place = Place::overlay,
    .help = "Three examples, a file, or the guide.",
    .opener = {"help.welcome", "Help", "Welcome and examples...", "help.about"},
    .make = make<WelcomeDialog>,
};

}  // namespace warpspy::ui
