#include "ui/views/view.hpp"

namespace warpspy::ui {

namespace {

constexpr ViewRow rows[] = {
    {"matrix", "Matrix", Place::tab, "Pattern, row lengths, roofline and runs together.", make_matrix_tab},
    {"rows", "Rows", Place::tab, "Row lengths in full, and the longest rows.", make_rows_tab},
    {"formats", "Formats", Place::tab, "What every storage format costs, before it is built.", make_formats_tab},
    {"roofline", "Roofline", Place::tab, "The roofline in full, and a table of its points.", make_roofline_tab},
    {"runs", "Runs", Place::tab, "All runs, with filters and notes; what differs between them.", make_runs_tab},
    {"tune", "Tune", Place::tab, "A search for good parameters, product by product.", make_tune_tab},
    {"facts", "Facts", Place::tab, "Size, density, symmetry, bandwidth, memory.", make_facts_tab},
    {"traffic", "Traffic", Place::tab, "Where the selected run's bytes go.", make_traffic_tab},
    {"memory", "Memory", Place::tab, "SM, L1, L2 and DRAM of the selected run, and what flows between them.",
     make_memory_tab},
    {"analyses", "Analyses", Place::tab, "The papers' analyses of this matrix, with their formulas.",
     make_analyses_tab},
    {"compare", "Compare", Place::tab, "A matrix before and after it was reordered.", make_compare_tab},
    {"help", "Help", Place::tab, "Shortcuts, and what the marks mean.", make_help_tab},
    {"workspace", "Workspace", Place::left, "The open matrices and their runs.", make_workspace},
    {"controls", "Run", Place::right, "Device, kernel and parameters.", make_controls},
    {"top", "Menu", Place::top, "Menus, action search, device.", make_top_bar},
    {"status", "Status", Place::bottom, "Jobs and messages.", make_status_bar},
    {"open", "Open", Place::overlay, "Opens a file or generates a matrix.", make_open_dialog},
    {"export", "Export", Place::overlay, "Writes a figure or the runs.", make_export_dialog},
    {"goto", "Go to", Place::overlay, "Shows one place of the matrix.", make_goto_dialog},
    {"commands", "Search actions", Place::overlay, "Finds a command by a few letters.", make_command_dialog},
    {"reorder", "Reorder", Place::overlay, "Opens the matrix in another order.", make_reorder_dialog},
    {"about", "About", Place::overlay, "Version and licence.", make_about_dialog},
};

}  // namespace

std::span<const ViewRow> view_rows() { return rows; }

}  // namespace warpspy::ui
