// Texts that are longer than their line.
#pragma once

#include <string>
#include <vector>

#include "core/plot/canvas.hpp"

namespace warpspy::plot {

// Breaks at spaces, a word that is longer than a line wherever that is full. `indent` stands before what continues.
std::vector<std::string> wrapped(const Canvas& canvas, const std::string& s, double size, Font font, double width,
                                 const std::string& indent = {});

}  // namespace warpspy::plot
