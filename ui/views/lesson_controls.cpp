#include "ui/views/lesson_controls.hpp"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <sstream>
#include <vector>

#include "core/base/number_text.hpp"
#include "ui/platform/compat.hpp"
#include "ui/views/lesson_sheets.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

std::vector<std::string> answer_words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string w; in >> w;) words.push_back(w);
  return words;
}

namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& w : words) text += (text.empty() ? "" : " ") + w;
  return text;
}

}  // namespace

std::string ranges_text(const std::string& answer) {
  std::set<int> all;
  for (const std::string& w : answer_words(answer)) all.insert(number_from<int>(w).value_or(0));
  std::string text;
  for (auto at = all.begin(); at != all.end();) {
    auto last = at;
    for (auto next = std::next(at); next != all.end() && *next == *last + 1; ++next) last = next;
    text += (text.empty() ? "" : ", ") + std::to_string(*at) + (last == at ? "" : "-" + std::to_string(*last));
    at = std::next(last);
  }
  return text;
}

std::string answer_turned(const std::string& answer, const std::string& member) {
  std::vector<std::string> all = answer_words(answer);
  if (std::erase(all, member) == 0) all.push_back(member);
  return joined(all);
}

namespace {

// A line to select: a circle, or a box if several may be selected.
bool pick_line(const Look& l, const std::string& id, const std::string& text, bool chosen, bool several, float width) {
  const Palette& p = *l.palette;
  const FontScope font(*l.fonts, Face::ui, 13);
  const float left = l.u(24);
  const std::string lines = broken_at_spaces(text, width - left - l.u(4));
  const float high = std::max(l.u(24), ImGui::CalcTextSize(lines.c_str()).y + l.u(8));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton(id.c_str(), ImVec2(std::max(1.f, width), high));
  show_item(l, text);
  const bool hot = ImGui::IsItemHovered();
  const bool pressed = key_stop(l, id.c_str(), Focus::Takes::press).pressed;
  auto* list = ImGui::GetWindowDrawList();
  if (hot || chosen)
    list->AddRectFilled(at, ImVec2(at.x + width, at.y + high), u32(chosen ? p.select : p.control, chosen ? 1.f : 0.6f),
                        l.u(4));
  const ImVec2 c(at.x + l.u(12), at.y + l.u(12));
  const float r = l.u(5.5f), thin = std::max(1.f, l.u(1.4f));
  if (several) {
    const ImVec2 a(c.x - r, c.y - r), b(c.x + r, c.y + r);
    list->AddRect(a, b, u32(chosen ? p.accent : p.muted), l.u(2), 0, thin);
    if (chosen)
      list->AddRectFilled(ImVec2(a.x + l.u(3), a.y + l.u(3)), ImVec2(b.x - l.u(3), b.y - l.u(3)), u32(p.accent));
  } else {
    list->AddCircle(c, r, u32(chosen ? p.accent : p.muted), 0, thin);
    if (chosen) list->AddCircleFilled(c, r - l.u(2.5f), u32(p.accent));
  }
  list->AddText(ImVec2(at.x + left, at.y + l.u(4)), u32(p.ink), lines.c_str());
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + high + l.u(2)));
  return clicked || pressed;
}

std::string choice(const AppState& s, Ui& ui, float width) {
  std::string answer = s.lesson.answer;
  int n = 0;
  for (const LessonOption& o : s.lesson.step()->question.options) {
    const std::string number = std::to_string(++n);
    if (pick_line(ui.look, "option " + number, o.text, answer == number, false, width)) answer = number;
  }
  return answer;
}

}  // namespace

std::string offered_names(const AppState& s, Ui& ui, float width, bool several) {
  std::string answer = s.lesson.answer;
  const LessonOffer& offer = s.lesson.offer;
  if (offer.names.empty()) caption(ui.look, "What there is to choose from comes with the run\xE2\x80\xA6");
  const std::vector<std::string> chosen = answer_words(answer);
  for (const std::string& name : offer.names) {
    const bool on = std::find(chosen.begin(), chosen.end(), name) != chosen.end();
    const std::string words = answer_in_words(s.lesson.step()->question, name, offer);
    if (pick_line(ui.look, "name " + name, words, on, several, width))
      answer = several ? answer_turned(answer, name) : name;
  }
  return answer;
}

namespace {

std::string one_name(const AppState& s, Ui& ui, float width) { return offered_names(s, ui, width, false); }
std::string any_names(const AppState& s, Ui& ui, float width) { return offered_names(s, ui, width, true); }

std::string field(const AppState& s, Ui& ui, float width, const char* hint, const std::string& unit,
                  const std::string* shown = nullptr) {
  const Look& l = ui.look;
  std::string answer = shown ? *shown : s.lesson.answer;
  const FontScope font(*l.fonts, Face::mono, 13);
  const float behind = unit.empty() ? 0 : text_width(l, Face::ui, 13, unit) + l.u(8);
  const bool beside = behind <= width * 0.5f;
  ImGui::SetNextItemWidth(std::max(l.u(60), beside ? width - behind : width));
  ImGui::InputTextWithHint("##answer", hint, &answer);
  text_stop(l, "##answer");
  show_item(l, "Answer");
  if (unit.empty()) return answer;
  if (beside) ImGui::SameLine(0, l.u(8));
  label(l, Face::ui, 13, l.palette->muted, unit);
  return answer;
}

std::string number(const AppState& s, Ui& ui, float width) {
  return field(s, ui, width, "a number", s.lesson.step()->question.unit);
}
std::string sectors(const AppState& s, Ui& ui, float width) {
  const std::string answer = field(s, ui, width, "0 1 2 3", "sectors, from 0");
  caption(ui.look, answer_words(answer).empty() ? "Or click on them in the array." : ranges_text(answer));
  return answer;
}
std::string percent(const AppState& s, Ui& ui, float width) {
  const std::string answer = field(s, ui, width, "0 to 100", "% of the time");
  caption(ui.look, "Or drag the line over the time of the SM.");
  return answer;
}
std::string point(const AppState& s, Ui& ui, float width) {
  const std::string answer = field(s, ui, width, "0.5 80", "flop/B, % of the roof");
  caption(ui.look, "Or drop it on the roofline.");
  return answer;
}
std::string cell(const AppState& s, Ui& ui, float width) { return cell_boxes(s, ui, "cells", width, ui.look.u(170)); }
std::string hyb_k(const AppState& s, Ui& ui, float width) {
  const std::size_t n = s.lesson.offer.past;
  const std::string answer = field(s, ui, width, "K", n > 1 ? "from 0 to " + std::to_string(n - 1) : "");
  caption(ui.look, "Or drag it over the row lengths.");
  return answer;
}
// The window counts rows from 1, answers from 0.
std::string row(const AppState& s, Ui& ui, float width) {
  const auto shift = [](const std::string& text, index_t by) {
    const auto n = number_from<index_t>(text);
    return n && *n + by >= 0 ? std::to_string(*n + by) : text;
  };
  const std::string shown = shift(s.lesson.answer, 1);
  const std::string answer = field(s, ui, width, "a row", "from 1", &shown);
  caption(ui.look, "Or click on a bar, or on a row among the longest.");
  return answer == shown ? s.lesson.answer : shift(answer, -1);
}

std::string lanes(const AppState& s, Ui& ui, float width) {
  std::string answer = lane_boxes(ui.look, std::min(width, ui.look.u(272)), s.lesson.answer);
  caption(ui.look, answer_words(answer).empty() ? "Click on lanes, or drag over them." : ranges_text(answer));
  return answer;
}

bool arrow(const Look& l, const char* id, bool up, bool enabled) {
  const ImVec2 at = ImGui::GetCursorScreenPos(), size(l.u(22), l.u(22));
  bool clicked = enabled ? ImGui::InvisibleButton(id, size) : (ImGui::Dummy(size), false);
  const bool hot = enabled && ImGui::IsItemHovered();
  if (enabled) clicked = key_stop(l, id, Focus::Takes::press).pressed || clicked;
  auto* list = ImGui::GetWindowDrawList();
  if (hot) list->AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y), u32(l.palette->control_hot), l.u(4));
  const float x = at.x + size.x / 2, y = at.y + size.y / 2, r = l.u(4), d = up ? -r / 2 : r / 2;
  list->AddTriangleFilled(ImVec2(x - r, y - d), ImVec2(x + r, y - d), ImVec2(x, y + d),
                          u32(enabled ? l.palette->ink : l.palette->hairline));
  return clicked;
}

}  // namespace

std::string order_list(const AppState& s, Ui& ui, float width) {
  const Look& l = ui.look;
  const LessonQuestion& q = s.lesson.step()->question;
  std::vector<std::string> order =
      answer_words(s.lesson.answer.empty() ? answer_to_begin(q, s.lesson.offer) : s.lesson.answer);
  if (order.empty()) caption(l, "What there is to put in order comes with the run\xE2\x80\xA6");
  int moved = -1, by = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::string text = answer_in_words(q, order[k], s.lesson.offer);
    ImGui::PushID(order[k].c_str());
    const ImVec2 at = ImGui::GetCursorScreenPos();
    auto* list = ImGui::GetWindowDrawList();
    const FontScope font(*l.fonts, Face::ui, 13);
    const std::string lines = broken_at_spaces(text, width - l.u(78));
    const float high = std::max(l.u(24), ImGui::CalcTextSize(lines.c_str()).y + l.u(8));
    list->AddRectFilled(at, ImVec2(at.x + width, at.y + high), u32(l.palette->control), l.u(4));
    draw_text(l, list, ImVec2(at.x + l.u(8), at.y + l.u(4)), Face::mono, 13, l.palette->muted, std::to_string(k + 1));
    list->AddText(ImVec2(at.x + l.u(26), at.y + l.u(4)), u32(l.palette->ink), lines.c_str());
    show_text(l, text);
    ImGui::SetCursorScreenPos(ImVec2(at.x + width - l.u(48), at.y + l.u(1)));
    if (arrow(l, "up", true, k > 0)) moved = static_cast<int>(k), by = -1;
    show_item(l, text + " up");
    ImGui::SetCursorScreenPos(ImVec2(at.x + width - l.u(25), at.y + l.u(1)));
    if (arrow(l, "down", false, k + 1 < order.size())) moved = static_cast<int>(k), by = 1;
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + high + l.u(3)));
    ImGui::PopID();
  }
  if (moved < 0) return s.lesson.answer;
  std::swap(order[static_cast<std::size_t>(moved)], order[static_cast<std::size_t>(moved + by)]);
  return joined(order);
}

namespace {

std::string ranking(const AppState& s, Ui& ui, float width) {
  const std::string answer = order_list(s, ui, width);
  caption(ui.look, "The largest first.");
  return answer;
}
std::string findings(const AppState& s, Ui& ui, float width) {
  const std::string answer = order_list(s, ui, width);
  caption(ui.look, "What costs most first.");
  return answer;
}

// By kind of question (core/lesson/question.hpp).
struct Control {
  const char* kind;
  std::string (*draw)(const AppState& s, Ui& ui, float width);
};
constexpr Control kControls[] = {{"choice", choice},     {"number", number},     {"ranking", ranking}, {"lanes", lanes},
                                 {"sectors", sectors},   {"row", row},           {"array", one_name},  {"hyb_k", hyb_k},
                                 {"roof", one_name},     {"padding", any_names}, {"alone", percent},   {"point", point},
                                 {"findings", findings}, {"cell", cell}};

}  // namespace

std::string answer_control(const AppState& s, Ui& ui, float width) {
  for (const Control& c : kControls)
    if (s.lesson.step()->question.kind == c.kind) return c.draw(s, ui, width);
  return number(s, ui, width);
}

std::string answer_to_begin(const LessonQuestion& q, const LessonOffer& offer) {
  if (q.kind == "findings") return joined(offer.names);
  if (q.kind != "ranking") return {};
  std::string order;
  for (std::size_t k = 1; k <= q.options.size(); ++k) order += (k > 1 ? " " : "") + std::to_string(k);
  return order;
}

namespace {

// If the mouse is dragged over boxes, they get the state of the first one. Returns whether this one changes.
bool painted(ImVec2 from, ImVec2 to, bool on) {
  enum { none, marks, clears };
  ImGuiStorage* storage = ImGui::GetStateStorage();
  const ImGuiID id = ImGui::GetID("painting");
  if (!ImGui::IsMouseDown(0)) storage->SetInt(id, none);
  const bool here =
      ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) && ImGui::IsMouseHoveringRect(from, to);
  if (here && ImGui::IsMouseClicked(0)) storage->SetInt(id, on ? clears : marks);
  const int now = storage->GetInt(id, none);
  return here && ((now == marks && !on) || (now == clears && on));
}

}  // namespace

std::string lane_boxes(const Look& l, float width, const std::string& answer, const LessonTruth* truth) {
  const std::vector<std::string> marked = answer_words(answer);
  const std::set<std::string> mine(marked.begin(), marked.end());
  std::string now = answer;
  const Palette& p = *l.palette;
  const ImVec2 from = ImGui::GetCursorScreenPos();
  constexpr int across = 8;
  const float gap_ = l.u(3), w = std::floor((width + gap_) / across) - gap_, h = std::min(w, l.u(26));
  auto* list = ImGui::GetWindowDrawList();
  for (int lane = 0; lane < 32; ++lane) {
    const std::string name = std::to_string(lane);
    const ImVec2 at(from.x + static_cast<float>(lane % across) * (w + gap_),
                    from.y + static_cast<float>(lane / across) * (h + gap_));
    const ImVec2 to(at.x + w, at.y + h);
    ImGui::SetCursorScreenPos(at);
    const std::string id = "lane " + name;
    const bool on = mine.contains(name);
    const bool right = truth && std::find(truth->right.begin(), truth->right.end(), lane) != truth->right.end();
    if (truth) {
      ImGui::Dummy(ImVec2(w, h));
    } else {
      ImGui::InvisibleButton(id.c_str(), ImVec2(w, h));
      if (key_stop(l, id.c_str(), Focus::Takes::press).pressed || painted(at, to, on)) now = answer_turned(now, name);
    }
    show_item(l, id);
    const bool filled = truth ? right : on;
    list->AddRectFilled(at, to, u32(filled ? p.accent : p.control), l.u(3));
    if (truth && on)
      list->AddRectFilled(ImVec2(at.x + l.u(6), to.y - l.u(5)), ImVec2(to.x - l.u(6), to.y - l.u(3)),
                          u32(filled ? p.on_accent : p.ink));
    draw_text(l, list, ImVec2(at.x + (w - text_width(l, Face::mono, 12, name)) / 2, at.y + (h - l.u(15)) / 2),
              Face::mono, 12, filled ? p.on_accent : p.muted, name);
  }
  ImGui::SetCursorScreenPos(ImVec2(from.x, from.y + 4 * (h + gap_) + l.u(2)));
  return now;
}

std::string tolerance_text(const LessonQuestion& q) {
  const auto plain = [](double v) {
    std::ostringstream out;
    out << v;
    return out.str();
  };
  if (q.kind == "alone") return "right within " + plain(q.within_percent) + " points";
  if (q.kind == "point") return "both right within a factor of " + plain(q.within_factor);
  if (q.kind != "number") return {};
  const std::string range = range_text(q);
  if (q.within_factor > 1) return range + "; right within a factor of " + plain(q.within_factor);
  if (q.within_percent > 0) return range + "; right within " + plain(q.within_percent) + " percent";
  return range + "; counted exactly";
}

}  // namespace warpspy::ui
