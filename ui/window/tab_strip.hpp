// The names above a tab: groups, and below them the tabs of one group. That is the group of the open tab, or the one
// that the mouse points at: so every tab is one click away. Where they have no room, a list of all tabs.
#pragma once

#include <string>
#include <vector>

#include "ui/views/view.hpp"

struct ImVec2;

namespace warpspy::ui {

class TabStrip {
 public:
  explicit TabStrip(const char* id) : id_(id) {}
  // Of a room of this size, tabs included; `kept` of its width is for others.
  float height(const Look& l, ImVec2 room, float kept) const;
  // At the cursor. The tab that is asked for, or nullptr.
  const ViewRow* draw(const AppState& s, const Ui& ui, const ViewRow& open, ImVec2 room, float kept);

 private:
  const ViewRow* rows(const AppState& s, const Ui& ui, const ViewRow& open, float width);
  const ViewRow* list(const Look& l, const ViewRow& open, float width) const;

  const char* id_;
  const TabGroup* pointed_ = nullptr;  // whose tabs are shown although it is not open
};

// The tab of a group that was looked at last; the first where none was.
const ViewRow& last_of(const AppState& s, Topic group);

}  // namespace warpspy::ui
