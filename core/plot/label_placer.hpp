// Places labels: each label gets the first of its candidate places that is free.
#pragma once

#include <optional>
#include <vector>

#include "core/plot/canvas.hpp"

namespace warpspy::plot {

// A rectangle turned counter-clockwise (as seen, y down) about its centre. A line segment is one without height.
struct Box {
  Point centre;
  double half_w = 0, half_h = 0;
  double radians = 0;
};
Box box_of(const Rect& r);
Box box_of_segment(Point a, Point b, double width);
// Separating axis test.
bool overlap(const Box& a, const Box& b);
bool inside(const Box& b, const Rect& r);

class LabelPlacer {
 public:
  explicit LabelPlacer(Rect area) : area_(area) {}
  void add_mark(const Box& b) { marks_.push_back(b); }
  void add_line(const Box& b) { lines_.push_back(b); }
  // Index of the first free candidate, which is then taken; none when every one covers a mark, a line or another label
  // or leaves the area. `own`: the label's own lines, [first, last) of the added lines, which it may cover.
  std::optional<std::size_t> place(const std::vector<Box>& candidates, std::size_t own_first = 0,
                                   std::size_t own_last = 0);
  std::size_t lines() const { return lines_.size(); }

 private:
  Rect area_;
  std::vector<Box> marks_, lines_, labels_;
};

}  // namespace warpspy::plot
