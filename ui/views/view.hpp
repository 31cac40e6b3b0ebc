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
  // Draws into the current window or child, from the cursor to the end of the content region.
  virtual void draw(const AppState& s, Ui& ui) = 0;
};

// lesson: in place of `left` while a lesson is open, or in a strip below the tabs.
enum class Place : std::uint8_t { tab, left, lesson, right, top, bottom, overlay };

// Tabs that answer the same question stand together, under one name at the top.
enum class Topic : std::uint8_t { none, matrix, performance, why, compare, many, learn };
struct TabGroup {
  Topic id;
  const char *label, *help;
};
std::span<const TabGroup> tab_groups();  // from the left
const TabGroup& tab_group(Topic id);     // of a tab

// The command that opens a dialog. A tab needs none: its command is tab.ID in the menu View.
struct Opener {
  const char *id = "", *menu = "", *label = "";
  const char* before = "";  // the command after it in the menu; empty: none
};

// All that the window knows about a view. The row stands in the view's file, below its class.
struct ViewRow {
  const char* id;
  const char* label;  // of its tab
  Place place;
  Topic group = Topic::none;  // of a tab
  const char* help;           // its command's too
  Chord keys = {};            // a tab without any has Ctrl and its number
  Opener opener = {};
  std::string (*why_not)(const AppState&) = nullptr;  // why it cannot be opened now, or ""; nullptr: it always can
  bool scrolls = false;                               // the tab scrolls, as a list does; figures use all the room
                                                      // instead
  std::unique_ptr<View> (*make)();
};
template <class V>
std::unique_ptr<View> make() {
  return std::make_unique<V>();
}

// All rows in the order of the list in views.cpp. A tab without keys of its own gets Ctrl and its number in that list.
std::span<const ViewRow* const> view_rows();
std::span<const ViewRow* const> tab_rows();      // the tabs as they are shown: group by group
const ViewRow* view_row(const std::string& id);  // nullptr when there is none

}  // namespace warpspy::ui
