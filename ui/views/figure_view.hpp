// A ready figure on the screen, as the panels show it: without the titles that their headings say.
#pragma once

#include <functional>
#include <optional>

#include "core/plot/plot.hpp"
#include "ui/views/ui.hpp"
#include "ui/widgets/focus.hpp"

struct ImVec2;

namespace warpspy::ui {

// Draws `figure` into a frame of the screen, clipped to it. What the mouse does there is the caller's. No text of it is
// smaller than `least_text` pixels.
plot::Layout paint_figure(Ui& ui, const plot::Plot& figure, plot::Rect frame, plot::Parts parts = {.titles = false},
                          double least_text = 0);

// Behind the item of a figure and its painting, which would cover the ring: Tab comes there, and its menu exports or
// copies the numbers behind it. `id` is the item's label and the figure's. `more` draws further items of its menu.
Keys figure_stop(Ui& ui, const plot::Plot& figure, const char* id, Focus::Takes takes = Focus::Takes::keys,
                 const std::function<void()>& more = {});

// The figure at the cursor, with tooltips. Returns the mark that was clicked on, if it stands for something. `placed`:
// takes where all of it stands.
std::optional<plot::Hit> draw_figure(Ui& ui, const plot::Plot& figure, ImVec2 size, const char* id,
                                     plot::Parts parts = {.titles = false}, plot::Layout* placed = nullptr);

// The tooltip of a text: its first line is the title.
void text_tooltip(const Look& l, const std::string& text);

// Draws with draw(size) what needs at least so much: where there is less room, it scrolls.
void with_room(const char* id, ImVec2 room, ImVec2 least, const std::function<void(ImVec2)>& draw);

}  // namespace warpspy::ui
