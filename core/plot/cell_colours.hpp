// Colours of cells in a plane: a better cell has a colour further from the background.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/plot/plot.hpp"

namespace warpspy::plot {

// One pixel (0xAABBGGRR) per level: 0 is an empty cell, 1 the worst, 1000 the best.
std::vector<std::uint32_t> cell_colours(const std::vector<std::uint32_t>& levels, const Theme& theme);
// That pixel as a colour, and black or white, whichever reads on it.
Color color_of_pixel(std::uint32_t pixel);
// The colour of the k-th of `count` curves, the first furthest from the background.
Color color_of_rank(std::size_t rank, std::size_t count, const Theme& theme);
Color ink_on(Color ground);
// Adds thin lines between w x h cells, whose centres are whole numbers.
void add_hairlines(Plot& plot, int w, int h, const Theme& theme);

}  // namespace warpspy::plot
