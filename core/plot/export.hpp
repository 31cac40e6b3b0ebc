// Writes figures to files.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/types.hpp"
#include "core/plot/figure_recipe.hpp"
#include "core/plot/page.hpp"
#include "core/plot/plot.hpp"

namespace warpspy::plot {

// A figure whose words do not all fit its page.
struct NoRoom : Error {
  using Error::Error;
};

// Writes by extension: .svg .pdf .png .pgf (drawn), .tex (source of pgfplots, with NAME.dat and NAME-tex.png beside
// it), .csv (the numbers behind it, with NAME.csv-metadata.json beside it), .json (the same). Throws Error on an
// unknown extension (listing the known ones), a file that cannot be written, or words that have no room on the page; a
// partial file is removed. Returns how the figure was made to fit its page. Every file has the recipe; for a .csv the
// metadata file beside it has it.
Fitted export_plot(const Plot& plot, const std::string& path, const Page& page, const FigureRecipe& recipe = {});
// The contents of an exported file, made without writing it.
struct Exported {
  std::string bytes;
  Fitted fitted;
  std::vector<std::pair<std::string, std::string>> beside = {};  // further files that it refers to, in the same folder
};
Exported exported(const Plot& plot, const std::string& path, const Page& page, const FigureRecipe& recipe = {});
void write_exported(const std::string& path, const Exported& made);  // throws Error
// Exports a figure on a page of that size in px, as on a screen. A PNG has `png_scale` device pixels for each px.
void export_plot(const Plot& plot, const std::string& path, double width = 900, double height = 600,
                 const Theme& theme = light_theme(), double png_scale = 2);

// The endings that a figure can have, with their dots: pictures first, then numbers. "" where that is one, else a
// sentence on what is wrong with the name of the file.
std::string wrong_ending(const std::string& path, bool pictures = true);

// .svg, .pdf, .png, .pgf or .tex: a file that may carry a recipe and is drawn again from it.
bool is_figure_name(const std::string& path);

std::string to_csv(const Plot& plot);
std::string to_json(const Plot& plot, const FigureRecipe& recipe = {});

// Writes RGBA pixels (0xAABBGGRR) to a PNG file.
void write_png(const std::string& path, int width, int height, const std::uint32_t* rgba);

}  // namespace warpspy::plot
