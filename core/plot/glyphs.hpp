// Draws small things: marks, and text with an exponent.
#pragma once

#include <string>

#include "core/plot/plot.hpp"

namespace warpspy::plot {

// A mark of radius r. Hollow and half-filled ones are filled with `ground`, so that lines do not shine through.
void draw_mark(Canvas& canvas, Point at, Mark mark, Fill fill, double r, Color color, Color ground);

// "10^−3" with the exponent small and raised: '^' raises the digits (and sign) after it. Used for ticks only.
// `least`: no exponent is smaller.
double rich_width(const Canvas& canvas, const std::string& s, double size, double least = 0);
void draw_rich(Canvas& canvas, Point baseline, const std::string& s, double size, Color c, Align align,
               double least = 0);

// The text cut to a width, ending in "..."; empty when not even that fits.
std::string fitted(const Canvas& canvas, const std::string& s, double size, Font font, double width);

}  // namespace warpspy::plot
