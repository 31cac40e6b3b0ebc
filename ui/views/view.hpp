// A view draws the state and emits actions; it does nothing else.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "ui/platform/input.hpp"
#include "ui/views/ui.hpp"

namespace warpspy::ui {

class View {
 public:
  virtual ~View() = default;
  // Into the current window or child, from the cursor to the end of the content region.
  virtual void draw(const AppState& s, Ui& ui) = 0;
};

enum class Place : std::uint8_t { tab, left, right, top, bottom, overlay };

// The command that opens a dialog. A tab needs none: its command is tab.ID in the menu View.
struct Opener {
  const char *id = "", *menu = "", *label = "";
  const char* before = "";  // the command that follows it in the menu; empty: none
};

// All that the window knows of a view. The row stands in the view's file, below its class.
struct ViewRow {
  const char* id;
  const char* label;  // of its tab
  Place place;
  const char* help;  // its command's too
  Chord keys = {};   // a tab without any has Ctrl and its number
  Opener opener = {};
  std::string (*why_not)(const AppState&) = nullptr;  // why it cannot be opened now, or ""; none: always can
  bool scrolls = false;                               // a list; figures use all of the room instead
  std::unique_ptr<View> (*make)();
};
template <class V>
std::unique_ptr<View> make() {
  return std::make_unique<V>();
}

// In the order of THE list, which is that of the tabs.
std::span<const ViewRow* const> view_rows();
const ViewRow* view_row(const std::string& id);  // nullptr when there is none

}  // namespace warpspy::ui
