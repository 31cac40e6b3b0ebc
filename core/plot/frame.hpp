// plot::draw() draws a figure in several steps, such as its legend, its axes and its panels. These steps share this
// data and these functions.
#pragma once

#include <algorithm>
#include <compare>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/plot/plot.hpp"
#include "core/plot/wrap.hpp"

namespace warpspy::plot {

struct LegendEntry {
  enum class Sign : std::uint8_t { series, letter, swatch, none } sign = Sign::series;
  std::size_t series = 0;
  std::string letter = {};              // the letter that replaces a word beside its mark
  Color color = {};                     // colour of letter and swatch
  std::vector<std::string> lines = {};  // its words
  double width = 0;
};
using Legend = std::vector<std::vector<LegendEntry>>;  // row by row

// The label of vertical lines, above the area. Lines too close for a label each share one.
struct TopLabel {
  std::vector<std::size_t> series;
  std::string text;
  double x = 0, width = 0;  // centre
  std::vector<std::string> lines = {};
};

// A word in the data area, and its place.
struct PlacedWord {
  std::string text;
  Point baseline;
  Color color;
  Align align = Align::center;
  Font font = Font::ui;
  double radians = 0;
  bool led = false;  // a thin line joins it to the mark that it names
  Point leader_from = {}, leader_to = {};
};

// The mark that a word in the data area names, in the order of drawing.
struct WordOf {
  enum class Kind : std::uint8_t { note, arrow, series } kind = Kind::note;
  std::size_t index = 0;
  auto operator<=>(const WordOf&) const = default;
};

struct Frame {
  const Plot& plot;
  Canvas& canvas;
  const Theme& theme;
  Rect frame;
  Parts parts;
  double ts;    // text size
  double unit;  // ts / 13: scales every length that the builders give for a text size of 13

  // Whether the frame has room for these parts.
  bool title = false, subtitle = false, legend = false, labels = false, line_labels = false, tick_labels = false;
  Layout out = {};
  std::vector<Tick> x_ticks = {}, y_ticks = {}, y2_ticks = {};
  bool x_upright = false;    // true: the labels of the x ticks are upright
  double x_tick_height = 0;  // then: how far they reach down
  double y_tick_width = 0, y2_tick_width = 0, colorbar_width = 0;
  double header_x = 0, header_y = 0;  // top left corner of title, subtitle and legend
  std::vector<std::string> title_lines = {}, subtitle_lines = {}, x_label = {};
  std::vector<std::string> y_label = {}, y2_label = {}, bar_label = {};
  double upright_top = 0, upright_bottom = 0;  // the range of heights for upright labels
  Legend legend_layout = {};
  double legend_x = 0, legend_y = 0;
  std::vector<WordOf> lettered = {};  // words that became letters; the legend has the words
  std::vector<PlacedWord> words = {};
  bool upright_notes = false;  // values stand upright, since they would touch side by side
  std::vector<TopLabel> top_labels = {};
  Color y2_color = {};
  std::vector<std::string> foot = {};  // Plot::foot, in lines that fit

  double small(double share) const { return std::max(share * ts, theme.least_text); }
  const Axis& y_axis(const Series& s) const { return s.right_axis && out.y2 ? *out.y2 : out.y; }
  Point pixel(const Series& s, double vx, double vy) const;
};

inline constexpr double kUprightLine = 1.2;  // text sizes between lines of an upright label

bool finite(Point p);
std::size_t points_of(const Series& s);
double line_width(const Frame& f, const Series& s);
// The parts of a line between NaNs, in pixels.
std::vector<std::vector<Point>> runs_of(const Frame& f, const Series& s);

// The visible shaft of an arrow in pixels, shortened at both ends; nothing when the gaps leave none of it.
std::optional<std::pair<Point, Point>> shaft_of(const Frame& f, const Arrow& a);

// The text, cut to a width; a cut is counted.
std::string cut(Frame& f, const std::string& s, double size, Font font, double width);
// The text in lines of that width; on a screen a single line, which may be cut.
std::vector<std::string> lines_of(Frame& f, const std::string& s, double size, Font font, double width);

void measure(Frame& f);                      // margins, area, ticks: frame.cpp
Legend flow_legend(Frame& f, double width);  // legend.cpp
double legend_height(const Frame& f);
bool has_classes(const Frame& f);      // the legend names the colours of a picture
std::string letter_of(std::size_t k);  // a, b, ..., z, aa, bb, ...
// Puts the labels of vertical lines above the area, merging those that would touch. Returns their height.
double line_up_top_labels(Frame& f, const Rect& area);
void find_marks(Frame& f);   // Layout::marks
void place_words(Frame& f);  // labels and notes; those without a place become letters on a page
std::string words_of(const Frame& f, const WordOf& word);
Color color_of(const Frame& f, const WordOf& word);
void draw_axes(Frame& f);   // grid before the data
void draw_frame(Frame& f);  // axis lines, ticks, labels after the data
void draw_top_labels(Frame& f);
void draw_header(Frame& f);  // title, subtitle
void draw_legend(Frame& f);
void draw_colorbar(Frame& f);
void draw_series(Frame& f);  // images, series, labels, notes
void draw_words(Frame& f);
void draw_tables(Frame& f);  // a figure of tables, whole
void draw_diagram(Frame& f);
void draw_warps(Frame& f);
// Title and subtitle, for figures without axes: what is left below them.
Rect draw_titles(Frame& f, Rect room);
// Breaks Plot::foot into lines; returns the height that they take from the bottom of the frame.
double measure_foot(Frame& f);
void draw_foot(Frame& f);

}  // namespace warpspy::plot
