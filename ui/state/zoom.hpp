// Zooming and panning on the roofline. Pure arithmetic, in powers of ten.
#pragma once

#include "core/plot/figures.hpp"

namespace warpspy::ui {

using RoofView = plot::RooflineStyle::View;

// Returns the ranges of the axes of a drawn roofline.
RoofView view_of(const plot::Layout& layout);
// Zooms in by `factor` (> 1); the point of the plane below `at` stays there. Between a quarter and 16 powers of ten of
// either axis stay in sight.
RoofView zoom_at(const plot::Layout& layout, plot::Point at, double factor);
// Moves the view by a number of pixels.
RoofView pan(const plot::Layout& layout, double dx, double dy);

}  // namespace warpspy::ui
