#include "ui/views/source_panel.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "ui/widgets/controls.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

std::vector<TableColumn> columns_of(bool narrow) {
  std::vector<TableColumn> columns = {{.name = "line", .width = 40, .right = true},
                                      {.name = "source",
                                       .help = "As it was compiled: the same for the emulator and for CUDA.",
                                       .share = 7,
                                       .inset = 6}};
  const std::string per = "Sectors per request. 4 is the best for neighbours (a full warp of f32); 32 is the worst.";
  if (narrow) {
    columns.push_back({.name = "sectors", .help = per, .width = 58, .right = true});
    columns.push_back({.name = "idle", .help = "Mean idle lanes of 32.", .width = 40, .right = true});
    return columns;
  }
  // Wide enough for millions, since a count that is cut off is useless.
  columns.push_back({.name = "requests", .help = "Memory instructions issued by warps.", .share = 1.4f, .right = true});
  columns.push_back({.name = "sectors",
                     .help = "32-byte sectors touched: the traffic between SM and L1.",
                     .share = 1.4f,
                     .right = true});
  columns.push_back({.name = "sectors/request", .help = per, .share = 2.1f, .right = true});
  columns.push_back(
      {.name = "efficiency",
       .help = "Bytes the lanes asked for / bytes of the sectors moved. Above 100 % where lanes read the same bytes: a "
               "sector moves once and serves all of them.",
       .share = 1.3f,
       .right = true});
  columns.push_back(
      {.name = "idle lanes", .help = "Mean of 32, over the requests of the line.", .share = 1.3f, .right = true});
  return columns;
}

std::size_t indent_of(std::string_view text) { return std::min(text.find_first_not_of(' '), text.size()); }

// The indent that all lines with traffic share; it is left out to save room.
std::size_t common_indent(const SourcePage& page) {
  std::size_t least = std::string::npos;
  for (const SourceLine& line : page.lines)
    if (line.traffic) least = std::min(least, indent_of(line.text));
  return least == std::string::npos ? 0 : least;
}

std::string idle_text(const Traffic& t) {
  return t.requests > 0 ? real_text(std::round(10 * (32 - t.active_lanes)) / 10, 3) : kDash;
}

}  // namespace

void SourcePanel::row(const AppState& s, Ui& ui, Table& table, const SourceLine& line, const std::string& name,
                      const std::string& now, std::size_t indent, bool narrow) {
  const Palette& p = *ui.look.palette;
  const bool marked = name == s.line;
  table.row(marked || name == now);
  if (line.traffic) {
    ImGui::PushID(line.number);
    if (table.pick(("##" + name).c_str())) {
      ui.out(SelectPart{s.array, marked ? "" : name});
      if (!marked) ui.out(GoToLine{name});
    }
    ImGui::PopID();
  }
  table.text(std::to_string(line.number), name == now ? p.ink : p.muted);
  table.text(std::string(line.text.substr(std::min(indent, indent_of(line.text)))),
             line.traffic || name == now ? p.ink : p.muted);
  const Traffic* t = line.traffic;
  if (!t) return table.skip(narrow ? 2 : 5);
  if (!narrow) {
    table.text(count_text(std::llround(t->requests)), p.ink);
    table.text(count_text(std::llround(t->sectors)), p.ink);
  }
  table.text(t->requests > 0 ? real_text(t->sectors / t->requests, 3) : kDash, p.ink);
  if (!narrow) table.text(t->sectors > 0 ? percent_text(t->bytes_used / (32 * t->sectors)) : kDash, p.ink);
  table.text(idle_text(*t), p.ink);
}

void SourcePanel::draw(const AppState& s, Ui& ui, const std::vector<Traffic>& lines, const std::string& now,
                       float width, float height, bool narrow) {
  const Look& l = ui.look;
  const std::vector<SourcePage> pages = source_pages(*s.catalog, lines);
  if (pages.empty()) return caption(l, "The program has no source of these lines.");
  const SourcePlace place = source_place(now);
  std::vector<std::string> files;
  std::size_t open = 0;
  for (std::size_t k = 0; k < pages.size(); ++k) {
    files.push_back(pages[k].file);
    if (pages[k].file == file_) open = k;
  }
  for (std::size_t k = 0; k < pages.size() && now != in_view_; ++k)
    if (pages[k].file == place.file) open = k;
  if (files.size() > 1) {
    if (const int k = segments(l, "files", files, static_cast<int>(open)); k >= 0) open = static_cast<std::size_t>(k);
    gap(l, 6);
    height -= l.u(34);
  }
  const SourcePage& page = pages[open];
  // The line that is executed; else a line slightly above the first one with counts.
  const bool here = !now.empty() && place.file == page.file;
  const std::string wanted = here ? now : page.file;
  const bool moved = wanted != in_view_;
  const int middle = here ? place.line : page.first_counted + 6;
  file_ = page.file, in_view_ = wanted;
  Table table(l, "source", columns_of(narrow), ImVec2(width, height), {.pad_y = 1, .row = 15, .follows = false});
  if (!table) return;
  table.head();
  const std::size_t indent = common_indent(page);
  for (const SourceLine& line : page.lines) {
    row(s, ui, table, line, page.file + ":" + std::to_string(line.number), now, indent, narrow);
    if (moved && line.number == std::min(middle, static_cast<int>(page.lines.size()))) ImGui::SetScrollHereY(0.4f);
  }
}

}  // namespace warpspy::ui
