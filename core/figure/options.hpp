// The choices of a figure (such as its title or the ends of its axes) as plain data. Each choice is also a field with a
// name, so that the command line, recipes and tests can loop over all choices.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/model/product_count.hpp"
#include "core/plot/figures.hpp"
#include "core/plot/format_figures.hpp"
#include "core/plot/many_figures.hpp"
#include "core/plot/warp_figure.hpp"

namespace warpspy::figure {

// The ends of the axes; ends that are not set follow the data.
struct Limits {
  std::optional<double> x_min = {}, x_max = {}, y_min = {}, y_max = {};
  bool operator==(const Limits&) const = default;
};

enum class WarpFace : std::uint8_t { step, axis, access };

// The choices of all figures; a row says which ones it takes (Row::takes).
struct Options {
  // All figures.
  Limits limits = {};
  std::string title = {}, caption = {};  // empty: as it is drawn; lines split by '\n'
  // Figures of runs.
  std::vector<std::string> kernels = {};  // only these kernels, in this order; empty: all kernels
  // The pattern.
  plot::SpyStyle pattern = {};
  std::string shade = {};           // which data of a run the pattern shows; needs Subject::entries
  std::optional<Window> part = {};  // the part of the matrix; nothing: the whole matrix
  // The mesh.
  index_t block_rows = 0;  // rows of a block; 0: a quarter of all rows
  // For figures of row lengths: whether the axis of lengths is logarithmic. Without a choice of the user it is, if one
  // row is much longer than the others.
  std::optional<bool> log_x = {};
  plot::HistogramStyle lengths = {};  // style of the histogram, without log_x
  // The roofline; `view` comes from the limits.
  plot::RooflineStyle roofline = {};
  std::optional<Precision> roof_precision = {};  // precision of the roofs; nothing: that of the last run
  // Many matrices.
  plot::GridMeasure measure = plot::GridMeasure::gflops;
  bool by_device = false;            // columns of a device stand together
  ProductCount products = for_ever;  // number of products for which the best kernel is chosen
  std::string over = {};             // the quantity on a line chart's axis; empty: the one with most values
  // A format.
  plot::FormatChoice format = {};
  plot::FormatPicture picture = plot::FormatPicture::automatic;
  // A search.
  plot::TunePlaneStyle plane = {};
  // Warps.
  WarpFace face = WarpFace::step;
  std::int64_t step = -1;     // -1: the one with the most sectors
  std::string array = {};     // the array whose accesses are drawn
  bool by_warp = false;       // a row for each warp
  bool spans_as_rows = true;  // true: the numbers of the time axis are exported too
  bool operator==(const Options&) const = default;
};

// A choice by its name. `words`: its possible values; empty: any text, or no value for a switch.
struct Field {
  const char* id;  // --ID on the command line
  const char* help;
  std::vector<const char*> words = {};
  bool is_switch = false;
  bool own = false;                           // the command declares this option itself
  bool repeated = false;                      // given once for each part between commas
  std::string (*get)(const Options&);         // "" for the default; "yes" for a switch that is on
  void (*set)(Options&, const std::string&);  // throws Error
};
std::span<const Field> fields();
const Field& field(const std::string& id);  // throws Error, which lists the existing fields

// The fields that every figure with axes takes, and those that all figures take.
std::span<const char* const> common_fields();

}  // namespace warpspy::figure
