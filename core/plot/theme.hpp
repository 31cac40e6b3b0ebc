// Colour arithmetic for figures.
#pragma once

#include "core/plot/plot.hpp"

namespace warpspy::plot {

// The contrast ratio of two colours by WCAG 2, 1..21.
double contrast(Color a, Color b);
Color mix(Color a, Color b, double share_of_b);
// The colour, moved toward the ink until text in it reads on the ground (WCAG AA, 4.5:1).
Color readable(Color c, const Theme& theme);

}  // namespace warpspy::plot
