// The pattern of a matrix (its spy plot) can show facts about a run instead of counts: which thread reads an entry,
// where the entry is stored, how many sectors its requests take. Each such shading is a row of one table.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/matrix/csr.hpp"
#include "core/plot/plot.hpp"
#include "core/raster/raster.hpp"
#include "core/run/entry_trace.hpp"

namespace warpspy::plot {

struct PatternShade {
  const char* id;
  const char* label;  // "Owner: block"
  const char* help;
  const char* unit;  // unit of the value; for classes their name
  int classes = 0;   // 0: a value on a scale from `low` to `high`; else class 0 .. classes - 1
  double low = 0, high = 1;
  // Value or class of an entry; NaN: it has none.
  double (*value)(const EntryTrace&, const EntryRead&) = nullptr;
  // The name of a class in the legend; "": it does not occur. nullptr if classes are only numbers.
  std::string (*name)(const EntryTrace&, int) = nullptr;
  bool of_blocks = true;          // entries of blocks that did not run have no value
  Color (*color)(int) = nullptr;  // colour of a class; nullptr: colours of a palette in turn
};

std::span<const PatternShade> pattern_shades();
const PatternShade* pattern_shade(const std::string& id);  // nullptr when there is none

Color shade_color(const PatternShade& shade, double value, const Theme& theme);
// The colour of entries without a value, since their block did not run.
Color not_run_color(const Theme& theme);

// One pixel (0xAABBGGRR) per cell of a window that may reach beyond the matrix: the most frequent class of the entries
// in it, or the mean of their values; not_run_color() where entries are (counts, as of count_grid()) and none of them
// has a value. O(entries of the trace in these rows).
std::vector<std::uint32_t> shade_entries(const Csr& a, const EntryTrace& trace, const PatternShade& shade,
                                         const Window& window, int width, int height,
                                         std::span<const std::uint32_t> counts, std::uint32_t ground,
                                         const Theme& theme);

// Holds what a legend lists: the classes that occur with their names, and entries without a value. O(entries).
struct ShadeKey {
  std::string text;
  double value = 0;  // value for shade_color(); NaN: no colour
};
std::vector<ShadeKey> shade_keys(const PatternShade& shade, const EntryTrace& trace);
// "block of the grid, most frequent in a cell, modelled".
std::string shade_caption(const PatternShade& shade, bool one_entry_per_cell);

// All facts about an entry, as pairs: ("read by", "warp 3 of block 0, lane 7"), ("x", "27 sectors of 32 lanes, from
// L2"), ...
std::vector<std::pair<std::string, std::string>> describe_read(const EntryTrace& trace, const EntryRead& read);

// Draws the spy plot with the colours of a shading.
Plot shaded_spy_figure(const Matrix& m, const CountGrid& counts, const EntryTrace& trace, const PatternShade& shade,
                       const Theme& theme);

}  // namespace warpspy::plot
