// Commands that go from place to place: controls, panels, tabs, matrices; and how the window is divided and scaled.
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
  std::vector<const char*> ids;
  for (const ViewRow* row : view_rows())
    if (row->place == Place::tab) ids.push_back(row->id);
  const auto at = std::find(ids.begin(), ids.end(), s.tab);
  const int n = static_cast<int>(ids.size()), now = at == ids.end() ? 0 : static_cast<int>(at - ids.begin());
  out(ShowTab{ids[static_cast<std::size_t>((now + By + n) % n)]});
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

// In steps of a quarter below 200 %, of a half above.
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
    {"focus.next",
     "",
     "Next control",
     {Key::tab},
     "The keys go to the next control of the window, or of the dialog.",
     nullptr,
     move<To::next>,
     nullptr,
     false,
     {},
     false,
     {},
     false,
     true},
    {"focus.previous",
     "",
     "Previous control",
     {Key::tab, false, true},
     "The keys go to the control before.",
     nullptr,
     move<To::previous>,
     nullptr,
     false,
     {},
     false,
     {},
     false,
     true},
    {"focus.next_panel",
     "",
     "Next panel",
     {Key::f6},
     "The keys go to the first control of the next panel.",
     nullptr,
     move<To::next_panel>,
     nullptr,
     false,
     {},
     false,
     {},
     false,
     true},
    {"focus.previous_panel",
     "",
     "Previous panel",
     {Key::f6, false, true},
     "The keys go to the first control of the panel before.",
     nullptr,
     move<To::previous_panel>,
     nullptr,
     false,
     {},
     false,
     {},
     false,
     true},
    {"focus.menu", "", "Go to the menus", {Key::f10}, "The keys go to the menus at the top.", nullptr, move<To::menu>},
    {"tab.next",
     "View",
     "Next tab",
     {Key::page_down, true},
     "In the order of the tabs; after the last comes the first.",
     nullptr,
     tab_by<1>,
     nullptr,
     true,
     {},
     false,
     {},
     true,
     true},
    {"tab.previous",
     "View",
     "Previous tab",
     {Key::page_up, true},
     "In the order of the tabs.",
     nullptr,
     tab_by<-1>,
     nullptr,
     false,
     {},
     false,
     {},
     true,
     true},
    {"view.beside",
     "View",
     "Two tabs side by side",
     {key('\\'), true},
     "Shows another tab beside the open one; which one is chosen above it.",
     nullptr,
     side_by_side,
     [](const AppState& s) { return !s.panes.beside.empty(); },
     true},
    {"view.divide",
     "View",
     "Divide the window as at first",
     {},
     "Panels, splitters and tabs as they are when the program is new.",
     nullptr,
     [](const AppState&, ActionSink& out) { out(SetPanes{}); }},
    {"scale.up",
     "View",
     "Larger",
     {key('='), true},
     "Everything in the window; Ctrl with plus.",
     can_scale<1>,
     scale_by<1>,
     nullptr,
     true,
     {key('='), true, true},
     false,
     {},
     false,
     true},
    {"scale.down",
     "View",
     "Smaller",
     {key('-'), true},
     "Everything in the window; Ctrl with minus.",
     can_scale<-1>,
     scale_by<-1>,
     nullptr,
     false,
     {},
     false,
     {},
     false,
     true},
    {"scale.reset",
     "View",
     "Scale of the monitor",
     {key('0'), true},
     "As large as the monitor asks for.",
     nullptr,
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
