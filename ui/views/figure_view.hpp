// Draws a ready figure on the screen, without its title, since the panel's heading has it.
#pragma once

#include <functional>
#include <optional>

#include "core/plot/plot.hpp"
#include "ui/views/ui.hpp"
#include "ui/widgets/focus.hpp"

struct ImVec2;

namespace warpspy::ui {

// Draws `figure` into a frame of the screen, clipped to it. The caller handles the mouse there. No text of it is
// smaller than `least_text` pixels.
plot::Layout paint_figure(Ui& ui, const plot::Plot& figure, plot::Rect frame, plot::Parts parts = {.titles = false},
                          double least_text = 0);

// Call this after the item of a figure and its painting, which would cover the focus ring. It makes the figure a stop
// of Tab, and gives it a menu that exports it or copies its numbers. `id` is the item's label and the figure's. `more`
// draws further items of its menu.
Keys figure_stop(Ui& ui, const plot::Plot& figure, const char* id, Focus::Takes takes = Focus::Takes::keys,
                 const std::function<void()>& more = {});

// Draws the figure at the cursor, with tooltips. Returns the clicked mark, if it has an id. `placed` gets the layout.
std::optional<plot::Hit> draw_figure(Ui& ui, const plot::Plot& figure, ImVec2 size, const char* id,
                                     plot::Parts parts = {.titles = false}, plot::Layout* placed = nullptr);

// Shows a text as a tooltip; its first line is the title.
void text_tooltip(const Look& l, const std::string& text);

// Calls draw(size) with at least the size `least`; if there is less room, the area scrolls.
void with_room(const char* id, ImVec2 room, ImVec2 least, const std::function<void(ImVec2)>& draw);

}  // namespace warpspy::ui
