// A view draws the state and emits actions; it does nothing else.
#pragma once

#include <memory>
#include <span>

#include "ui/look.hpp"

namespace warpspy::ui {

class View {
 public:
  virtual ~View() = default;
  // Into the current window or child, from the cursor to the end of the content region.
  virtual void draw(const AppState& s, Ui& ui) = 0;
};

enum class Place : std::uint8_t { tab, left, right, top, bottom, overlay };

struct ViewRow {
  const char* id;
  const char* label;
  Place place;
  const char* help;
  std::unique_ptr<View> (*make)();
};
// THE list of views, in the order of their tabs.
std::span<const ViewRow> view_rows();

// Constructors of every view, one file each.
std::unique_ptr<View> make_matrix_tab();
std::unique_ptr<View> make_rows_tab();
std::unique_ptr<View> make_formats_tab();
std::unique_ptr<View> make_roofline_tab();
std::unique_ptr<View> make_runs_tab();
std::unique_ptr<View> make_tune_tab();
std::unique_ptr<View> make_facts_tab();
std::unique_ptr<View> make_traffic_tab();
std::unique_ptr<View> make_analyses_tab();
std::unique_ptr<View> make_memory_tab();
std::unique_ptr<View> make_compare_tab();
std::unique_ptr<View> make_help_tab();
std::unique_ptr<View> make_workspace();
std::unique_ptr<View> make_controls();
std::unique_ptr<View> make_top_bar();
std::unique_ptr<View> make_status_bar();
std::unique_ptr<View> make_open_dialog();
std::unique_ptr<View> make_export_dialog();
std::unique_ptr<View> make_goto_dialog();
std::unique_ptr<View> make_command_dialog();
std::unique_ptr<View> make_about_dialog();
std::unique_ptr<View> make_reorder_dialog();

}  // namespace warpspy::ui
