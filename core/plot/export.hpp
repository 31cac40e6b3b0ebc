// Figures to files.
#pragma once

#include <string>

#include "core/plot/plot.hpp"

namespace warpspy::plot {

// Writes by extension: .svg .pdf .png (drawn), .csv .json (the numbers behind it). Sizes in logical pixels; PNG at
// `png_scale` device pixels each. Throws Error on an unknown extension (listing the known ones) or a file that cannot
// be written; a partial file is removed.
void export_plot(const Plot& plot, const std::string& path, double width = 900, double height = 600,
                 const Theme& theme = light_theme(), double png_scale = 2);

std::string to_csv(const Plot& plot);
std::string to_json(const Plot& plot);

// RGBA (0xAABBGGRR) pixels to a PNG file.
void write_png(const std::string& path, int width, int height, const std::uint32_t* rgba);

}  // namespace warpspy::plot
