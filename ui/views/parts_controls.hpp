// The choices of the run panel about several GPUs: how many, and how the rows are divided among them.
#pragma once

#include "ui/views/ui.hpp"

namespace warpspy::ui {

void draw_parts_controls(const AppState& s, Ui& ui);

}  // namespace warpspy::ui
