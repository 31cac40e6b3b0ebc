// The names above a tab: groups, and below them the tabs of one group. It is the group of the open tab, or the group
// that the mouse points at, so every tab is one click away. If they have no room, there is a list of all tabs.
#pragma once

#include <string>
#include <vector>

#include "ui/views/view.hpp"

struct ImVec2;

namespace warpspy::ui {

class TabStrip {
 public:
  explicit TabStrip(const char* id) : id_(id) {}
  // The height of the strip in a room of this size, with the tabs; `kept` of its width is used by other things.
  float height(const Look& l, ImVec2 room, float kept) const;
  // Draws the strip at the cursor. Returns the chosen tab, or nullptr.
  const ViewRow* draw(const AppState& s, const Ui& ui, const ViewRow& open, ImVec2 room, float kept);

 private:
  const ViewRow* rows(const AppState& s, const Ui& ui, const ViewRow& open, float width);
  const ViewRow* list(const Look& l, const ViewRow& open, float width) const;

  const char* id_;
  const TabGroup* pointed_ = nullptr;  // the group whose tabs are shown although it is not open
};

// The tab of a group that was shown last; else the group's first tab.
const ViewRow& last_of(const AppState& s, Topic group);

}  // namespace warpspy::ui
