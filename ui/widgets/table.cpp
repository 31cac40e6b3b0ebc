#include "ui/widgets/table.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "ui/platform/compat.hpp"
#include "ui/widgets/menu.hpp"
#include "ui/widgets/terms.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

constexpr float kLine = 17;  // height of a line of text

void sort_arrow(const Look& l, ImVec2 at, bool descending, Color ink) {
  const float d = l.u(6);
  auto* list = ImGui::GetWindowDrawList();
  if (descending)
    list->AddTriangleFilled(at, ImVec2(at.x + d, at.y), ImVec2(at.x + d / 2, at.y + d), u32(ink));
  else
    list->AddTriangleFilled(ImVec2(at.x + d / 2, at.y), ImVec2(at.x + d, at.y + d), ImVec2(at.x, at.y + d), u32(ink));
}

// If columns have too little room they get what they need, and the table scrolls sideways.
void keep_readable(const Look& l, std::vector<TableColumn>& columns, float room, TableStyle& style) {
  if (style.least_share <= 0) return;
  const auto own = [&](const TableColumn& c) { return c.width > 0 ? c.width : c.share * style.least_share; };
  float need = 0;
  for (const TableColumn& c : columns) need += own(c) + c.inset + 2 * style.pad_x;
  if (room >= l.u(need)) return;
  for (TableColumn& c : columns) c.width = own(c);
  style.frozen = std::max(style.frozen, style.held);
}

}  // namespace

Table::Table(const Look& l, const char* id, std::vector<TableColumn> columns, ImVec2 size, TableStyle style)
    : l_(l), columns_(std::move(columns)), style_(style) {
  keys_of(id, size);
  keep_readable(l, columns_, size.x > 0 ? size.x : ImGui::GetContentRegionAvail().x, style_);
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(l.u(style.pad_x), l.u(style.pad_y)));
  style = style_;
  const auto flags = ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_NoPadOuterX | ImGuiTableFlags_Resizable |
                     ImGuiTableFlags_NoBordersInBodyUntilResize | (style.scrolls ? ImGuiTableFlags_ScrollY : 0) |
                     (style.frozen >= 0 ? ImGuiTableFlags_ScrollX : 0);
  // Widths that the user has set are in pixels, so each scale starts with its own.
  const std::string own = std::string(id) + "##" + std::to_string(std::lround(100 * l.scale));
  open_ = ImGui::BeginTable(own.c_str(), static_cast<int>(columns_.size()), flags, size);
  if (!open_) return;
  outer_ = std::exchange(l_.table, area_);
  if (style.scrolls) ImGui::TableSetupScrollFreeze(std::max(0, style.frozen), 1);
  for (const TableColumn& c : columns_)
    ImGui::TableSetupColumn("", c.width > 0 ? ImGuiTableColumnFlags_WidthFixed : ImGuiTableColumnFlags_WidthStretch,
                            c.width > 0 ? l.u(c.width) : c.share);
}

// The table is one stop of Tab. ImGui keeps its current row and its number of rows from frame to frame.
void Table::keys_of(const char* id, ImVec2 size) {
  const ImVec2 from = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  ImGui::PushID(id);
  own_id_ = ImGui::GetID("table"), cursor_id_ = ImGui::GetID("cursor"), count_id_ = ImGui::GetID("count");
  column_id_ = ImGui::GetID("column"), copy_id_ = ImGui::GetID("copy");
  height_id_ = ImGui::GetID("height");
  ImGui::PopID();
  store_ = ImGui::GetStateStorage();
  top_ = from.y;
  // A table that does not scroll is as high as its rows were.
  const float high = size.y > 0 ? size.y : style_.scrolls ? room.y : store_->GetFloat(height_id_, room.y);
  const ImVec2 to(from.x + (size.x > 0 ? size.x : room.x), from.y + high);
  const bool inside = ImGui::IsMouseHoveringRect(from, to) && ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows);
  const bool arrows = key_pressed(l_, {Key::down}) || key_pressed(l_, {Key::up});
  // Arrow keys after a click on a row continue from that row.
  if (l_.focus && l_.focus->at(own_id_) && inside && arrows) l_.focus->use_keys();
  keys_ = key_stop(l_, own_id_, from, to);
  cursor_ = store_->GetInt(cursor_id_, 0), count_ = store_->GetInt(count_id_, 0);
  const float rows = static_cast<float>(count_ + 1) * (l_.u(style_.row) + 2 * l_.u(style_.pad_y));  // with the names
  area_ = {from.y, std::min(to.y, from.y + rows)};
  copies_ = store_->GetBool(copy_id_, false);
  store_->SetBool(copy_id_, false);
  const bool mine = keys_.has || (mouse_has_keys(l_) && inside);
  if (mine && !ImGui::GetIO().WantTextInput && key_pressed(l_, {key('C'), true})) copies_ = true;
  if (!keys_.has || ImGui::GetIO().WantTextInput) return;
  const int before = cursor_, page = 10;
  const int with_shift = static_cast<int>(key_pressed(l_, {Key::down, false, true}, true)) -
                         static_cast<int>(key_pressed(l_, {Key::up, false, true}, true));
  extends_ = with_shift != 0;
  cursor_ += keys_.down + with_shift;
  if (key_pressed(l_, {Key::page_down}, true)) cursor_ += page;
  if (key_pressed(l_, {Key::page_up}, true)) cursor_ -= page;
  if (key_pressed(l_, {Key::home})) cursor_ = 0;
  if (key_pressed(l_, {Key::end})) cursor_ = count_ - 1;
  cursor_ = std::clamp(cursor_, -1, std::max(0, count_ - 1));
  moved_ = cursor_ != before;
  if (cursor_ < 0 && keys_.along) {
    const int last = static_cast<int>(columns_.size()) - 1;
    store_->SetInt(column_id_, std::clamp(store_->GetInt(column_id_, 0) + keys_.along, 0, last));
  }
}

Table::~Table() {
  if (open_) {
    // Rows that cannot be picked are scrolled through.
    if (keys_.has && !picks_ && style_.scrolls && moved_)
      ImGui::SetScrollY(static_cast<float>(std::max(0, cursor_)) * (l_.u(style_.row) + 2 * l_.u(style_.pad_y)));
    end_table();
    l_.table = outer_;
    if (selected_ >= 0 && !keys_.has) cursor_ = selected_;
    store_->SetInt(cursor_id_, cursor_);
    store_->SetInt(count_id_, rows_ + 1);
    store_->SetFloat(height_id_, ImGui::GetCursorScreenPos().y - top_ - ImGui::GetStyle().ItemSpacing.y);
  }
  ImGui::PopStyleVar();
  if (!copies_) return;
  l_.copied.clear();
  for (const auto& row : copy_) {
    for (std::size_t k = 0; k < row.size(); ++k) l_.copied += (k > 0 ? "\t" : "") + row[k];
    l_.copied += "\n";
  }
}

void Table::copy() { store_->SetBool(copy_id_, true); }

// Tabs and line breaks part cells and rows.
void Table::take_down(const std::string& text) {
  if (!copies_ || copy_.empty()) return;
  std::string one = text;
  std::replace_if(one.begin(), one.end(), [](char c) { return c == '\t' || c == '\n'; }, ' ');
  copy_.back().push_back(std::move(one));
}

float Table::next(const std::string& copied) {
  take_down(copied);
  if (std::exchange(picked_, false)) {
    ImGui::SetCursorPos(ImVec2(first_x_, first_y_));
    return std::max(1.f, ImGui::GetContentRegionAvail().x);
  }
  grow_to_cursor();  // the cell before may be empty
  ImGui::TableNextColumn();
  if (const float inset = columns_[static_cast<std::size_t>(ImGui::TableGetColumnIndex())].inset; inset > 0)
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + l_.u(inset));
  return std::max(1.f, ImGui::GetContentRegionAvail().x);
}

void Table::skip(int cells) {
  for (int k = 0; k < cells; ++k) next();
}

void Table::rows(int count, const std::function<void(int)>& draw) {
  const int before = rows_;
  // The current row must be drawn, so that the table can scroll to it.
  const bool all = copies_ || moved_;
  ImGuiListClipper clipper;
  if (!all) clipper.Begin(count);
  while (!all && clipper.Step())
    for (int k = clipper.DisplayStart; k < clipper.DisplayEnd; ++k) {
      rows_ = before + k;
      draw(k);
      grow_to_cursor();
    }
  for (int k = 0; all && k < count; ++k) draw(k);
  rows_ = before + count;
}

void Table::begin_row() {
  grow_to_cursor();
  ImGui::TableNextRow();
  if (copies_) copy_.emplace_back();
}

void Table::row(bool selected) {
  begin_row();
  ++rows_;
  row_keys_ = {};
  if (selected) selected_ = selected_ < 0 ? rows_ : selected_;
  if (selected) ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, u32(l_.palette->select));
}

bool Table::pick(const char* id) {
  picks_ = true;
  ImGui::TableNextColumn();
  if (const float inset = columns_[0].inset; inset > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + l_.u(inset));
  first_x_ = ImGui::GetCursorPosX(), first_y_ = ImGui::GetCursorPosY();
  picked_ = true;
  const bool clicked = ImGui::Selectable(id, false, ImGuiSelectableFlags_SpanAllColumns | kSelectableOverlap,
                                         ImVec2(0, l_.u(style_.row)));
  show_item(l_, id);
  if (clicked && l_.focus) l_.focus->take(own_id_);
  if (clicked) cursor_ = rows_;
  if (!keys_.has || rows_ != cursor_) return clicked;
  row_keys_ = keys_;
  const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
  ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg1, u32(l_.palette->control_hot));
  ImGui::GetWindowDrawList()->AddRectFilled(from, ImVec2(from.x + l_.u(3), to.y), u32(l_.palette->accent));
  if (moved_) scroll_to(from.y, to.y);
  return clicked || keys_.pressed || (moved_ && style_.follows);
}

void Table::show_row() const { scroll_to(ImGui::GetItemRectMin().y, ImGui::GetItemRectMax().y); }

void Table::show_place(int place) const {
  const float height = l_.u(style_.row) + 2 * l_.u(style_.pad_y), top = height * static_cast<float>(place);
  const float from = ImGui::GetScrollY(), room = ImGui::GetWindowHeight() - l_.u(style_.head + 12);
  if (top < from) ImGui::SetScrollY(top);
  // To a whole row, so that the first one is not cut.
  if (top + height > from + room) ImGui::SetScrollY(std::ceil((top + height - room) / height) * height);
}

// Below the names, which stay.
void Table::scroll_to(float top, float bottom) const {
  const float head = style_.scrolls ? l_.u(style_.head + 12) : 0;
  const float lo = ImGui::GetWindowPos().y + head, hi = ImGui::GetWindowPos().y + ImGui::GetWindowHeight();
  if (top < lo) ImGui::SetScrollY(ImGui::GetScrollY() - (lo - top));
  if (bottom > hi) ImGui::SetScrollY(ImGui::GetScrollY() + (bottom - hi) + l_.u(4));
}

float Table::draw(const Cell& c, bool right, float size, float down) const {
  const float chip = c.chip ? l_.u(14) : 0, side = l_.u(8);
  const ImVec2 corner = ImGui::GetCursorScreenPos(), at(corner.x + chip, corner.y);
  const float mark = c.from ? l_.u(12) : 0, room = std::max(0.f, ImGui::GetContentRegionAvail().x - mark - chip);
  const float y = at.y + l_.u(down), w = std::min(room, text_width(l_, c.face, size, c.text));
  auto* list = ImGui::GetWindowDrawList();
  const float x = right ? at.x + room - w : at.x;
  draw_text(l_, list, ImVec2(x, y), c.face, size, c.ink, c.text, room + 1);
  if (c.chip)
    list->AddRectFilled(ImVec2(corner.x, y + l_.u(4)), ImVec2(corner.x + side, y + l_.u(4) + side), u32(*c.chip),
                        l_.u(2));
  if (c.from)
    draw_provenance(l_, list, ImVec2(at.x + room + l_.u(8), y + l_.u(8)), l_.u(3.5f), *c.from, l_.palette->muted);
  return x + w;
}

void Table::cell(const Cell& c) {
  const float room = next(c.second.empty() ? c.text : c.text + "; " + c.second);
  const bool right = columns_[static_cast<std::size_t>(ImGui::TableGetColumnIndex())].right;
  const bool two = style_.row >= 2 * kLine - 1;  // else a single line is in the middle of its row
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
  begin_row();
  for (const TableColumn& c : columns_) {
    const float room = next(c.name);
    draw({.text = c.name, .ink = l_.palette->muted, .face = Face::ui}, c.right, style_.head, 0);
    ImGui::PushID(ImGui::TableGetColumnIndex());
    ImGui::InvisibleButton("head", ImVec2(room, l_.u(style_.head + 4)));
    ImGui::PopID();
    head_menu();
    explain(l_, c.name, c.help);
  }
}

int Table::sortable_head(int sorted, bool descending) {
  begin_row();
  int clicked = -1;
  for (int k = 0; k < static_cast<int>(columns_.size()); ++k) {
    const TableColumn& c = columns_[static_cast<std::size_t>(k)];
    const float room = next(c.name);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushID(k);
    if (ImGui::InvisibleButton("sort", ImVec2(room, l_.u(style_.head + 6)))) clicked = k;
    show_item(l_, c.name);
    ImGui::PopID();
    const bool keyed = keys_.has && cursor_ < 0 && store_->GetInt(column_id_, 0) == k;
    if (keyed && keys_.pressed) clicked = k;
    const bool by_this = k == sorted;
    const Color ink = by_this || keyed || ImGui::IsItemHovered() ? l_.palette->ink : l_.palette->muted;
    const float arrow = by_this ? l_.u(10) : 0, fits = room - arrow;
    const float w = std::min(fits, text_width(l_, Face::ui, style_.head, c.name));
    const float x = c.right ? at.x + fits - w : at.x;
    draw_text(l_, ImGui::GetWindowDrawList(), ImVec2(x, at.y), Face::ui, style_.head, ink, c.name, fits);
    if (by_this) sort_arrow(l_, ImVec2(x + w + l_.u(3), at.y + l_.u(5)), descending, ink);
    if (keyed)
      ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(at.x, at.y + l_.u(style_.head + 4)),
                                                ImVec2(at.x + room, at.y + l_.u(style_.head + 6)),
                                                u32(l_.palette->accent));
    head_menu();
    explain(l_, c.name, c.help + "\nClick sorts.");
  }
  return clicked;
}

// The menu of the column whose name was drawn last.
void Table::head_menu() {
  ImGui::PushID(ImGui::TableGetColumnIndex());
  Keys keys = keys_;
  keys.has = keys_.has && cursor_ < 0 && ImGui::TableGetColumnIndex() == 0 && rows_ < 0;
  if (begin_context_menu(l_, "names", keys)) {
    if (menu_item(l_, "Copy the table",
                  {.keys = "Ctrl+C", .help = "Every row as text, parted by tabs, with the names."}))
      copy();
    end_menu(l_);
  }
  ImGui::PopID();
}

void TableSort::head(Table& table) {
  const int clicked = table.sortable_head(column_, descending_);
  if (clicked < 0) return;
  const bool again = clicked == column_ && descending_;
  descending_ = clicked == column_ && !again;
  column_ = again ? -1 : clicked;
}

std::vector<std::size_t> TableSort::order(std::size_t rows,
                                          const std::function<SortKey(std::size_t row, int column)>& key) const {
  std::vector<std::size_t> places(rows);
  std::iota(places.begin(), places.end(), std::size_t{0});
  if (column_ < 0) return places;
  std::vector<SortKey> keys;
  for (std::size_t k = 0; k < rows; ++k) keys.push_back(key(k, column_));
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t a, std::size_t b) { return descending_ ? keys[b] < keys[a] : keys[a] < keys[b]; });
  return places;
}

}  // namespace warpspy::ui
