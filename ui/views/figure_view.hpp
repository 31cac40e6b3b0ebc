// A ready figure in a child region, with its hover cards.
#pragma once

#include "core/plot/plot.hpp"
#include "ui/look.hpp"

struct ImVec2;

namespace warpspy::ui {

// Draws `figure` at the cursor; a right click exports `what`. Without title and subtitle when `bare`.
void draw_figure(Ui& ui, const plot::Plot& figure, ImVec2 size, Figure what, bool bare = true);

}  // namespace warpspy::ui
