// What the steps of draw() share.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/plot/plot.hpp"

namespace warpspy::plot {

struct Legend {
  std::vector<std::size_t> entries;            // series shown
  std::vector<std::vector<std::size_t>> rows;  // the same, line by line
};

// The label of vertical lines, above the area. Lines too close for a label each share one.
struct TopLabel {
  std::vector<std::size_t> series;
  std::string text;
  double x = 0, width = 0;  // centre
};

struct Frame {
  const Plot& plot;
  Canvas& canvas;
  const Theme& theme;
  Rect frame;
  Parts parts;
  double ts;    // text size
  double unit;  // ts / 13: scales every length that the builders give for a text size of 13

  // What the frame has room for.
  bool title = false, subtitle = false, legend = false, labels = false, line_labels = false, tick_labels = false;
  Layout out = {};
  std::vector<Tick> x_ticks = {}, y_ticks = {}, y2_ticks = {};
  bool x_upright = false;    // the x ticks' labels stand on end
  double x_tick_height = 0;  // then: how far they reach down
  double y_tick_width = 0, y2_tick_width = 0, colorbar_width = 0;
  double header_x = 0, header_y = 0;  // top left corner of title, subtitle and legend
  Legend legend_layout = {};
  std::vector<TopLabel> top_labels = {};
  Color y2_color = {};
  std::vector<std::string> foot = {};  // Plot::foot, in lines that fit

  const Axis& y_axis(const Series& s) const { return s.right_axis && out.y2 ? *out.y2 : out.y; }
  Point pixel(const Series& s, double vx, double vy) const;
};

bool finite(Point p);
std::size_t points_of(const Series& s);
double line_width(const Frame& f, const Series& s);
// The parts of a line between NaNs, in pixels.
std::vector<std::vector<Point>> runs_of(const Frame& f, const Series& s);

// The visible shaft of an arrow in pixels, shortened at both ends; nothing when the gaps leave none of it.
std::optional<std::pair<Point, Point>> shaft_of(const Frame& f, const Arrow& a);

void measure(Frame& f);      // margins, area, ticks: frame.cpp
void draw_axes(Frame& f);    // grid before the data
void draw_frame(Frame& f);   // axis lines, ticks, labels after the data
void draw_header(Frame& f);  // title, subtitle, legend
void draw_colorbar(Frame& f);
void draw_series(Frame& f);  // images, series, labels, notes
void draw_labels(Frame& f);
void draw_tables(Frame& f);  // a figure of tables, whole
void draw_diagram(Frame& f);
void draw_warps(Frame& f);
// Breaks Plot::foot into lines; returns the height that they take from the bottom of the frame.
double measure_foot(Frame& f);
void draw_foot(Frame& f);

}  // namespace warpspy::plot
