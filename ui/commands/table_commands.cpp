// Commands for the rows of the tables of views, figures, reorderings and formats.
#include <algorithm>
#include <utility>

#include "ui/commands/commands.hpp"
#include "ui/figures/figure.hpp"
#include "ui/state/choice_rows.hpp"
#include "ui/views/view.hpp"

namespace warpspy::ui {

namespace {

using Commands = std::vector<Command>;

Commands::iterator place_of(Commands& all, const std::string& id) {
  return std::find_if(all.begin(), all.end(), [&](const Command& c) { return c.id == id; });
}

Command exporting(const FigureRow& row) {
  return {.id = std::string("export.") + row.id,
          .menu = "File",
          .label = row.label,
          .keys = row.keys,
          .help = row.help,
          .why_not = row.why_not,
          .perform = [&row](const AppState&, ActionSink& out) { out(ShowExport{row.id}); }};
}

// Ctrl+5 opens the fifth tab of the list in views.cpp, whatever its group is.
std::size_t place_of(const ViewRow& tab) {
  std::size_t before = 0;
  for (const ViewRow* row : view_rows()) {
    if (row == &tab) break;
    before += row->place == Place::tab;
  }
  return before;
}

Command tab(const ViewRow& row) {
  const std::size_t place = place_of(row);
  const bool numbered = row.keys.key == Key::none && place < 9;
  return {.id = std::string("tab.") + row.id,
          .menu = "View",
          .label = row.label,
          .keys = numbered ? Chord{key(static_cast<char>('1' + place)), true} : row.keys,
          .help = row.help,
          .why_not = row.why_not,
          .perform = [&row](const AppState&, ActionSink& out) { out(ShowTab{row.id}); },
          .checked = [&row](const AppState& s) { return s.tab == row.id; },
          .of_desk = true,
          .also_found = tab_group(row.group).label};
}

Command dialog(const ViewRow& row) {
  return {.id = row.opener.id,
          .menu = row.opener.menu,
          .label = row.opener.label,
          .keys = row.keys,
          .help = row.help,
          .why_not = row.why_not,
          .perform = [&row](const AppState&, ActionSink& out) { out(ShowDialog{row.id}); }};
}

Commands tabs() {
  Commands out;
  Topic group = Topic::none;
  for (const ViewRow* row : tab_rows()) {
    out.push_back(tab(*row));
    out.back().line_above = std::exchange(group, row->group) != row->group;
  }
  return out;
}

Commands exports() {
  Commands out;
  for (const FigureRow* row : figure_rows()) out.push_back(exporting(*row));
  out.front().line_above = true;
  return out;
}

// Reorderings that ask something open the dialog.
bool asks(const ReorderInfo& info) { return info.takes_file || !info.params.empty(); }

Command reordering(const ReorderInfo& info) {
  return {.id = "reorder." + info.id,
          .menu = "Reorder",
          .label = info.label + (asks(info) ? "..." : ""),
          .help = info.help,
          .why_not =
              [&info](const AppState& s) {
                if (!s.has_matrix()) return needs_matrix(s);
                const Csr& a = *s.current()->matrix->csr;
                const bool fits = !info.square_only || a.rows() == a.cols();
                return std::string(fits ? "" : "Only square matrices can be reordered so.");
              },
          .perform =
              [&info](const AppState&, ActionSink& out) {
                if (asks(info))
                  out(ShowReorder{info.id});
                else
                  out(Reorder{info.id, {}, {}});
              }};
}

Command look_at(const FormatInfo& info) {
  return {.id = "format." + info.id,
          .label = "Look at format " + info.label,
          .help = info.help,
          .perform =
              [&info](const AppState&, ActionSink& out) {
                out(choose("format", info.id));
                out(ShowTab{"formats"});
              },
          .checked = [&info](const AppState& s) { return s.knobs.format == info.id; }};
}

}  // namespace

void add_table_commands(Commands& all) {
  const auto insert = [&](const char* before, const Commands& some) {
    all.insert(place_of(all, before), some.begin(), some.end());
  };
  insert("file.quit", exports());
  insert("theme.paper", tabs());
  for (const ViewRow* row : view_rows())
    if (*row->opener.id) insert(row->opener.before, {dialog(*row)});
  for (const auto& row : reorderings()) all.push_back(reordering(row.info));
  for (const auto& row : formats()) all.push_back(look_at(row.info));
}

}  // namespace warpspy::ui
