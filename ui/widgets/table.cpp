#include "ui/widgets/table.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/platform/compat.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

constexpr float kLine = 17;  // from one line of text to the next

void sort_arrow(const Look& l, ImVec2 at, bool descending, Color ink) {
  const float d = l.u(6);
  auto* list = ImGui::GetWindowDrawList();
  if (descending)
    list->AddTriangleFilled(at, ImVec2(at.x + d, at.y), ImVec2(at.x + d / 2, at.y + d), u32(ink));
  else
    list->AddTriangleFilled(ImVec2(at.x + d / 2, at.y), ImVec2(at.x + d, at.y + d), ImVec2(at.x, at.y + d), u32(ink));
}

}  // namespace

Table::Table(const Look& l, const char* id, std::vector<TableColumn> columns, ImVec2 size, TableStyle style)
    : l_(l), columns_(std::move(columns)), style_(style) {
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(l.u(style.pad_x), l.u(style.pad_y)));
  const auto flags = ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_NoPadOuterX |
                     (style.scrolls ? ImGuiTableFlags_ScrollY : 0) | (style.frozen >= 0 ? ImGuiTableFlags_ScrollX : 0);
  open_ = ImGui::BeginTable(id, static_cast<int>(columns_.size()), flags, size);
  if (!open_) return;
  if (style.scrolls) ImGui::TableSetupScrollFreeze(std::max(0, style.frozen), 1);
  for (const TableColumn& c : columns_)
    ImGui::TableSetupColumn("", c.width > 0 ? ImGuiTableColumnFlags_WidthFixed : ImGuiTableColumnFlags_WidthStretch,
                            c.width > 0 ? l.u(c.width) : c.share);
}

Table::~Table() {
  if (open_) ImGui::EndTable();
  ImGui::PopStyleVar();
}

float Table::next() {
  if (std::exchange(picked_, false)) {
    ImGui::SetCursorPos(ImVec2(first_x_, first_y_));
    return std::max(1.f, ImGui::GetContentRegionAvail().x);
  }
  ImGui::TableNextColumn();
  if (const float inset = columns_[static_cast<std::size_t>(ImGui::TableGetColumnIndex())].inset; inset > 0)
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + l_.u(inset));
  return std::max(1.f, ImGui::GetContentRegionAvail().x);
}

void Table::skip(int cells) {
  for (int k = 0; k < cells; ++k) next();
}

void Table::row(bool selected) {
  ImGui::TableNextRow();
  if (selected) ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, u32(l_.palette->select));
}

bool Table::pick(const char* id) {
  next();
  first_x_ = ImGui::GetCursorPosX(), first_y_ = ImGui::GetCursorPosY();
  picked_ = true;
  const bool clicked = ImGui::Selectable(id, false, ImGuiSelectableFlags_SpanAllColumns | kSelectableOverlap,
                                         ImVec2(0, l_.u(style_.row)));
  show_item(l_, id);
  return clicked;
}

float Table::draw(const Cell& c, bool right, float size, float down) const {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float mark = c.from ? l_.u(12) : 0, room = std::max(0.f, ImGui::GetContentRegionAvail().x - mark);
  const float y = at.y + l_.u(down), w = std::min(room, text_width(l_, c.face, size, c.text));
  auto* list = ImGui::GetWindowDrawList();
  const float x = right ? at.x + room - w : at.x;
  draw_text(l_, list, ImVec2(x, y), c.face, size, c.ink, c.text, room + 1);
  if (c.from)
    draw_provenance(l_, list, ImVec2(at.x + room + l_.u(8), y + l_.u(8)), l_.u(3.5f), *c.from, l_.palette->muted);
  return x + w;
}

void Table::cell(const Cell& c) {
  const float room = next();
  const bool right = columns_[static_cast<std::size_t>(ImGui::TableGetColumnIndex())].right;
  const bool two = style_.row >= 2 * kLine - 1;  // else one line stands in the middle of its row
  draw(c, right, 13, two ? 0 : std::floor((style_.row - kLine) / 2));
  if (!c.second.empty())
    draw({.text = c.second, .ink = c.second_ink.value_or(l_.palette->muted), .face = Face::ui}, right, 12, kLine);
  ImGui::Dummy(ImVec2(room, l_.u(style_.row)));
  if (!c.help.empty()) tip(l_, c.help);
}

void Table::text(const std::string& s, Color ink, Face face, const std::string& help) {
  cell({.text = s, .ink = ink, .face = face, .help = help});
}

void Table::head() {
  ImGui::TableNextRow();
  for (const TableColumn& c : columns_) {
    const float room = next();
    draw({.text = c.name, .ink = l_.palette->muted, .face = Face::ui}, c.right, style_.head, 0);
    ImGui::Dummy(ImVec2(room, l_.u(style_.head + 4)));
    if (!c.help.empty()) tip(l_, c.help);
  }
}

int Table::sortable_head(int sorted, bool descending) {
  ImGui::TableNextRow();
  int clicked = -1;
  for (int k = 0; k < static_cast<int>(columns_.size()); ++k) {
    const TableColumn& c = columns_[static_cast<std::size_t>(k)];
    const float room = next();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushID(k);
    if (ImGui::InvisibleButton("sort", ImVec2(room, l_.u(style_.head + 6)))) clicked = k;
    show_item(l_, c.name);
    ImGui::PopID();
    const bool by_this = k == sorted;
    const Color ink = by_this || ImGui::IsItemHovered() ? l_.palette->ink : l_.palette->muted;
    const float arrow = by_this ? l_.u(10) : 0, fits = room - arrow;
    const float w = std::min(fits, text_width(l_, Face::ui, style_.head, c.name));
    const float x = c.right ? at.x + fits - w : at.x;
    draw_text(l_, ImGui::GetWindowDrawList(), ImVec2(x, at.y), Face::ui, style_.head, ink, c.name, fits);
    if (by_this) sort_arrow(l_, ImVec2(x + w + l_.u(3), at.y + l_.u(5)), descending, ink);
    tip(l_, c.help + "\nClick sorts.");
  }
  return clicked;
}

}  // namespace warpspy::ui
