// Sheets of a warp: the sectors of an array, and the time axis of its SM.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "core/base/number_text.hpp"
#include "ui/platform/compat.hpp"
#include "ui/views/lesson_controls.hpp"
#include "ui/views/lesson_sheets.hpp"
#include "ui/widgets/pick_grid.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

constexpr std::size_t kLineRows = 16;  // lines per column of the sheet
constexpr std::size_t kMostWarps = 64;

}  // namespace

// The lines of the array as in the warp view, without lanes and links.
std::string sector_sheet(const AppState& s, Ui& ui, ImVec2 size) {
  const Look& l = ui.look;
  const Palette& p = *l.palette;
  const LessonOffer& o = s.lesson.offer;
  std::set<std::size_t> mine;
  for (const std::string& w : answer_words(s.lesson.answer))
    if (const auto n = number_from<std::size_t>(w)) mine.insert(*n);
  const std::size_t count = o.past - o.from, lines = (count + 3) / 4, columns = (lines + kLineRows - 1) / kLineRows;
  caption(l,
          o.of + ", " + std::to_string(o.each) + " elements in each sector; the line's first element stands before it");
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float each = std::min(l.u(260), size.x / static_cast<float>(columns)), names = std::min(l.u(56), each * 0.34f);
  const float w = (each - names - l.u(10)) / 4;
  const float h = std::clamp((size.y - l.u(24)) / static_cast<float>(std::min(lines, kLineRows)), l.u(14), l.u(26));
  const auto box = [&](std::size_t k) {
    const std::size_t line = k / 4;
    const float x = at.x + static_cast<float>(line / kLineRows) * each + names + static_cast<float>(k % 4) * w,
                y = at.y + static_cast<float>(line % kLineRows) * h;
    return Focus::Area{x, y, x + w - l.u(2), y + h - l.u(4)};
  };
  auto* list = ImGui::GetWindowDrawList();
  for (std::size_t k = 0; k < count; ++k) {
    const Focus::Area a = box(k);
    const bool on = mine.contains(o.from + k);
    list->AddRectFilled(ImVec2(a.x0, a.y0), ImVec2(a.x1, a.y1), u32(on ? p.accent : p.control), l.u(2));
    if (k % 4 != 0) continue;
    const std::string first = std::to_string((o.from + k) * static_cast<std::size_t>(std::max(1, o.each)));
    const float x = a.x0 - l.u(6) - text_width(l, Face::mono, 12, first);
    draw_text(l, list, ImVec2(x, a.y0 + (a.y1 - a.y0 - l.u(15)) / 2), Face::mono, 12, p.muted, first);
  }
  const float bottom = at.y + static_cast<float>(std::min(lines, kLineRows)) * h;
  const auto turned = pick_grid(l, "sectors", {at.x + names, at.y, at.x + static_cast<float>(columns) * each, bottom},
                                {.count = count,
                                 .across = 4,
                                 .box = box,
                                 .name = [&](std::size_t k) { return "sector " + std::to_string(o.from + k); },
                                 .on = [&](std::size_t k) { return mine.contains(o.from + k); }});
  std::string answer = s.lesson.answer;
  for (const std::size_t k : turned) answer = answer_turned(answer, std::to_string(o.from + k));
  return answer;
}

// The time axis of the SM with a row for each warp. All rows look the same, since their end is the answer.
std::string alone_sheet(const AppState& s, Ui& ui, ImVec2 size) {
  const Look& l = ui.look;
  const Palette& p = *l.palette;
  const std::size_t warps = std::clamp<std::size_t>(s.lesson.offer.past, 1, kMostWarps);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = std::clamp(size.y - l.u(40), l.u(60), l.u(360)), width = std::max(l.u(60), size.x - l.u(8));
  auto* list = ImGui::GetWindowDrawList();
  const float row = height / static_cast<float>(warps);
  for (std::size_t k = 0; k < warps; ++k) {
    const float y = at.y + static_cast<float>(k) * row;
    list->AddRectFilled(ImVec2(at.x, y), ImVec2(at.x + width, y + std::max(1.f, row - l.u(1))), u32(p.control));
  }
  ImGui::InvisibleButton("moment", ImVec2(width, height));
  show_item(l, "moment");
  const bool held = ImGui::IsItemActive();
  const Keys keys = key_stop(l, "moment");
  const auto now = number_from<double>(s.lesson.answer);
  std::string answer = s.lesson.answer;
  const auto set = [&](double percent) {
    answer = std::to_string(static_cast<int>(std::lround(std::clamp(percent, 0.0, 100.0))));
  };
  if (held) set(100 * (ImGui::GetIO().MousePos.x - at.x) / width);
  if (keys.has && keys.along) set(now.value_or(50) + keys.along);
  if (now) {
    const float x = at.x + width * static_cast<float>(std::clamp(*now / 100, 0.0, 1.0));
    list->AddLine(ImVec2(x, at.y), ImVec2(x, at.y + height), u32(p.accent), l.u(2));
  }
  for (const int percent : {0, 25, 50, 75, 100}) {
    const std::string words = std::to_string(percent) + " %";
    const float w = text_width(l, Face::ui, 12, words);
    const float x = at.x + width * static_cast<float>(percent) / 100;
    draw_text(l, list, ImVec2(std::clamp(x - w / 2, at.x, at.x + width - w), at.y + height + l.u(4)), Face::ui, 12,
              p.muted, words);
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + height + l.u(22)));
  caption(l, std::to_string(s.lesson.offer.past) + " warps of the SM, a row each; the time until the last one is done");
  return answer;
}

}  // namespace warpspy::ui
