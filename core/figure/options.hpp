// What can be chosen of a figure, as plain data; and each choice as a field with words, so that the command line,
// recipes and tests loop over them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/plot/figures.hpp"
#include "core/plot/format_figures.hpp"
#include "core/plot/many_figures.hpp"
#include "core/plot/warp_figure.hpp"

namespace warpspy::figure {

// Ends of the axes; those that are not given follow the data.
struct Limits {
  std::optional<double> x_min = {}, x_max = {}, y_min = {}, y_max = {};
  bool operator==(const Limits&) const = default;
};

enum class WarpFace : std::uint8_t { step, axis, access };

// Of all figures; a row says which it takes (Row::takes).
struct Options {
  // All figures.
  Limits limits = {};
  std::string title = {}, caption = {};  // empty: as it is drawn; lines split by '\n'
  // Figures of runs.
  std::vector<std::string> kernels = {};  // only these, in this order; empty: all
  // The pattern.
  plot::SpyStyle pattern = {};
  std::string shade = {};           // what it shows of a run; needs Subject::entries
  std::optional<Window> part = {};  // of the matrix; nothing: all of it
  // The mesh.
  index_t block_rows = 0;  // that go to one block; 0: a quarter of all
  // Row lengths. A log axis of lengths: as chosen, else where one row dwarfs the others.
  std::optional<bool> log_x = {};
  plot::HistogramStyle lengths = {};  // but for log_x
  // The roofline; `view` comes from the limits.
  plot::RooflineStyle roofline = {};
  std::optional<Precision> roof_precision = {};  // of the roofs; nothing: that of the last run
  // Many matrices.
  plot::GridMeasure measure = plot::GridMeasure::gflops;
  bool by_device = false;  // columns of a device stand together
  std::string over = {};   // what a line chart is over; empty: what was turned most
  // A format.
  plot::FormatChoice format = {};
  plot::FormatPicture picture = plot::FormatPicture::automatic;
  // A search.
  plot::TunePlaneStyle plane = {};
  // Warps.
  WarpFace face = WarpFace::step;
  std::int64_t step = -1;     // -1: the one with the most sectors
  std::string array = {};     // whose accesses are drawn
  bool by_warp = false;       // a row for each warp
  bool spans_as_rows = true;  // of the axis: its numbers too
  bool operator==(const Options&) const = default;
};

// A choice by its name. `words`: what it may say; none: any text, or nothing for a switch.
struct Field {
  const char* id;  // --ID on the command line
  const char* help;
  std::vector<const char*> words = {};
  bool is_switch = false;
  bool own = false;                           // the command declares it by itself
  bool repeated = false;                      // said once for each part between commas
  std::string (*get)(const Options&);         // "": as it is by itself; of a switch "yes"
  void (*set)(Options&, const std::string&);  // throws Error
};
std::span<const Field> fields();
const Field& field(const std::string& id);  // throws Error, with those that there are

// Those that every figure with axes takes, and all figures.
std::span<const char* const> common_fields();

}  // namespace warpspy::figure
