// THE list of views, in the order of their tabs. Each name is a row (ViewRow) at the end of the view's file.
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
  ROW(workspace)           \
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
  ROW(recover_dialog)      \
  ROW(welcome_dialog)      \
  ROW(settings_dialog)     \
  ROW(layouts_dialog)      \
  ROW(about_dialog)

#include "ui/views/view.hpp"

namespace warpspy::ui {

#define DECLARED(name) extern const ViewRow name;
WARPSPY_VIEWS(DECLARED)

namespace {

#define LISTED(name) &name,
constexpr const ViewRow* list[] = {WARPSPY_VIEWS(LISTED)};

}  // namespace

std::span<const ViewRow* const> view_rows() { return list; }

const ViewRow* view_row(const std::string& id) {
  for (const ViewRow* row : list)
    if (id == row->id) return row;
  return nullptr;
}

}  // namespace warpspy::ui
