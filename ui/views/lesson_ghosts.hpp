// Draws the prediction on the figure, beside the truth. Both stay visible.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "core/plot/plot.hpp"
#include "ui/views/ui.hpp"

namespace warpspy::ui {

// On a figure that was just painted: "warp", "axis", "histogram", "roofline", "layout", "tuning". Draws nothing if the
// truth is not shown yet, or belongs to another figure.
void draw_ghost(const AppState& s, const Look& l, const char* figure, const plot::Layout& layout,
                const plot::Plot* of = nullptr);
// Text after a name in a table, which marks prediction and truth: " (you)", " (it is)", " (you, it is)".
std::string ghost_words(const AppState& s, const std::string& name);
// The predicted position of a finding, from 1; 0: it was not predicted.
int predicted_place(const AppState& s, const std::string& rule);

// Marks that sheets and ghosts share. A point is flop per byte, and percent of the DRAM roof.
using RoofPoint = std::pair<double, double>;
std::optional<RoofPoint> point_of_answer(const std::string& answer);
double dram_roof(const AppState& s, double intensity);  // GFLOP/s; 0: there is none
void draw_point_mark(const AppState& s, const Look& l, const plot::Layout& layout, RoofPoint p,
                     const std::string& words);
// The cause whose roof lies within this many pixels of that point; "" if there is none.
std::string roof_at(const AppState& s, const plot::Layout& layout, plot::Point p, double within);
// Draws a mark along the roof of a cause, or below the figure's upper edge if the cause has no line.
void draw_roof_mark(const AppState& s, const Look& l, const plot::Layout& layout, const std::string& cause,
                    const std::string& words);
// Draws a line at x with its words at the top. A predicted line is dashed.
void draw_upright(const Look& l, const plot::Layout& layout, double x, const std::string& words, bool predicted);

}  // namespace warpspy::ui
