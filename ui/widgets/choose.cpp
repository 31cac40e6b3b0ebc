#include "ui/widgets/choose.hpp"

#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>

#include "ui/platform/compat.hpp"
#include "ui/platform/input.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

constexpr std::size_t kLong = 9;  // a longer list says that typing filters it

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

void arrow(const Look& l, ImVec2 c) {
  const float d = l.u(4);
  const ImVec2 v[] = {ImVec2(c.x - d, c.y - d / 2), ImVec2(c.x, c.y + d / 2), ImVec2(c.x + d, c.y - d / 2)};
  ImGui::GetWindowDrawList()->AddPolyline(v, 3, u32(l.palette->muted), 0, std::max(1.f, 1.4f * l.scale));
}

// Adds this frame's letters; Backspace removes the last one. Returns true if the text has changed.
bool type(const Look& l, std::string& words) {
  const std::string before = words;
  const ImGuiIO& io = ImGui::GetIO();
  if (key_pressed(l, {Key::backspace}, true) && !words.empty()) words.pop_back();
  for (const ImWchar c : io.InputQueueCharacters)
    // Names begin with no sign: such a key is a command.
    if (c >= 32 && c < 127 && (!words.empty() || std::isalnum(static_cast<int>(c)))) words += static_cast<char>(c);
  return words != before;
}

int next_enabled(const std::vector<Choice>& choices, const std::vector<int>& left, int from, int by) {
  const int n = static_cast<int>(left.size());
  for (int k = from + by; k >= 0 && k < n; k += by)
    if (choices[static_cast<std::size_t>(left[static_cast<std::size_t>(k)])].enabled) return k;
  return from;
}

// The field with the chosen value and an arrow. Returns true if the list should open.
bool field(const Look& l, const char* id, const std::vector<Choice>& choices, int chosen, int& stepped) {
  const Palette& p = *l.palette;
  const bool known = chosen >= 0 && chosen < static_cast<int>(choices.size());
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size(std::max(1.f, ImGui::GetContentRegionAvail().x), l.u(26));
  bool opens = ImGui::InvisibleButton(id, size);
  show_item(l, known ? choices[static_cast<std::size_t>(chosen)].label : "none");
  const bool hot = ImGui::IsItemHovered();
  const ImVec2 to(at.x + size.x, at.y + size.y);
  auto* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, to, u32(hot ? p.control_hot : p.control), l.u(4));
  const std::string words = known ? choices[static_cast<std::size_t>(chosen)].label : "none";
  const auto [font, px] = l.fonts->pick(Face::ui, 13);
  draw_text(l, list, ImVec2(at.x + l.u(8), at.y + (size.y - px) / 2 - l.u(1) * 0.5f), Face::ui, 13, p.ink, words,
            size.x - l.u(34));
  arrow(l, ImVec2(to.x - l.u(14), at.y + size.y / 2 - l.u(1)));
  if (opens) l.list.words.clear();  // letters typed into the previous list
  const Keys keys = key_stop(l, id, Focus::Takes::letters);
  if (!keys.has) return opens;
  if (keys.pressed || keys.down) opens = true;
  std::vector<int> all = filtered(choices, "");
  if (keys.along) {
    const auto now = std::find(all.begin(), all.end(), chosen) - all.begin();
    const int to_be = next_enabled(choices, all, known ? static_cast<int>(now) : -1, keys.along);
    if (to_be >= 0) stepped = all[static_cast<std::size_t>(to_be)];
  }
  // A letter opens the list, filtered.
  std::string words_typed;
  if (type(l, words_typed)) {
    l.list.words = words_typed;
    opens = true;
  } else if (opens) {
    l.list.words.clear();
  }
  return opens;
}

// The typed letters, or a hint that typing filters.
void typed_line(const Look& l, const std::string& words) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool none = words.empty();
  draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x + l.u(4), at.y + l.u(2)), Face::ui, 13,
            none ? l.palette->muted : l.palette->ink, none ? "type to filter" : words + "|");
  ImGui::Dummy(ImVec2(l.u(60), l.u(18)));
  hairline(l);
}

void line(const Look& l, const Choice& c, float height, bool inset) {
  const Palette& p = *l.palette;
  const ImVec2 at = ImGui::GetItemRectMin();
  auto* list = ImGui::GetWindowDrawList();
  const float x = at.x + l.u(inset ? 12 : 4);
  draw_text(l, list, ImVec2(x, at.y + l.u(4)), Face::ui, 13, c.enabled ? p.ink : p.muted, c.label);
  if (!c.note.empty() && height > l.u(30)) draw_text(l, list, ImVec2(x, at.y + l.u(21)), Face::ui, 12, p.muted, c.note);
}

float width_of(const Look& l, const std::vector<Choice>& choices) {
  float w = 0;
  for (const Choice& c : choices)
    w = std::max({w, text_width(l, Face::ui, 13, c.label), text_width(l, Face::ui, 12, c.note)});
  return w + l.u(40);
}

float height_of(const Look& l, const Choice& c) { return c.note.empty() ? l.u(24) : l.u(40); }

// The height of all lines and the names of their groups.
float height_of(const Look& l, const std::vector<Choice>& choices, const std::vector<int>& left) {
  float h = l.u(8);
  std::string group;
  for (const int k : left) {
    const Choice& c = choices[static_cast<std::size_t>(k)];
    if (c.group != group) h += l.u(24);
    group = c.group;
    h += height_of(l, c);
  }
  return left.empty() ? l.u(60) : h;
}

// The lines of the open list; returns the index that was picked, or -1.
int lines(const Look& l, const std::vector<Choice>& choices, const std::vector<int>& left, int chosen) {
  Look::OpenList& open = l.list;
  int picked = -1;
  std::string group;
  for (std::size_t k = 0; k < left.size(); ++k) {
    const Choice& c = choices[static_cast<std::size_t>(left[k])];
    if (c.group != group) {
      group = c.group;
      label(l, Face::bold, 12, l.palette->muted, group);
    }
    const float h = height_of(l, c);
    const bool at = static_cast<int>(k) == open.at;
    ImGui::PushID(left[k]);
    if (ImGui::Selectable("##c", at || left[k] == chosen, c.enabled ? 0 : ImGuiSelectableFlags_Disabled,
                          ImVec2(0, h - ImGui::GetStyle().ItemSpacing.y)))
      picked = left[k];
    show_item(l, c.label);
    tip(l, c.help, true);
    line(l, c, h, !c.group.empty());
    if (at && l.focus && l.focus->by_keys()) {
      const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
      ImGui::GetWindowDrawList()->AddRectFilled(a, ImVec2(a.x + l.u(3), b.y), u32(l.palette->accent));
    }
    if (at && open.moved) ImGui::SetScrollHereY(0.5f);
    ImGui::PopID();
  }
  if (left.empty()) caption(l, "Nothing by that name.");
  return picked;
}

}  // namespace

std::vector<int> filtered(const std::vector<Choice>& choices, const std::string& words) {
  // Choices of a group are together, at the position of the first one.
  std::map<std::string, std::size_t> first;
  for (std::size_t k = 0; k < choices.size(); ++k) first.try_emplace(choices[k].group, k);
  std::vector<int> left;
  for (std::size_t k = 0; k < choices.size(); ++k) {
    const std::string text = lower(choices[k].label + " " + choices[k].note + " " + choices[k].group);
    std::istringstream in(lower(words));
    bool all = true;
    for (std::string word; in >> word;) all = all && text.find(word) != std::string::npos;
    if (all) left.push_back(static_cast<int>(k));
  }
  std::stable_sort(left.begin(), left.end(), [&](int a, int b) {
    return first[choices[static_cast<std::size_t>(a)].group] < first[choices[static_cast<std::size_t>(b)].group];
  });
  return left;
}

// The line that Enter picks: the current choice until letters are typed; then an exact match, or else the first that
// can be picked.
static int beginning(const std::vector<Choice>& choices, const std::vector<int>& left, int chosen,
                     const std::string& words) {
  const auto at = std::find_if(left.begin(), left.end(), [&](int k) {
    const Choice& c = choices[static_cast<std::size_t>(k)];
    return words.empty() ? k == chosen : c.enabled && lower(c.label) == lower(words);
  });
  return at != left.end() ? static_cast<int>(at - left.begin()) : next_enabled(choices, left, -1, 1);
}

int choose(const Look& l, const char* id, const std::vector<Choice>& choices, int chosen) {
  int picked = -1;
  ImGui::PushID(id);
  if (field(l, id, choices, chosen, picked)) {
    l.list.at = -1;
    ImGui::OpenPopup("list");
  }
  const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax(), screen = ImGui::GetIO().DisplaySize;
  const float wide = std::min(std::max(to.x - from.x, width_of(l, choices)), screen.x - l.u(16));
  const float below = screen.y - to.y - l.u(8), above = from.y - l.u(8);
  const bool down = below >= std::min(l.u(300), above);
  ImGui::SetNextWindowPos(ImVec2(std::min(from.x, screen.x - wide - l.u(8)), down ? to.y + l.u(2) : from.y - l.u(2)),
                          ImGuiCond_Always, ImVec2(0, down ? 0.f : 1.f));
  ImGui::SetNextWindowSizeConstraints(ImVec2(wide, 0), ImVec2(wide, std::max(l.u(80), down ? below : above)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(l.u(8), l.u(8)));
  const bool is_open = ImGui::BeginPopup("list");
  ImGui::PopStyleVar();
  if (is_open) {
    if (l.focus) l.focus->begin_layer();
    Look::OpenList& open = l.list;
    open.moved = ImGui::IsWindowAppearing();
    if (!ImGui::IsWindowAppearing() && type(l, open.words)) open.at = -1, open.moved = true;
    const std::vector<int> left = filtered(choices, open.words);
    if (open.at < 0) open.at = beginning(choices, left, chosen, open.words);
    const int before = open.at;
    if (!ImGui::IsWindowAppearing()) {
      if (key_pressed(l, {Key::down}, true)) open.at = next_enabled(choices, left, open.at, 1);
      if (key_pressed(l, {Key::up}, true)) open.at = next_enabled(choices, left, open.at, -1);
      if (key_pressed(l, {Key::home})) open.at = next_enabled(choices, left, -1, 1);
      if (key_pressed(l, {Key::end})) open.at = next_enabled(choices, left, static_cast<int>(left.size()), -1);
    }
    open.moved = open.moved || open.at != before;
    if (choices.size() > kLong || !open.words.empty()) typed_line(l, open.words);
    ImGui::BeginChild(
        "lines", ImVec2(0, std::min(height_of(l, choices, left), std::max(l.u(60), (down ? below : above) - l.u(56)))),
        false);
    picked = lines(l, choices, left, chosen);
    end_child();
    const bool enter = !ImGui::IsWindowAppearing() && key_pressed(l, {Key::enter});
    if (enter && open.at >= 0 && open.at < static_cast<int>(left.size())) {
      const int it = left[static_cast<std::size_t>(open.at)];
      if (choices[static_cast<std::size_t>(it)].enabled) picked = it;
    }
    const bool left_by_keys =
        key_pressed(l, {Key::escape}) || key_pressed(l, {Key::tab}) || key_pressed(l, {Key::tab, false, true});
    if (picked >= 0 || left_by_keys) ImGui::CloseCurrentPopup();
    if (l.focus) l.focus->end_layer();
    end_popup();
  }
  ImGui::PopID();
  return picked;
}

namespace {

constexpr float kList = 172;  // width of the list that replaces segments without room

}  // namespace

float segments_or_list_width(const Look& l, const std::vector<std::string>& words, float room) {
  const float whole = segments_width(l, words);
  return whole <= room ? whole : std::min(l.u(kList), room);
}

int segments_or_list(const Look& l, const char* id, const std::vector<std::string>& words, int chosen, float room) {
  if (segments_width(l, words) <= room) return segments(l, id, words, chosen);
  std::vector<Choice> choices;
  for (const std::string& w : words) choices.push_back({w, "", true, ""});
  ImGui::BeginChild(id, ImVec2(std::min(l.u(kList), room), l.u(28)), false, ImGuiWindowFlags_NoScrollbar);
  const int picked = choose(l, id, choices, chosen);
  end_child();
  return picked;
}

}  // namespace warpspy::ui
