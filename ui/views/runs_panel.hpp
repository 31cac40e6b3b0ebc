// The runs as a table: every number of every roofline point, with where it comes from.
#pragma once

#include "ui/look.hpp"

struct ImVec2;

namespace warpspy::ui {

class RunsPanel {
 public:
  void draw(const AppState& s, Ui& ui, ImVec2 size);
};

// "coop 8, block 128": the parameters of a run, for a table cell.
std::string params_text(const AppState& s, const RunRecord& r);

}  // namespace warpspy::ui
