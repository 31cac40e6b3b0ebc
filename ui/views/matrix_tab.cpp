#include <imgui.h>

#include <algorithm>

#include "ui/platform/compat.hpp"
#include "ui/views/cover.hpp"
#include "ui/views/histogram_panel.hpp"
#include "ui/views/roofline_panel.hpp"
#include "ui/views/runs_panel.hpp"
#include "ui/views/spy_panel.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/panel.hpp"
#include "ui/widgets/splitter.hpp"

namespace warpspy::ui {

namespace {

// The first screen: pattern and row lengths on the left, roofline and runs on the right.
class MatrixTab final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    const bool narrow = ImGui::GetContentRegionAvail().x < l.u(560);  // for two columns
    const ImVec2 room = room_at_least(l, 420), at = ImGui::GetCursorScreenPos();
    const float gutter = l.u(24);
    const auto place = [&](const char* id, float x, float y, float w, float h, auto& panel) {
      if (l.focus) l.focus->panel(id);
      begin_panel(l, id, ImVec2(at.x + x, at.y + y), ImVec2(w, h));
      const bool of_runs = &panel == static_cast<void*>(&roofline_) || &panel == static_cast<void*>(&runs_);
      if (!of_runs || !draw_cover(s, ui, Covered::result)) panel.draw(s, ui, ImVec2(w, h));
      end_child();
    };
    if (narrow) {  // one below the other
      float y = 0;
      const auto below = [&](const char* id, float h, auto& panel) {
        place(id, 0, y, room.x, h, panel);
        y += h + l.u(20);
      };
      below("spy", std::clamp(room.x, l.u(220), l.u(360)), spy_);
      below("rows", l.u(220), histogram_);
      below("roofline", l.u(280), roofline_);
      below("runs", l.u(220), runs_);
      if (l.focus) l.focus->panel("");
      return;
    }
    const Panes& panes = s.panes;
    const auto cut = [&](const char* name, double otherwise) {
      return static_cast<float>(cut_of(panes, name, otherwise));
    };
    const float between = l.u(20), across = room.x - gutter, down = room.y - between;
    const float left = std::floor(across * cut(kMiddle, kHalf)), right = across - left;
    const float spy = std::floor(down * cut(kLeftCut, kUpper)), roof = std::floor(down * cut(kRightCut, kUpper));
    const float x = left + gutter;
    place("spy", 0, 0, left, spy, spy_);
    place("rows", 0, spy + between, left, down - spy, histogram_);
    place("roofline", x, 0, right, roof, roofline_);
    place("runs", x, roof + between, right, down - roof, runs_);
    if (l.focus) l.focus->panel("");
    const auto edge = [&](const char* name, double otherwise, ImVec2 from, ImVec2 size, bool upright, float all) {
      const SplitterMove move = splitter(l, name, ImVec2(at.x + from.x, at.y + from.y), size, upright);
      if ((!move.reset && move.by == 0) || all <= 0) return;
      Panes next = panes;
      next.cuts[name] =
          move.reset ? otherwise : moved_cut(cut_of(panes, name, otherwise), static_cast<double>(move.by / all));
      ui.out(SetPanes{next});
    };
    const float thick = l.u(8), top = l.u(4);
    edge(kMiddle, kHalf, ImVec2(left + gutter / 2 - thick / 2, 0), ImVec2(thick, room.y), true, across);
    edge(kLeftCut, kUpper, ImVec2(0, spy + top), ImVec2(left, thick), false, down);
    edge(kRightCut, kUpper, ImVec2(x, roof + top), ImVec2(right, thick), false, down);
  }

 private:
  // Names of the splitters, and their initial positions.
  static constexpr const char *kMiddle = "matrix.middle", *kLeftCut = "matrix.left", *kRightCut = "matrix.right";
  static constexpr double kHalf = 0.5, kUpper = 0.62;

  SpyPanel spy_;
  HistogramPanel histogram_;
  RooflinePanel roofline_;
  RunsPanel runs_;
};

}  // namespace

extern const ViewRow matrix_tab = {
    .id = "matrix",
    .label = "Overview",
    .place = Place::tab,
    .group = Topic::matrix,
    .help = "Pattern, row lengths, roofline and runs together.",
    .scrolls = true,
    .make = make<MatrixTab>,
};

}  // namespace warpspy::ui
