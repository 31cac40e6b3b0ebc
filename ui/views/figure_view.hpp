// A ready figure on the screen, as the panels show it: without the titles that their headings say.
#pragma once

#include "core/plot/plot.hpp"
#include "ui/views/ui.hpp"

struct ImVec2;

namespace warpspy::ui {

// Draws `figure` into a frame of the screen, clipped to it. What the mouse does there is the caller's.
plot::Layout paint_figure(Ui& ui, const plot::Plot& figure, plot::Rect frame, plot::Parts parts = {.titles = false});

// The same at the cursor, with hover cards; a right click exports the figure of that id.
void draw_figure(Ui& ui, const plot::Plot& figure, ImVec2 size, const char* id, plot::Parts parts = {.titles = false});

// The card of a text: its first line is the title.
void text_card(const Look& l, const std::string& text);

}  // namespace warpspy::ui
