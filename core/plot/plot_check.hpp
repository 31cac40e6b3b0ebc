// Checks that a figure read from a file can be drawn: every count, length and position that draw() relies on.
#pragma once

#include <cstddef>

#include "core/plot/page.hpp"
#include "core/plot/plot.hpp"

namespace warpspy::plot {

// Throws Error at the first inconsistency. Figures that the builders make have none.
void require_drawable(const Plot& plot);
void require_drawable(const Page& page);

// Limits for a figure from a file. Real figures stay far below them.
inline constexpr std::size_t kMostJsonParts = 4 << 20;  // of its JSON: a picture has one for each pixel
inline constexpr int kMostImageSide = 4096;
inline constexpr std::size_t kMostTextBytes = 4096;        // the most bytes of one text
inline constexpr std::size_t kMostAllTextBytes = 4 << 20;  // the most bytes of all texts together
inline constexpr std::size_t kMostPoints = 1 << 20;        // the most points of all series together
inline constexpr std::size_t kMostPanels = 64;             // tables, warps, images

}  // namespace warpspy::plot
