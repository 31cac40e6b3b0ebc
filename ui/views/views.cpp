// THE list of views. Each name is a row (ViewRow) at the end of the view's file. Within a group, tabs have this order,
// and Ctrl+1 to Ctrl+9 open the first nine. So a new tab comes after them.
#define WARPSPY_VIEWS(ROW) \
  ROW(matrix_tab)          \
  ROW(rows_tab)            \
  ROW(formats_tab)         \
  ROW(roofline_tab)        \
  ROW(runs_tab)            \
  ROW(tune_tab)            \
  ROW(facts_tab)           \
  ROW(traffic_tab)         \
  ROW(diagnosis_tab)       \
  ROW(memory_tab)          \
  ROW(warp_tab)            \
  ROW(analyses_tab)        \
  ROW(compare_tab)         \
  ROW(matrices_tab)        \
  ROW(help_tab)            \
  ROW(guide_tab)           \
  ROW(studies_tab)         \
  ROW(lessons_tab)         \
  ROW(solve_tab)           \
  ROW(two_runs_tab)        \
  ROW(parts_tab)           \
  ROW(workspace)           \
  ROW(lesson_panel)        \
  ROW(controls)            \
  ROW(top_bar)             \
  ROW(status_bar)          \
  ROW(open_dialog)         \
  ROW(export_dialog)       \
  ROW(goto_dialog)         \
  ROW(command_dialog)      \
  ROW(reorder_dialog)      \
  ROW(sweep_dialog)        \
  ROW(open_session_dialog) \
  ROW(save_session_dialog) \
  ROW(hand_in_dialog)      \
  ROW(recover_dialog)      \
  ROW(welcome_dialog)      \
  ROW(settings_dialog)     \
  ROW(layouts_dialog)      \
  ROW(about_dialog)

#include <vector>

#include "ui/views/view.hpp"

namespace warpspy::ui {

#define DECLARED(name) extern const ViewRow name;
WARPSPY_VIEWS(DECLARED)

namespace {

#define LISTED(name) &name,
constexpr const ViewRow* list[] = {WARPSPY_VIEWS(LISTED)};

constexpr TabGroup groups[] = {
    {Topic::matrix, "Matrix", "What the matrix is."},
    {Topic::performance, "Performance", "How it ran: speed, bytes, single warps step by step, and faster parameters."},
    {Topic::why, "Why", "What limits it, and the papers' analyses."},
    {Topic::compare, "Compare", "Two matrices, or two runs, side by side."},
    {Topic::many, "Matrices", "All open matrices at once."},
    {Topic::learn, "Learn", "A guide for newcomers, lessons, the papers' tables, keys, words and marks."},
};

}  // namespace

std::span<const TabGroup> tab_groups() { return groups; }

const TabGroup& tab_group(Topic id) { return groups[static_cast<std::size_t>(id) - 1]; }

std::span<const ViewRow* const> view_rows() { return list; }

std::span<const ViewRow* const> tab_rows() {
  static const std::vector<const ViewRow*> tabs = [] {
    std::vector<const ViewRow*> all;
    for (const TabGroup& group : groups)
      for (const ViewRow* row : list)
        if (row->place == Place::tab && row->group == group.id) all.push_back(row);
    return all;
  }();
  return tabs;
}

const ViewRow* view_row(const std::string& id) {
  for (const ViewRow* row : list)
    if (id == row->id) return row;
  return nullptr;
}

}  // namespace warpspy::ui
