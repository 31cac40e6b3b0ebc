// One cell of the pattern: its tooltip, the cursor that the keys move, and its menu.
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "ui/spy/owners.hpp"
#include "ui/views/spy_panel.hpp"
#include "ui/widgets/menu.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

std::string range_text(index_t first, index_t past) {
  return past - first <= 1 ? count_text(first + 1) : count_text(first + 1) + " \xE2\x80\x93 " + count_text(past);
}

void tell_read(const EntryTrace& trace, index_t position, std::vector<TooltipRow>& rows) {
  const EntryRead* read = trace.find(position);
  if (!read) return rows.push_back({"read by", "a block that did not run", {}});
  for (auto& [what, text] : plot::describe_read(trace, *read)) rows.push_back({what, text, {}});
}

// The value of the entry at `position`; -1: no entry.
std::string entry_value_text(const Csr& a, index_t position) {
  if (position < 0) return "not stored";
  const double re = a.values()[position];
  if (!a.is_complex()) return real_text(re, 9);
  const double im = a.imag()[position];
  return real_text(re, 6) + (std::signbit(im) ? " \xE2\x88\x92 " : " + ") + real_text(std::abs(im), 6) + "i";
}

CellGrid grid_of(const SpyScene& scene) { return {scene.extent, scene.kr, scene.kc}; }

// The tooltip of a cell.
std::vector<TooltipRow> tell(const AppState& s, const Ui& ui, const SpyScene& scene, const CellCursor& at) {
  const Csr& a = *scene.m.matrix->csr;
  const Window w = cell_of(at, grid_of(scene));
  const index_t rows = w.row1 - w.row0, length = a.row_ptr()[w.row1] - a.row_ptr()[w.row0];
  std::vector<TooltipRow> out;
  out.push_back({rows > 1 ? "rows" : "row", range_text(w.row0, w.row1), {}});
  out.push_back({w.col1 - w.col0 > 1 ? "columns" : "column", range_text(w.col0, w.col1), {}});
  if (scene.kr == 0 && scene.kc == 0) {
    const index_t position = a.find(at.row, at.col);
    out.push_back({"value", entry_value_text(a, position), {}});
    if (position >= 0 && s.pattern.trace && s.pattern.matrix == scene.m.id) tell_read(*s.pattern.trace, position, out);
  } else {
    const index_t row = at.row >> scene.kr, col = at.col >> scene.kc;
    const auto tile = ui.tiles.counts(scene.m.id, {scene.kr, scene.kc, row / kTile, col / kTile});
    const auto place = static_cast<std::size_t>(row % kTile * kTile + col % kTile);
    if (tile) out.push_back({"entries here", count_text(tile->counts[place]), {}});
  }
  if (rows == 1)
    out.push_back({"row length", count_text(length), {}});
  else
    out.push_back({"mean row length", real_text(static_cast<double>(length) / static_cast<double>(rows), 4), {}});
  if (const RowOwners* owners = shown_owners(s, scene.m)) {
    const std::int32_t owner = most_rows_of(*owners, w.row0, w.row1);
    out.push_back({rows > 1 ? "rows of, most" : "row of",
                   "GPU " + std::to_string(owner + 1) + " of " + std::to_string(owners->parts), owner_color(owner)});
  }
  const RowMask* marked = s.highlight && s.highlight->rows ? s.highlight->rows.get() : nullptr;
  if (marked && marked->rows() == a.rows() && marked->count(w.row0, w.row1) > 0)
    out.push_back({"marked rows", count_text(marked->count(w.row0, w.row1)), ui.look.palette->highlight});
  return out;
}

// Whether exactly these rows are marked.
bool marked_alone(const AppState& s, const Window& w) {
  const auto& h = s.highlight;
  return h && h->lo >= h->hi && h->first == w.row0 && h->past == w.row1;
}

// The warp for the cell: that of its entry if there is one, else that of its first row.
WarpWanted warp_of(const SpyScene& scene, const CellCursor& at) {
  const Csr& a = *scene.m.matrix->csr;
  const Window w = cell_of(at, grid_of(scene));
  WarpWanted wanted;
  wanted.row = w.row0;
  if (w.row1 - w.row0 > 1 || w.col1 - w.col0 > 1 || a.find(at.row, at.col) < 0) return wanted;
  wanted.by = WarpWanted::By::entry;
  wanted.column = at.col;
  return wanted;
}

void command_item(const AppState& s, Ui& ui, const char* id) {
  for (const Command& c : ui.commands) {
    if (c.id != id) continue;
    const std::string why = why_not(s, c);
    if (menu_item(ui.look, title_of(s, c),
                  {.keys = label_of(keys_of(s, c)), .enabled = why.empty(), .help = why.empty() ? c.help : why}))
      c.perform(s, ui.out);
  }
}

}  // namespace

std::optional<CellCursor> SpyPanel::below_mouse(const SpyScene& scene) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const double row = scene.map.row_of(mouse.y), col = scene.map.col_of(mouse.x);
  if (!(row >= 0 && col >= 0)) return std::nullopt;
  if (row >= static_cast<double>(scene.extent.rows) || col >= static_cast<double>(scene.extent.cols))
    return std::nullopt;
  return CellCursor{static_cast<index_t>(row), static_cast<index_t>(col)};
}

void SpyPanel::pick(const AppState& s, Ui& ui, const SpyScene& scene, const CellCursor& at) {
  if (&scene.m != s.current()) return;
  before_ = SetHighlight{};
  if (const auto& h = s.highlight) before_ = SetHighlight{h->lo, h->hi, h->first, h->past};
  const Window w = cell_of(at, grid_of(scene));
  const bool off = marked_alone(s, w);
  ui.out(off ? SetHighlight{} : SetHighlight{.lo = 0, .hi = 0, .first = w.row0, .past = w.row1});
  // If the tab Warp is shown beside the pattern, a click also shows the warp of the cell.
  if (!off && s.shows("warp") && s.warp.matrix == scene.m.id) ui.out(ShowWarp{warp_of(scene, at), s.warp.beside});
}

void SpyPanel::hover(const AppState& s, Ui& ui, const SpyScene& scene) {
  if (const auto at = below_mouse(scene)) tooltip(ui.look, "", tell(s, ui, scene, *at));
}

void SpyPanel::keys(const AppState& s, Ui& ui, const SpyScene& scene, const Keys& keys) {
  if (!keys.has) return;
  const Look& l = ui.look;
  const CellGrid grid = grid_of(scene);
  const Window seen = visible(scene.map, scene.extent);
  if (cursor_of_ != scene.m.id || !cursor_) cursor_ = in_the_middle(seen);
  cursor_of_ = scene.m.id;
  const auto down = [&](Key k, bool shift = false) { return key_pressed(l, {k, false, shift}, true); };
  const auto both = [&](Key back, Key forth, bool shift) {
    return static_cast<index_t>(down(forth, shift)) - static_cast<index_t>(down(back, shift));
  };
  // With Shift, moves by a tenth of the visible part.
  const index_t rows = (seen.row1 - seen.row0) >> scene.kr, cols = (seen.col1 - seen.col0) >> scene.kc;
  const auto tenth = [](index_t n) { return std::max<index_t>(1, n / 10); };
  const index_t dy = keys.down + both(Key::up, Key::down, true) * tenth(rows) +
                     both(Key::page_up, Key::page_down, false) * std::max<index_t>(1, rows);
  const index_t dx = keys.along + both(Key::left, Key::right, true) * tenth(cols);
  CellCursor next = *cursor_;
  // If the cursor was scrolled out of sight, the view does not jump back to it.
  if ((dy != 0 || dx != 0) && !sees(seen, next)) next = in_the_middle(seen);
  next = moved(next, grid, dy, dx);
  const Csr& a = *scene.m.matrix->csr;
  if (a.row_length(next.row) > 0) {
    if (down(Key::home)) next.col = static_cast<index_t>(a.columns()[a.row_ptr()[next.row]]);
    if (down(Key::end)) next.col = static_cast<index_t>(a.columns()[a.row_ptr()[next.row + 1] - 1]);
  }
  if (next != *cursor_) {
    cursor_ = next;
    const Camera there = showing(scene.map, next, grid);
    if (there != scene.map.camera) ui.out(SetCamera{scene.m.id, there});
  }
  const plot::Rect cell = cell_rect(scene.map, cell_of(next, grid));
  const plot::Point middle{cell.x + cell.w / 2, cell.y + cell.h / 2};
  const auto zoom = [&](double by) { ui.out(SetCamera{scene.m.id, zoom_at(scene.map.camera, view_, middle, by)}); };
  if (down(key('=')) || down(key('='), true)) zoom(1.25);
  if (down(key('-'))) zoom(0.8);
  if (keys.pressed) pick(s, ui, scene, next);
}

std::optional<plot::Point> SpyPanel::cursor_at(const SpyScene& scene) const {
  if (!cursor_ || cursor_of_ != scene.m.id) return std::nullopt;
  const plot::Rect entry = cell_rect(scene.map, {cursor_->row, cursor_->row + 1, cursor_->col, cursor_->col + 1});
  return plot::Point{entry.x + entry.w / 2, entry.y + entry.h / 2};
}

void SpyPanel::paint_cursor(const AppState& s, Ui& ui, const SpyScene& scene) {
  const Look& l = ui.look;
  if (!cursor_ || cursor_of_ != scene.m.id || !sees(visible(scene.map, scene.extent), *cursor_)) return;
  const plot::Rect cell = cell_rect(scene.map, cell_of(*cursor_, grid_of(scene)));
  const double least = l.u(9), w = std::max(least, cell.w), h = std::max(least, cell.h);
  const double x = cell.x + cell.w / 2, y = cell.y + cell.h / 2;
  const ImVec2 from(static_cast<float>(x - w / 2), static_cast<float>(y - h / 2)),
      to(static_cast<float>(x + w / 2), static_cast<float>(y + h / 2));
  draw_cursor(l, ImGui::GetWindowDrawList(), from, to);
  if (menu_open_) return;
  // Below and to the right, or where there is room.
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const bool far = to.x > screen.x * 0.75f, low = to.y > screen.y * 0.7f;
  ImGui::SetNextWindowPos(ImVec2(far ? from.x - l.u(14) : to.x + l.u(14), low ? from.y - l.u(14) : to.y + l.u(14)),
                          ImGuiCond_Always, ImVec2(far ? 1.f : 0.f, low ? 1.f : 0.f));
  tooltip(l, "", tell(s, ui, scene, *cursor_));
}

void SpyPanel::menu(const AppState& s, Ui& ui, const SpyScene& scene, const Keys& keys) {
  const Look& l = ui.look;
  if (clicked_right_) {
    if (const auto at = below_mouse(scene)) cursor_ = at, cursor_of_ = scene.m.id;
    open_context_menu("menu", ImGui::GetIO().MousePos);
  } else if (asks_for_menu(l, keys) && cursor_) {
    const plot::Rect cell = cell_rect(scene.map, cell_of(*cursor_, grid_of(scene)));
    open_context_menu("menu", ImVec2(static_cast<float>(cell.right()), static_cast<float>(cell.bottom())));
  }
  clicked_right_ = false;
  menu_open_ = begin_opened_menu(l, "menu");
  if (!menu_open_) return;
  const bool current = &scene.m == s.current();
  if (cursor_ && cursor_of_ == scene.m.id) {
    const Window w = cell_of(*cursor_, grid_of(scene));
    const bool one = w.row1 - w.row0 == 1;
    label(l, Face::ui, 12, l.palette->muted,
          "Row " + range_text(w.row0, w.row1) + ", column " + range_text(w.col0, w.col1));
    if (menu_item(l,
                  marked_alone(s, w) ? "Clear the mark"
                  : one              ? "Mark this row"
                                     : "Mark these rows",
                  {.enabled = current}))
      pick(s, ui, scene, *cursor_);
    const WarpWanted wanted = warp_of(scene, *cursor_);
    const std::string no_warp = current ? why_no_warp(s) : "Choose this matrix first.";
    const bool entry = wanted.by == WarpWanted::By::entry;
    if (menu_item(l, entry ? "Show the warp of this entry" : "Show the warp of this row",
                  {.enabled = no_warp.empty(),
                   .help = no_warp.empty() ? "What its 32 lanes ask for, step by step." : no_warp}))
      ui.out(ShowWarp{wanted, s.warp.beside});
    if (menu_item(l, "Copy what is here")) {
      std::string text;
      for (const TooltipRow& row : tell(s, ui, scene, *cursor_)) text += row.name + "\t" + row.value + "\n";
      ui.out(CopyText{text});
    }
    if (menu_item(l, "Zoom in here"))
      ui.out(SetCamera{scene.m.id, go_to(scene.map.camera, cursor_->row, cursor_->col,
                                         std::max(2 * kCellPx * l.scale, scene.map.camera.row_px))});
    ImGui::Separator();
  }
  if (menu_item(l, "Show the whole matrix")) ui.out(SetCamera{scene.m.id, Camera{}});
  if (current)
    for (const char* id : {"matrix.one_to_one", "matrix.goto", "matrix.next_marked", "export.spy"})
      command_item(s, ui, id);
  end_menu(l);
}

}  // namespace warpspy::ui
