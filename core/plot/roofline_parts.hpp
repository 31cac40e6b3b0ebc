// Code that the files of the roofline figure share. Only this folder uses it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/plot/figures.hpp"

namespace warpspy::plot {

struct PlacedRun {
  std::shared_ptr<const RunRecord> run;
  std::vector<RooflinePoint> points;  // points of the shown levels, DRAM first
  Mark mark = Mark::circle;
  double strength = 1;  // below 1: fades away as a trail
  std::string params;
};

std::string kernel_of(const RunRecord& r);
bool is_compared(const RooflineStyle& style, std::uint64_t run);
double ceiling_of(const std::vector<Roof>& roofs);  // the ceiling in GFLOP/s; 0 if it is unknown

// Distance between the names of byte counts, as a share of the height.
inline constexpr double kCountStep = 0.052;

// Chooses the axis ranges: the style's zoom; else they contain all points and the corners where roofs meet the ceiling.
// A point whose intensity is far beyond the last corner does not count: its run moved almost no bytes, and all other
// points would be squeezed together.
void choose_ranges(Plot& plot, const std::vector<Roof>& roofs, const std::vector<PlacedRun>& runs,
                   const RooflineStyle& style, const PlacedRun* marked);
// Tells where a point is drawn: at its intensity, or at the edge if it lies far beyond.
struct Standing {
  double x = 0;
  bool at_edge = false;
};
Standing standing_of(const Plot& plot, const RooflineStyle& style, double intensity);

// The paths of the style: lines through the marks of their runs.
void add_paths(Plot& plot, const std::vector<PlacedRun>& runs, const RooflineStyle& style, const Theme& theme);

// The meaning of colours (RooflineStyle::ColorBy): a key for each colour, in the order of the runs.
class ColorKeys {
 public:
  ColorKeys(const std::vector<PlacedRun>& runs, RooflineStyle::ColorBy by, const Theme& theme);
  Color of(const RunRecord& r, Level level) const;
  struct Key {
    std::string name;
    Color color;
  };
  const std::vector<Key>& keys() const { return keys_; }  // empty if colours show the memory level

 private:
  std::string key_of(const RunRecord& r) const;
  RooflineStyle::ColorBy by_;
  std::vector<Key> keys_;
};
Color color_of(Level level);

// The label of each run beside its points, with what distinguishes it from the others; "" for runs without a label.
std::vector<std::string> labels_of(const std::vector<PlacedRun>& runs, const RooflineStyle& style);

}  // namespace warpspy::plot
