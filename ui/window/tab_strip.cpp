#include "ui/window/tab_strip.hpp"

#include <imgui.h>

#include <algorithm>
#include <cstddef>

#include "ui/platform/compat.hpp"
#include "ui/widgets/choose.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

constexpr float kList = 40, kRows = 62, kSecond = 33;  // heights, and where the second row begins
constexpr float kLeastHeight = 300;                    // the least height at which there are two rows

std::vector<const ViewRow*> tabs_in(Topic group) {
  std::vector<const ViewRow*> rows;
  for (const ViewRow* row : tab_rows())
    if (row->group == group) rows.push_back(row);
  return rows;
}

std::vector<std::string> words_of(const std::vector<const ViewRow*>& rows) {
  std::vector<std::string> words;
  for (const ViewRow* row : rows) words.emplace_back(row->label);
  return words;
}

std::vector<std::string> helps_of(const std::vector<const ViewRow*>& rows) {
  std::vector<std::string> helps;
  for (const ViewRow* row : rows) helps.emplace_back(row->help);
  return helps;
}

std::vector<std::string> group_words() {
  std::vector<std::string> words;
  for (const TabGroup& group : tab_groups()) words.emplace_back(group.label);
  return words;
}

bool rows_fit(const Look& l, ImVec2 room, float kept) {
  float wanted = tab_groups_width(l, group_words());
  for (const TabGroup& group : tab_groups()) wanted = std::max(wanted, tabs_width(l, words_of(tabs_in(group.id))));
  return wanted <= room.x - l.u(16) - kept && room.y >= l.u(kLeastHeight);
}

}  // namespace

const ViewRow& last_of(const AppState& s, Topic group) {
  for (const std::string& id : s.tabs_seen) {
    const ViewRow* row = view_row(id);
    if (row && row->place == Place::tab && row->group == group) return *row;
  }
  return *tabs_in(group).front();
}

float TabStrip::height(const Look& l, ImVec2 room, float kept) const {
  return l.u(rows_fit(l, room, kept) ? kRows : kList);
}

const ViewRow* TabStrip::draw(const AppState& s, const Ui& ui, const ViewRow& open, ImVec2 room, float kept) {
  const float width = room.x - ui.look.u(16) - kept;
  if (rows_fit(ui.look, room, kept)) return rows(s, ui, open, width);
  return list(ui.look, open, std::min(ui.look.u(220), width - ui.look.u(8)));
}

const ViewRow* TabStrip::rows(const AppState& s, const Ui& ui, const ViewRow& open, float width) {
  const Look& l = ui.look;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const auto groups = tab_groups();
  const auto place_of = [&](const TabGroup* group) { return group ? static_cast<int>(group - groups.data()) : -1; };
  const TabGroup& own = tab_group(open.group);

  // With two rows, each is a panel. So from a tab that was asked for, Tab moves into the tab and not to the names.
  if (tabs_in(own.id).size() > 1) l.focus->panel(std::string(id_) + " groups");
  const WordRow above = tab_groups_row(l, id_, group_words(), place_of(&own), place_of(pointed_), width);
  const ImVec2 mouse = ImGui::GetMousePos();
  if (above.hovered >= 0)
    pointed_ = &groups[static_cast<std::size_t>(above.hovered)];
  else if (!ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) ||
           mouse.y < at.y + l.u(kSecond) - l.u(4))
    pointed_ = nullptr;

  l.focus->panel(id_);
  const TabGroup& shown = pointed_ ? *pointed_ : own;
  const std::vector<const ViewRow*> tabs_here = tabs_in(shown.id);
  const std::vector<std::string> words = words_of(tabs_here);
  const auto place = static_cast<std::size_t>(place_of(&shown));
  // Below the name of its group, as far as there is room.
  const auto below = [&](float wide) {
    const float x = std::max(at.x, std::min(above.left[place], at.x + width - wide));
    ImGui::SetCursorScreenPos(ImVec2(x, at.y + l.u(kSecond) - l.u(4)));
    return x;
  };
  const ViewRow* wanted = nullptr;
  if (above.picked >= 0) wanted = &last_of(s, groups[static_cast<std::size_t>(above.picked)].id);
  if (tabs_here.size() == 1) {
    // There is nothing to choose, so the tab's help is written.
    const std::string help = tabs_here.front()->help;
    const float x = below(text_width(l, Face::ui, 12, help) + l.u(16)) + l.u(8);
    draw_text(l, ImGui::GetWindowDrawList(), ImVec2(x, at.y + l.u(kSecond)), Face::ui, 12, l.palette->muted, help,
              at.x + width - x);
    return wanted;
  }
  below(tabs_width(l, words));
  const auto chosen = std::find(tabs_here.begin(), tabs_here.end(), &open) - tabs_here.begin();
  const WordRow row = tabs(l, shown.label, words, static_cast<int>(chosen), helps_of(tabs_here));
  if (row.picked >= 0) wanted = tabs_here[static_cast<std::size_t>(row.picked)];
  return wanted;
}

const ViewRow* TabStrip::list(const Look& l, const ViewRow& open, float width) const {
  const auto all = tab_rows();
  std::vector<Choice> choices;
  for (const ViewRow* row : all) choices.push_back({row->label, "", true, row->help, tab_group(row->group).label});
  const auto now = std::find(all.begin(), all.end(), &open) - all.begin();
  ImGui::BeginChild("list", ImVec2(std::max(1.f, width), l.u(30)), false, ImGuiWindowFlags_NoScrollbar);
  const int k = choose(l, id_, choices, static_cast<int>(now));
  end_child();
  return k >= 0 ? all[static_cast<std::size_t>(k)] : nullptr;
}

}  // namespace warpspy::ui
