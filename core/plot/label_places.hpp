// Lists possible places for a word in the data area, the best first.
#pragma once

#include <optional>
#include <vector>

#include "core/plot/frame.hpp"
#include "core/plot/label_placer.hpp"

namespace warpspy::plot {

struct Candidate {
  Box box;
  Point baseline;
  Align align = Align::center;
  double radians = 0;
  bool led = false;  // a leader joins the label to its line
  Point leader_from = {}, leader_to = {};
};

// The part of a segment inside a rectangle; false when there is none.
bool clip_segment(const Rect& r, Point& a, Point& b);

// A place for horizontal text whose box has its centre at c.
Candidate level_at(Point c, double width, double ts);
std::vector<Candidate> line_label_places(const Frame& f, const Series& s, double width);
std::vector<Candidate> arrow_label_places(Point a, Point b, double width, double ts);
// Lists places around a point, further and further away, each joined to the point by a thin line. They are for words
// that must be shown somewhere.
std::vector<Candidate> places_around(Point p, double width, double ts);
// The point of a line at which such a thin line begins.
std::optional<Point> anchor_of(const Frame& f, const Series& s);

}  // namespace warpspy::plot
