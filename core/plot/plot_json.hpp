// A figure as text and back: what it draws, and the numbers behind it. What only a window uses, such as the words of
// tooltips, is left out.
#pragma once

#include <string>

#include "core/plot/plot.hpp"

namespace warpspy::plot {

std::string plot_text(const Plot& plot);
// Throws Error on what is no such text.
Plot plot_of(const std::string& text);

}  // namespace warpspy::plot
