// Writes a figure as JSON and reads it back: what it draws, and its numbers. Parts that only a window uses, such as the
// words of tooltips, are left out.
#pragma once

#include <string>

#include "core/plot/plot.hpp"

namespace warpspy::plot {

std::string plot_text(const Plot& plot);
// Throws Error if the text is no figure.
Plot plot_of(const std::string& text);

}  // namespace warpspy::plot
