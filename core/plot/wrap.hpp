// Divides texts that are longer than a line.
#pragma once

#include <string>
#include <vector>

#include "core/plot/canvas.hpp"

namespace warpspy::plot {

// Breaks lines at spaces, and a word longer than a line where the line is full. `indent` stands before continued lines.
std::vector<std::string> wrapped(const Canvas& canvas, const std::string& s, double size, Font font, double width,
                                 const std::string& indent = {});

}  // namespace warpspy::plot
