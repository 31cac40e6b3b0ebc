// Commands that move between controls, panels, tabs and matrices, and those that divide and scale the window.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "ui/commands/commands.hpp"
#include "ui/views/view.hpp"

namespace warpspy::ui {

namespace {

template <FocusTo To>
void move(const AppState&, ActionSink& out) {
  out(MoveFocus{To});
}

template <int By>
void tab_by(const AppState& s, ActionSink& out) {
  const auto tabs = tab_rows();
  const auto at = std::find_if(tabs.begin(), tabs.end(), [&](const ViewRow* row) { return row->id == s.tab; });
  const int n = static_cast<int>(tabs.size()), now = at == tabs.end() ? 0 : static_cast<int>(at - tabs.begin());
  out(ShowTab{tabs[static_cast<std::size_t>((now + By + n) % n)]->id});
}

template <int By>
void matrix_by(const AppState& s, ActionSink& out) {
  const int n = static_cast<int>(s.matrices.size());
  for (int k = 0; k < n; ++k)
    if (s.matrices[static_cast<std::size_t>(k)].id == s.selected)
      return out(SelectMatrix{s.matrices[static_cast<std::size_t>((k + By + n) % n)].id});
}
std::string several_matrices(const AppState& s) {
  return s.matrices.size() > 1 ? "" : "There is no other open matrix to go to.";
}

// In steps of a quarter below 200 %, and of a half above.
template <int By>
void scale_by(const AppState& s, ActionSink& out) {
  const double step = s.scale + By * 0.01 > 2 ? 0.5 : 0.25;
  const double next =
      By > 0 ? std::floor(s.scale / step + 0.01) * step + step : std::ceil(s.scale / step - 0.01) * step - step;
  Settings settings = s.settings;
  settings.scale = std::clamp(next, kLeastScale, kMostScale);
  out(SetSettings{settings});
}
template <int By>
std::string can_scale(const AppState& s) {
  if (By > 0) return s.scale < kMostScale ? "" : "This is the largest scale.";
  return s.scale > kLeastScale ? "" : "This is the smallest scale.";
}

void side_by_side(const AppState& s, ActionSink& out) {
  Panes next = s.panes;
  const bool two = !next.beside.empty();
  next.beside = two ? "" : s.tab == "roofline" ? "runs" : "roofline";
  out(SetPanes{next});
}

using To = FocusTo;
const Command of_places[] = {
    {.id = "focus.next",
     .label = "Next control",
     .keys = {Key::tab},
     .help = "The keys go to the next control of the window, or of the dialog.",
     .perform = move<To::next>,
     .repeats = true},
    {.id = "focus.previous",
     .label = "Previous control",
     .keys = {Key::tab, false, true},
     .help = "The keys go to the control before.",
     .perform = move<To::previous>,
     .repeats = true},
    {.id = "focus.next_panel",
     .label = "Next panel",
     .keys = {Key::f6},
     .help = "The keys go to the first control of the next panel.",
     .perform = move<To::next_panel>,
     .repeats = true},
    {.id = "focus.previous_panel",
     .label = "Previous panel",
     .keys = {Key::f6, false, true},
     .help = "The keys go to the first control of the panel before.",
     .perform = move<To::previous_panel>,
     .repeats = true},
    {.id = "focus.menu",
     .label = "Go to the menus",
     .keys = {Key::f10},
     .help = "The keys go to the menus at the top.",
     .perform = move<To::menu>},
    {.id = "tab.next",
     .menu = "View",
     .label = "Next tab",
     .keys = {Key::page_down, true},
     .help = "In the order of the tabs; after the last comes the first.",
     .perform = tab_by<1>,
     .line_above = true,
     .of_desk = true,
     .repeats = true},
    {.id = "tab.previous",
     .menu = "View",
     .label = "Previous tab",
     .keys = {Key::page_up, true},
     .help = "In the order of the tabs.",
     .perform = tab_by<-1>,
     .of_desk = true,
     .repeats = true},
    {.id = "view.beside",
     .menu = "View",
     .label = "Two tabs side by side",
     .keys = {key('\\'), true},
     .help = "Shows another tab beside the open one; which one is chosen above it.",
     .perform = side_by_side,
     .checked = [](const AppState& s) { return !s.panes.beside.empty(); },
     .line_above = true},
    {.id = "view.divide",
     .menu = "View",
     .label = "Divide the window as at first",
     .help = "Panels, splitters and tabs as they are when the program is new.",
     .perform = [](const AppState&, ActionSink& out) { out(SetPanes{}); }},
    {.id = "scale.up",
     .menu = "View",
     .label = "Larger",
     .keys = {key('='), true},
     .help = "Everything in the window; Ctrl with plus.",
     .why_not = can_scale<1>,
     .perform = scale_by<1>,
     .line_above = true,
     .also = {key('='), true, true},
     .repeats = true},
    {.id = "scale.down",
     .menu = "View",
     .label = "Smaller",
     .keys = {key('-'), true},
     .help = "Everything in the window; Ctrl with minus.",
     .why_not = can_scale<-1>,
     .perform = scale_by<-1>,
     .repeats = true},
    {.id = "scale.reset",
     .menu = "View",
     .label = "Scale of the monitor",
     .keys = {key('0'), true},
     .help = "As large as the monitor asks for.",
     .perform =
         [](const AppState& s, ActionSink& out) {
           Settings next = s.settings;
           next.scale = 0;
           out(SetSettings{next});
         }},
};
const Command of_matrices[] = {
    {"matrix.next",
     "Matrix",
     "Next matrix",
     {Key::tab, true},
     "Of those that are open; after the last comes the first.",
     several_matrices,
     matrix_by<1>,
     nullptr,
     true,
     {},
     false,
     {},
     true,
     true},
    {"matrix.previous",
     "Matrix",
     "Previous matrix",
     {Key::tab, true, true},
     "Of those that are open.",
     several_matrices,
     matrix_by<-1>,
     nullptr,
     false,
     {},
     false,
     {},
     true,
     true},
};

}  // namespace

void add_place_commands(std::vector<Command>& all) {
  const auto before = [&](const char* id) {
    return std::find_if(all.begin(), all.end(), [&](const Command& c) { return c.id == id; });
  };
  all.insert(before("theme.paper"), std::begin(of_places), std::end(of_places));
  all.insert(before("shade.linear"), std::begin(of_matrices), std::end(of_matrices));
}

}  // namespace warpspy::ui
