#include "ui/widgets/controls.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "core/catalog/grid.hpp"
#include "core/catalog/names.hpp"
#include "ui/platform/compat.hpp"
#include "ui/platform/input.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

float line_height(const Look& l) { return l.u(26); }

// An area of the given size at the cursor for clicks and keys; a disabled one only takes the space.
bool hit_area(const Look& l, const char* id, ImVec2 size, bool enabled) {
  size = ImVec2(std::max(1.f, size.x), std::max(1.f, size.y));
  if (!enabled) return ImGui::Dummy(size), false;
  const bool clicked = ImGui::InvisibleButton(id, size);
  return key_stop(l, id, Focus::Takes::press).pressed || clicked;
}

// A row of choices is one stop of Tab, and the arrow keys choose. Returns the new choice, or -1.
int chosen_by_keys(const Look& l, ImVec2 from, ImVec2 to, int count, int chosen) {
  const Keys keys = key_stop(l, ImGui::GetID("row"), from, to, Focus::Takes::along);
  if (!keys.along) return -1;
  const int next = std::clamp(chosen + keys.along, 0, count - 1);
  return next == chosen ? -1 : next;
}

}  // namespace

bool button(const Look& l, const std::string& label, Weight weight, float width, bool enabled) {
  const Palette& p = *l.palette;
  const std::string words = label.substr(0, label.find("##"));
  const Face face = weight == Weight::primary ? Face::bold : Face::ui;
  const float text = text_width(l, face, 13, words);
  if (width < 0) width = std::max(1.f, ImGui::GetContentRegionAvail().x + width);
  if (width == 0) width = text + l.u(weight == Weight::quiet ? 16 : 24);
  const ImVec2 at = ImGui::GetCursorScreenPos(), size(width, line_height(l));
  const bool clicked = hit_area(l, label.c_str(), size, enabled);
  show_item(l, words);
  const bool hot = enabled && ImGui::IsItemHovered(), down = enabled && ImGui::IsItemActive();
  auto* list = ImGui::GetWindowDrawList();
  const ImVec2 to(at.x + size.x, at.y + size.y);
  Color ground = down ? p.control_active : hot ? p.control_hot : p.control, ink = p.ink;
  if (weight == Weight::primary && enabled) ground = p.accent, ink = p.on_accent;
  if (!enabled) ink = p.muted;
  if (weight != Weight::quiet || hot)
    list->AddRectFilled(at, to, u32(ground, weight == Weight::primary && hot ? 0.86f : 1.f), l.u(5));
  const auto [font, px] = l.fonts->pick(face, 13);
  draw_text(l, list, ImVec2(at.x + std::max(0.f, (size.x - text) / 2), at.y + (size.y - px) / 2 - l.u(1) * 0.5f), face,
            13, ink, words, size.x);
  return clicked;
}

float segments_width(const Look& l, const std::vector<std::string>& words) {
  float w = 0;
  for (const auto& s : words) w += text_width(l, Face::ui, 12, s) + l.u(14);
  return w;
}

int segments(const Look& l, const char* id, const std::vector<std::string>& words, int chosen,
             const std::vector<std::string>& helps) {
  const Palette& p = *l.palette;
  int picked = -1;
  ImGui::PushID(id);
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float h = l.u(20);
  auto* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(origin, ImVec2(origin.x + segments_width(l, words), origin.y + h), u32(p.control), l.u(4));
  ImGui::BeginGroup();
  for (std::size_t k = 0; k < words.size(); ++k) {
    const int index = static_cast<int>(k);
    if (k > 0) ImGui::SameLine(0, 0);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float w = text_width(l, Face::ui, 12, words[k]) + l.u(14);
    ImGui::PushID(index);
    if (ImGui::InvisibleButton("s", ImVec2(w, h))) picked = index;
    const bool hot = ImGui::IsItemHovered();
    if (k < helps.size()) tip(l, helps[k]);
    ImGui::PopID();
    if (index == chosen) {
      list->AddRectFilled(at, ImVec2(at.x + w, at.y + h), u32(p.control_active), l.u(4));
    }
    const auto [font, px] = l.fonts->pick(Face::ui, 12);
    draw_text(l, list, ImVec2(at.x + l.u(7), at.y + (h - px) / 2), Face::ui, 12,
              index == chosen || hot ? p.ink : p.muted, words[k]);
  }
  end_group();
  const int by_keys = chosen_by_keys(l, origin, ImVec2(origin.x + segments_width(l, words), origin.y + h),
                                     static_cast<int>(words.size()), chosen);
  ImGui::PopID();
  return picked >= 0 ? picked : by_keys;
}

float toggle_width(const Look& l, const std::string& label) { return text_width(l, Face::ui, 12, label) + l.u(34); }

bool toggle(const Look& l, const std::string& label, bool on, bool enabled) {
  const Palette& p = *l.palette;
  const float h = l.u(20), track = l.u(22), r = l.u(12) / 2;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = hit_area(l, label.c_str(), ImVec2(toggle_width(l, label), h), enabled);
  const bool hot = enabled && ImGui::IsItemHovered();
  auto* list = ImGui::GetWindowDrawList();
  const float mid = at.y + h / 2;
  const Color ground = on ? p.accent : p.outline;
  list->AddRectFilled(ImVec2(at.x, mid - r), ImVec2(at.x + track, mid + r),
                      u32(ground, enabled ? (on || hot ? 1.f : 0.75f) : 0.35f), r);
  list->AddCircleFilled(ImVec2(on ? at.x + track - r : at.x + r, mid), r - l.u(2), u32(on ? p.on_accent : p.panel));
  const auto [font, px] = l.fonts->pick(Face::ui, 12);
  draw_text(l, list, ImVec2(at.x + track + l.u(6), at.y + (h - px) / 2), Face::ui, 12, enabled ? p.ink : p.muted,
            label);
  return clicked;
}

namespace {

// Space on each side of a tab's word, in points.
constexpr float kLeastPad = 3, kMostPad = 10, kTabPad = 8;

float words_width(const Look& l, Face face, const std::vector<std::string>& words) {
  float w = 0;
  for (const auto& s : words) w += text_width(l, face, 13, s);
  return w;
}

// Words in a row with space on both sides, as wide as `widest` draws them; `draw` draws a word at its place.
struct Word {
  ImVec2 at;
  float w = 0;  // width including the space on both sides
  bool open = false, hot = false;
};
WordRow word_row(const Look& l, const char* id, const std::vector<std::string>& words, int chosen, Face widest,
                 float pad, float h, const std::vector<std::string>& helps,
                 const std::function<void(std::size_t k, const Word& word)>& draw) {
  WordRow row;
  ImGui::PushID(id);
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  for (std::size_t k = 0; k < words.size(); ++k) {
    const int index = static_cast<int>(k);
    if (k > 0) ImGui::SameLine(0, 0);
    Word word{ImGui::GetCursorScreenPos(), text_width(l, widest, 13, words[k]) + 2 * pad};
    ImGui::PushID(index);
    if (ImGui::InvisibleButton("t", ImVec2(word.w, h))) row.picked = index;
    show_item(l, words[k]);
    if (k < helps.size()) tip(l, helps[k]);
    ImGui::PopID();
    word.open = index == chosen, word.hot = ImGui::IsItemHovered();
    if (word.hot) row.hovered = index;
    row.left.push_back(word.at.x), row.right.push_back(word.at.x + word.w);
    draw(k, word);
  }
  const int by_keys = chosen_by_keys(l, origin, ImGui::GetItemRectMax(), static_cast<int>(words.size()), chosen);
  ImGui::PopID();
  if (row.picked < 0) row.picked = by_keys;
  return row;
}

}  // namespace

float tab_groups_width(const Look& l, const std::vector<std::string>& words) {
  return words_width(l, Face::bold, words) + 2 * l.u(kLeastPad) * static_cast<float>(words.size());
}

WordRow tab_groups_row(const Look& l, const char* id, const std::vector<std::string>& words, int chosen, int pointed,
                       float room) {
  const auto all = static_cast<float>(std::max<std::size_t>(1, words.size()));
  const float free = (room - words_width(l, Face::bold, words)) / (2 * all);
  const float pad = std::clamp(free, l.u(kLeastPad), l.u(kMostPad)), h = l.u(28);
  const Palette& p = *l.palette;
  auto* list = ImGui::GetWindowDrawList();
  return word_row(l, id, words, chosen, Face::bold, pad, h, {}, [&](std::size_t k, const Word& word) {
    const Face face = word.open ? Face::bold : Face::ui;
    const auto [font, px] = l.fonts->pick(face, 13);
    const bool hot = word.hot || static_cast<int>(k) == pointed;
    draw_text(l, list, ImVec2(word.at.x + (word.w - text_width(l, face, 13, words[k])) / 2, word.at.y + (h - px) / 2),
              face, 13, word.open || hot ? p.ink : p.muted, words[k]);
    if (!word.open) return;
    list->AddRectFilled(ImVec2(word.at.x + pad, word.at.y + h - l.u(2)),
                        ImVec2(word.at.x + word.w - pad, word.at.y + h), u32(p.accent));
  });
}

float tabs_width(const Look& l, const std::vector<std::string>& words) {
  return words_width(l, Face::ui, words) + 2 * l.u(kTabPad) * static_cast<float>(words.size());
}

WordRow tabs(const Look& l, const char* id, const std::vector<std::string>& words, int chosen,
             const std::vector<std::string>& helps) {
  const Palette& p = *l.palette;
  const float h = l.u(22);
  auto* list = ImGui::GetWindowDrawList();
  return word_row(l, id, words, chosen, Face::ui, l.u(kTabPad), h, helps, [&](std::size_t k, const Word& word) {
    const ImVec2 to(word.at.x + word.w, word.at.y + h);
    if (word.open || word.hot) list->AddRectFilled(word.at, to, u32(word.open ? p.control_active : p.control), l.u(4));
    const auto [font, px] = l.fonts->pick(Face::ui, 13);
    draw_text(l, list, ImVec2(word.at.x + l.u(kTabPad), word.at.y + (h - px) / 2 - l.u(1) * 0.5f), Face::ui, 13,
              word.open || word.hot ? p.ink : p.muted, words[k]);
  });
}

double to_track(const ParamSpec& s, double v) {
  if (s.max <= s.min) return 0;
  if (s.type == ParamSpec::Type::power_of_two && s.min > 0) return std::log2(v / s.min) / std::log2(s.max / s.min);
  // Over wide ranges the small values matter most.
  if (s.min >= 0 && s.max - s.min > 1000) return std::log1p(v - s.min) / std::log1p(s.max - s.min);
  return (v - s.min) / (s.max - s.min);
}

double from_track(const ParamSpec& s, double t) {
  t = std::clamp(t, 0.0, 1.0);
  if (s.max <= s.min) return s.min;
  if (s.type == ParamSpec::Type::power_of_two && s.min > 0)
    return std::clamp(s.min * std::exp2(std::round(t * std::log2(s.max / s.min))), s.min, s.max);
  double v = s.min + t * (s.max - s.min);
  if (s.min >= 0 && s.max - s.min > 1000) v = s.min + std::expm1(t * std::log1p(s.max - s.min));
  if (s.type == ParamSpec::Type::multiple) return std::clamp(s.min * std::round(v / s.min), s.min, s.max);
  if (s.type != ParamSpec::Type::real) v = std::round(v);
  return std::clamp(v, s.min, s.max);
}

std::string value_text(const ParamSpec& s, double v) {
  if (s.type == ParamSpec::Type::choice) {
    const auto k = static_cast<std::size_t>(std::max(0.0, v));
    return k < s.choices.size() ? s.choices[k] : "?";
  }
  return s.type == ParamSpec::Type::real ? real_text(v, 4) : count_text(static_cast<index_t>(v));
}

std::string params_words(const std::vector<ParamSpec>& specs, const ParamSet& set) {
  std::string text;
  for (const ParamSpec& p : specs) {
    const auto v = set.find(p.id);
    if (v == set.end() || (is_cache_policy(p) && v->second == p.def)) continue;
    text += (text.empty() ? "" : ", ") + label_in_sentence(p) + " " + value_text(p, v->second);
  }
  return text;
}

namespace {

double stepped(const ParamSpec& s, double v, int by) {
  if (s.type == ParamSpec::Type::power_of_two)
    v = by > 0 ? v * 2 : v / 2;
  else if (s.type == ParamSpec::Type::real)
    v += by * (s.max - s.min) / 100;
  else
    v += by * (s.type == ParamSpec::Type::multiple ? s.min : 1);
  return std::clamp(v, s.min, s.max);
}

// Typing a value: one field at a time. ImGui's storage remembers whether it is open.
bool type_value(const Look& l, const ParamSpec& s, double& value, ImGuiID open) {
  auto* store = ImGui::GetStateStorage();
  const bool now = store->GetInt(open) == 1;
  store->SetInt(open, 2);
  const FontScope font(*l.fonts, Face::mono, 13);
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  // As text: since Dear ImGui 1.92, number fields do not react to Enter.
  char text[64];
  std::snprintf(text, sizeof text, s.type == ParamSpec::Type::real ? "%g" : "%.0f", value);
  const bool enter = ImGui::InputText(
      "##type", text, sizeof text,
      ImGuiInputTextFlags_CharsScientific | ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  const bool ended = ImGui::IsItemDeactivated();
  if (now) type_here();
  key_stop(l, "track");  // the stop for Tab when the field has closed
  if (enter || ended) store->SetInt(open, 0);
  if (!enter) return false;
  char* end = text;
  double typed = std::strtod(text, &end);
  if (end == text || std::isnan(typed)) return false;
  // Typed values are rounded like dragged ones.
  typed = std::clamp(typed, s.min, s.max);
  if (s.type == ParamSpec::Type::power_of_two) typed = from_track(s, to_track(s, std::max(typed, s.min)));
  if (s.type == ParamSpec::Type::multiple) typed = std::clamp(s.min * std::round(typed / s.min), s.min, s.max);
  if (s.type == ParamSpec::Type::integer) typed = std::round(typed);
  if (typed == value) return false;
  value = typed;
  return true;
}

}  // namespace

bool knob(const Look& l, const ParamSpec& s, double& value) {
  const Palette& p = *l.palette;
  ImGui::PushID(s.id.c_str());
  bool changed = false;
  if (s.type == ParamSpec::Type::choice) {
    label(l, Face::ui, 12, p.muted, full_label(s));
    tip(l, s.help, true);
    std::vector<Choice> choices;
    for (const auto& c : s.choices) choices.push_back({c, "", true, ""});
    const int k = choose(l, "##choice", choices, static_cast<int>(value));
    if (k >= 0 && k != static_cast<int>(value)) value = k, changed = true;
    ImGui::PopID();
    return changed;
  }
  const ImGuiID open = ImGui::GetID("typing");
  if (ImGui::GetStateStorage()->GetInt(open) != 0) {
    label(l, Face::ui, 13, p.ink, full_label(s));
    changed = type_value(l, s, value, open);
    ImGui::PopID();
    return changed;
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float w = ImGui::GetContentRegionAvail().x, h = l.u(36), r = l.u(6);
  ImGui::InvisibleButton("track", ImVec2(std::max(1.f, w), h));
  show_item(l, s.label);
  const Keys keys = key_stop(l, "track");
  const bool hot = ImGui::IsItemHovered(), down = ImGui::IsItemActive();
  const float x0 = at.x + r, x1 = at.x + w - r, y = at.y + h - l.u(10);
  const auto set = [&](double v) {
    if (v == value) return;
    value = v;
    changed = true;
  };
  if ((hot && ImGui::IsMouseDoubleClicked(0)) || keys.pressed) {
    ImGui::GetStateStorage()->SetInt(open, 1);
  } else if (keys.along) {
    set(stepped(s, value, keys.along));
  } else if (keys.has && key_pressed(l, {Key::home})) {
    set(s.min);
  } else if (keys.has && key_pressed(l, {Key::end})) {
    set(s.max);
  } else if (down && x1 > x0) {
    set(from_track(s, (ImGui::GetIO().MousePos.x - x0) / (x1 - x0)));
  } else if (hot) {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.KeyCtrl && io.MouseWheel != 0) set(stepped(s, value, io.MouseWheel > 0 ? 1 : -1));
    if (mouse_has_keys(l) && pressed({Key::right}, true)) set(stepped(s, value, 1));
    if (mouse_has_keys(l) && pressed({Key::left}, true)) set(stepped(s, value, -1));
  }
  if (!down)
    tip(l,
        s.help + (s.help.empty() ? "" : "\n") +
            "Drag, or double-click to type a value. With the keys: arrows, Home, End; Enter types.",
        true);  // the next slider follows below
  auto* list = ImGui::GetWindowDrawList();
  const std::string text = value_text(s, value);
  const float number = text_width(l, Face::mono, 13, text);
  draw_text(l, list, at, Face::ui, 13, p.ink, full_label(s), w - number - l.u(8));
  draw_text(l, list, ImVec2(at.x + w - number, at.y), Face::mono, 13, p.ink, text);
  const float x = x0 + static_cast<float>(std::clamp(to_track(s, value), 0.0, 1.0)) * (x1 - x0);
  const float thick = std::max(2.f, l.u(2));
  list->AddRectFilled(ImVec2(at.x, y - thick / 2), ImVec2(at.x + w, y + thick / 2), u32(p.control_active), thick / 2);
  list->AddRectFilled(ImVec2(at.x, y - thick / 2), ImVec2(x, y + thick / 2), u32(p.muted), thick / 2);
  list->AddCircleFilled(ImVec2(x, y), r, u32(p.ground));
  list->AddCircleFilled(ImVec2(x, y), down || hot ? r : r - l.u(1), u32(p.ink));
  ImGui::PopID();
  return changed;
}

void progress_bar(const Look& l, float width, double share) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float h = l.u(4), y = at.y + std::floor((ImGui::GetTextLineHeight() - h) / 2);
  auto* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(ImVec2(at.x, y), ImVec2(at.x + width, y + h), u32(l.palette->control_active), h / 2);
  const auto filled = static_cast<float>(std::clamp(share, 0.0, 1.0)) * width;
  if (filled >= 1)
    list->AddRectFilled(ImVec2(at.x, y), ImVec2(at.x + std::max(h, filled), y + h), u32(l.palette->ink), h / 2);
  ImGui::Dummy(ImVec2(width, ImGui::GetTextLineHeight()));
}

bool cross_button(const Look& l, const char* id, const std::string& help, bool by_keys) {
  const float s = l.u(16);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  bool clicked = ImGui::InvisibleButton(id, ImVec2(s, s));
  if (by_keys && key_stop(l, id, Focus::Takes::press).pressed) clicked = true;
  const bool hot = ImGui::IsItemHovered();
  auto* list = ImGui::GetWindowDrawList();
  if (hot) list->AddRectFilled(at, ImVec2(at.x + s, at.y + s), u32(l.palette->control_hot), l.u(3));
  const ImVec2 c(at.x + s / 2, at.y + s / 2);
  const float d = l.u(3.5f), w = std::max(1.f, 1.2f * l.scale);
  const ImU32 ink = u32(hot ? l.palette->ink : l.palette->muted);
  list->AddLine(ImVec2(c.x - d, c.y - d), ImVec2(c.x + d, c.y + d), ink, w);
  list->AddLine(ImVec2(c.x + d, c.y - d), ImVec2(c.x - d, c.y + d), ink, w);
  tip(l, help);
  return clicked;
}

bool empty_state(const Look& l, const std::string& title, const std::string& text, const std::string& action) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float width = std::min(l.u(360), room.x - l.u(16));
  if (width < l.u(60)) return ImGui::Dummy(ImVec2(1, 1)), false;
  const FontScope font(*l.fonts, Face::ui, 13);
  const ImVec2 words = ImGui::CalcTextSize(text.c_str(), nullptr, false, width);
  const float height = l.u(28) + words.y + (action.empty() ? 0 : l.u(44));
  const ImVec2 start = ImGui::GetCursorPos();
  const float left = start.x + std::max(0.f, (room.x - width) / 2);
  ImGui::SetCursorPos(ImVec2(left, start.y + std::max(0.f, (room.y - height) * 0.42f)));
  ImGui::BeginGroup();
  label(l, Face::bold, 15, l.palette->ink, title);
  ImGui::PushTextWrapPos(left + width);
  ImGui::PushStyleColor(ImGuiCol_Text, u32(l.palette->muted));
  ImGui::TextUnformatted(broken_at_spaces(text, width).c_str());
  show_text(l, text);
  ImGui::PopStyleColor();
  ImGui::PopTextWrapPos();
  bool clicked = false;
  if (!action.empty()) {
    gap(l, 8);
    clicked = button(l, action, Weight::primary);
  }
  end_group();
  return clicked;
}

}  // namespace warpspy::ui
