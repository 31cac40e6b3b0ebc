// Writes a figure with axes as source of pgfplots. An author's document draws it anew in its own fonts, from numbers in
// a table beside it. A pattern is a picture beside it.
#pragma once

#include <string>
#include <vector>

#include "core/plot/page.hpp"

namespace warpspy::plot {

struct PgfPlots {
  std::string source;
  std::string table;                // columns x0 y0 x1 y1 ..., one pair for each series; "" if there are no series
  std::vector<std::string> images;  // PNG, in the order of Plot::images
};
// `name`: of the files, without an ending; NAME.dat and NAME-tex.png (NAME-tex-2.png ...) stand beside NAME.tex.
// `facts`: a comment. Throws Error for a figure without axes, and for bars on top of each other.
PgfPlots pgfplots_of(const Plot& plot, const Page& page, const Fitted& fitted, const std::string& name,
                     const std::string& facts);
std::string image_name(const std::string& name, std::size_t k);

}  // namespace warpspy::plot
