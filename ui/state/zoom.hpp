// Zooming and panning on the roofline. Pure arithmetic, in powers of ten.
#pragma once

#include "core/plot/figures.hpp"

namespace warpspy::ui {

using RoofView = plot::RooflineStyle::View;

// What the axes of a drawn roofline show.
RoofView view_of(const plot::Layout& layout);
// Closer by `factor` (> 1), with the point of the plane below `at` staying there. Between a quarter and 16 powers of
// ten of either axis stay in sight.
RoofView zoom_at(const plot::Layout& layout, plot::Point at, double factor);
// Moved by a number of pixels.
RoofView pan(const plot::Layout& layout, double dx, double dy);

}  // namespace warpspy::ui
