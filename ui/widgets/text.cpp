#include "ui/widgets/text.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "ui/platform/compat.hpp"
#include "ui/widgets/terms.hpp"

namespace warpspy::ui {

std::uint32_t u32(Color c) { return IM_COL32(c.r, c.g, c.b, c.a); }
std::uint32_t u32(Color c, float alpha) {
  return IM_COL32(c.r, c.g, c.b, static_cast<int>(static_cast<float>(c.a) * alpha));
}

namespace {

void show(const Look& l, Shown::Kind kind, const std::string& words, ImVec2 from, ImVec2 to) {
  if (!l.shown || words.empty()) return;
  if (kind != Shown::Kind::tip && !ImGui::IsRectVisible(from, to)) return;
  l.shown->push_back({kind, words, from.x, from.y, to.x - from.x, to.y - from.y});
}

}  // namespace

void show_text(const Look& l, const std::string& words) {
  show(l, Shown::Kind::text, words, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}

void show_item(const Look& l, const std::string& name) {
  show(l, Shown::Kind::item, name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}

void label(const Look& l, Face face, float size, Color c, const std::string& s) {
  const FontScope font(*l.fonts, face, size);
  ImGui::PushStyleColor(ImGuiCol_Text, u32(c));
  ImGui::TextUnformatted(s.data(), s.data() + s.size());
  ImGui::PopStyleColor();
  show_text(l, s);
}

std::string broken_at_spaces(const std::string& s, float width,
                             const std::function<float(const char* from, const char* to)>& width_of) {
  std::string out;
  out.reserve(s.size() + 8);
  const char *at = s.data(), *end = s.data() + s.size(), *line = at;
  for (; at != end; ++at) {
    if (*at == '\n') line = at + 1;
    if (*at != ' ') {
      out += *at;
      continue;
    }
    const char* word = at + 1;
    while (word != end && *word != ' ' && *word != '\n') ++word;
    const bool breaks = width_of(line, word) > width && at != line;
    out += breaks ? '\n' : ' ';
    if (breaks) line = at + 1;
  }
  return out;
}

std::string broken_at_spaces(const std::string& s, float width) {
  if (width <= 0) width = ImGui::GetContentRegionAvail().x;
  if (width <= 1) return s;  // a window that has no size yet
  return broken_at_spaces(s, width,
                          [](const char* from, const char* to) { return ImGui::CalcTextSize(from, to, false).x; });
}

void caption(const Look& l, const std::string& s) {
  const FontScope font(*l.fonts, Face::ui, 12);
  const std::string lines = broken_at_spaces(s);
  ImGui::PushStyleColor(ImGuiCol_Text, u32(l.palette->muted));
  ImGui::PushTextWrapPos(0);  // a word that is longer than a line
  ImGui::TextUnformatted(lines.data(), lines.data() + lines.size());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  show_text(l, s);
}

void paragraph(const Look& l, Color c, const std::string& s, float width) {
  ImGui::PushStyleColor(ImGuiCol_Text, u32(c));
  const std::string lines = broken_at_spaces(s, width);
  ImGui::PushTextWrapPos(width > 0 ? ImGui::GetCursorPosX() + width : 0);
  ImGui::TextUnformatted(lines.data(), lines.data() + lines.size());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  show_text(l, s);
}

void heading(const Look& l, const std::string& s, const std::string& help) {
  label(l, Face::bold, 13, l.palette->ink, s);
  explain(l, s, help);
}

float draw_text(const Look& l, ImDrawList* list, ImVec2 at, Face face, float size, Color c, const std::string& s,
                float width) {
  const auto [font, px] = l.fonts->pick(face, size);
  const std::string shown = width < 1e8f ? fit_text(l, face, size, s, width) : s;
  list->AddText(font, px, ImVec2(std::floor(at.x), std::floor(at.y)), u32(c), shown.data(),
                shown.data() + shown.size());
  const ImVec2 used = font->CalcTextSizeA(px, FLT_MAX, 0, shown.data(), shown.data() + shown.size());
  show(l, Shown::Kind::text, s, at, ImVec2(at.x + used.x, at.y + used.y));
  return used.x;
}

float text_width(const Look& l, Face face, float size, const std::string& s) {
  const auto [font, px] = l.fonts->pick(face, size);
  return font->CalcTextSizeA(px, FLT_MAX, 0, s.data(), s.data() + s.size()).x;
}

std::string fit_text(const Look& l, Face face, float size, const std::string& s, float width) {
  if (text_width(l, face, size, s) <= width) return s;
  const auto is_tail = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  // Keeps the end of the text, since file names and parameters differ there.
  std::size_t keep = s.size();
  while (keep > 2) {
    --keep;
    std::size_t head = keep * 3 / 5, tail = s.size() - (keep - head);
    while (head > 0 && is_tail(s[head])) --head;
    while (tail < s.size() && is_tail(s[tail])) ++tail;
    const std::string cut = s.substr(0, head) + "\xE2\x80\xA6" + s.substr(tail);
    if (text_width(l, face, size, cut) <= width) return cut;
  }
  return "\xE2\x80\xA6";
}

namespace {

// Where a tooltip of this height begins, for an item between `lo` and `hi`. In a table it is past the table's nearer
// end, since the neighbouring rows must stay readable; in a high table it would be too far from its item there.
float top_of_tip(const Look& l, float lo, float hi, float height) {
  const float gap_ = l.u(6), far = l.u(160), screen = ImGui::GetIO().DisplaySize.y;
  const float above = lo - gap_ - height, below = hi + gap_;
  if (l.table) {
    const float over = std::min(lo, l.table->top) - gap_ - height, under = std::max(hi, l.table->bottom) + gap_;
    const bool over_fits = over >= 0 && lo - l.table->top < far;
    const bool under_fits = under + height < screen && l.table->bottom - hi < far;
    if (over_fits && (!under_fits || lo - l.table->top <= l.table->bottom - hi)) return over;
    if (under_fits) return under;
  }
  return below + height < screen ? below : above;
}

// The tooltip is below the explained item, or above it without room below, so that it never covers the item. For a line
// of a list it is beside the window, since the neighbouring lines must stay readable. For an item too large for this,
// it is at the mouse.
void place_tip(const Look& l, const std::string& s, bool beside) {
  const ImVec2 lo = ImGui::GetItemRectMin(), hi = ImGui::GetItemRectMax(), screen = ImGui::GetIO().DisplaySize;
  const float room = l.u(320), pad = l.u(20), gap_ = l.u(6);
  const auto [font, px] = l.fonts->pick(Face::ui, 13);
  const ImVec2 words = font->CalcTextSizeA(px, FLT_MAX, room, s.data(), s.data() + s.size());
  const ImVec2 size(std::min(words.x, room) + pad, words.y + l.u(16));
  if (beside) {
    const ImVec2 at = ImGui::GetWindowPos();
    const float right = at.x + ImGui::GetWindowWidth() + gap_;
    const bool fits = right + size.x < screen.x;
    return ImGui::SetNextWindowPos(
        ImVec2(fits ? right : std::max(0.f, at.x - gap_ - size.x), std::min(lo.y, screen.y - size.y)));
  }
  if (hi.y - lo.y > l.u(80)) return;
  const float x = std::max(0.f, std::min(lo.x, screen.x - size.x - l.u(4)));
  // In a wide line, the tooltip is near the mouse.
  const float mouse = std::min(ImGui::GetIO().MousePos.x, screen.x - size.x - l.u(4));
  ImGui::SetNextWindowPos(ImVec2(hi.x - lo.x > l.u(340) ? std::max(0.f, mouse) : x, top_of_tip(l, lo.y, hi.y, size.y)));
}

}  // namespace

void tip(const Look& l, const std::string& s, bool beside) {
  const auto draw = [&] {
    const std::string lines = broken_at_spaces(s, l.u(320) - ImGui::GetCursorPosX());
    ImGui::TextUnformatted(lines.data(), lines.data() + lines.size());
  };
  tip(l, s, draw, beside);
}

void tip(const Look& l, const std::string& s, const std::function<void()>& draw, bool beside) {
  if (s.empty() || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
  if (ImGui::IsMouseDown(0)) return;
  const ImVec2 corner = ImGui::GetItemRectMin();
  if (l.rest.x != corner.x || l.rest.y != corner.y) l.rest = {corner.x, corner.y, ImGui::GetTime()};
  if (ImGui::GetTime() - l.rest.since < l.tip_delay) return;
  open_tip(l, s, draw, beside);
}

void open_tip(const Look& l, const std::string& s, const std::function<void()>& draw, bool beside) {
  const ImVec2 corner = ImGui::GetItemRectMin();
  place_tip(l, s, beside);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(l.u(10), l.u(8)));
  ImGui::BeginTooltip();
  l.fonts->push(Face::ui, 13);
  ImGui::PushTextWrapPos(l.u(320));
  draw();
  show(l, Shown::Kind::tip, s, corner, corner);
  ImGui::PopTextWrapPos();
  FontSet::pop();
  end_tooltip();
  ImGui::PopStyleVar();
}

void tooltip(const Look& l, const std::string& title, const std::vector<TooltipRow>& rows, const std::string& foot) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(l.u(10), l.u(8)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(l.u(8), l.u(3)));
  ImGui::BeginTooltip();
  if (!title.empty()) label(l, Face::bold, 13, l.palette->ink, title);
  float names = 0, values = 0;
  for (const auto& r : rows) {
    names = std::max(names, text_width(l, Face::ui, 13, r.name) + (r.chip ? l.u(14) : 0));
    values = std::max(values, text_width(l, Face::mono, 13, r.value));
  }
  const float left = ImGui::GetCursorPosX();
  for (const auto& r : rows) {
    if (r.chip) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float d = l.u(8), top = at.y + std::floor((ImGui::GetTextLineHeight() - d) / 2);
      ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(at.x, top), ImVec2(at.x + d, top + d), u32(*r.chip), l.u(2));
      ImGui::SetCursorPosX(left + l.u(14));
    }
    label(l, Face::ui, 13, l.palette->muted, r.name);
    if (r.value.empty()) continue;
    ImGui::SameLine();
    ImGui::SetCursorPosX(left + names + l.u(16) + values - text_width(l, Face::mono, 13, r.value));
    label(l, Face::mono, 13, l.palette->ink, r.value);
  }
  if (!foot.empty()) {
    gap(l, 2);
    show_text(l, foot);
    const FontScope font(*l.fonts, Face::ui, 12);
    const float wide = std::max(l.u(240), names + values + l.u(16));
    const std::string lines = broken_at_spaces(foot, wide);
    ImGui::PushTextWrapPos(left + wide);
    ImGui::PushStyleColor(ImGuiCol_Text, u32(l.palette->muted));
    ImGui::TextUnformatted(lines.data(), lines.data() + lines.size());
    ImGui::PopStyleColor();
    ImGui::PopTextWrapPos();
  }
  end_tooltip();
  ImGui::PopStyleVar(2);
}

void draw_provenance(const Look& l, ImDrawList* list, ImVec2 c, float radius, Provenance p, Color color) {
  const float width = std::max(1.f, 1.5f * l.scale);
  const ImU32 ink = u32(color);
  if (p == Provenance::measured) return list->AddCircleFilled(c, radius, ink);
  if (p == Provenance::derived) {
    list->PathArcTo(c, radius, 1.5707963f, 4.712389f);
    list->PathFillConvex(ink);
  }
  list->AddCircle(c, radius - width / 2, ink, 0, width);
}

void draw_cursor(const Look& l, ImDrawList* list, ImVec2 from, ImVec2 to) {
  const float width = std::max(2.f, l.u(2)), out = width;
  list->AddRect(ImVec2(from.x - out, from.y - out), ImVec2(to.x + out, to.y + out), u32(l.palette->ground), l.u(3), 0,
                width);
  list->AddRect(from, to, u32(l.palette->accent), l.u(2), 0, width);
}

void hairline(const Look& l) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float w = ImGui::GetContentRegionAvail().x;
  const float y = std::floor(at.y) + 0.5f;
  ImGui::GetWindowDrawList()->AddLine(ImVec2(at.x, y), ImVec2(at.x + w, y), u32(l.palette->hairline),
                                      std::max(1.f, std::floor(l.scale)));
  ImGui::Dummy(ImVec2(0, 1));
}

void gap(const Look& l, float height) {
  ImGui::Dummy(ImVec2(0, std::max(0.f, l.u(height) - ImGui::GetStyle().ItemSpacing.y)));
}

}  // namespace warpspy::ui
