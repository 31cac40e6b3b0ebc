// A figure as data. Builders (figures.hpp) make a Plot, and draw() draws it on any Canvas. The returned Layout says
// what the mouse points at and what is near it. Screen and export show the same figure.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/types.hpp"
#include "core/plot/canvas.hpp"

namespace warpspy::plot {

enum class Scale : std::uint8_t { linear, log10 };
struct Axis {
  std::string label;  // with its unit: "arithmetic intensity (flop/byte)"
  Scale scale = Scale::linear;
  double min = 0, max = 1;                            // min < max; > 0 on a log axis
  bool inverted = false;                              // spy: rows grow downward
  bool integers = false;                              // ticks at whole numbers only
  bool from_one = false;                              // counts from 1; a visible 1 is a tick
  std::vector<std::string> categories = {};           // names of the positions 0, 1, ..., which are the only ticks
  bool upright = false;                               // x: categories that do not fit side by side stand upright
  std::vector<std::pair<double, std::string>> named;  // further ticks, at places that are no round number
};

// Ten marks that differ even without colours, and `none`.
enum class Mark : std::uint8_t { none, circle, square, diamond, triangle, cross, down, plus, star, right, hourglass };
// The mark for the k-th thing of a figure, such as its kernels.
constexpr Mark mark_in_turn(std::size_t k) { return static_cast<Mark>(1 + k % 10); }
enum class Fill : std::uint8_t { solid, half, hollow };  // measured, derived, modelled
constexpr Fill fill_of(Provenance p) {
  constexpr Fill fills[] = {Fill::solid, Fill::half, Fill::hollow};
  return fills[static_cast<int>(p)];
}

struct Series {
  enum class Kind : std::uint8_t { line, points, bars, area, vline, hline } kind = Kind::line;
  std::string name;          // legend entry; empty: not in the legend
  std::string label;         // drawn beside the end of a line; empty: none
  std::vector<double> x, y;  // bars: x = left edges plus one closing edge (n+1), y = n heights
  Color color;
  double width = 1.5;  // line width or mark radius, logical px
  bool dashed = false;
  Mark mark = Mark::none;
  Fill fill = Fill::solid;
  bool right_axis = false;            // against Plot::y2
  std::vector<std::uint64_t> ids;     // per point: run id or so, returned by hit tests
  std::vector<int> parts;             // per point: which of the points of that id, such as the memory level; likewise
  std::vector<std::string> tooltips;  // per point: text of the tooltip, lines split by '\n'
  bool faint = false;                 // the series is only background for the others
  bool joined = false;                // bars without a hairline between them
  double base = 0;                    // bars stand on it; fill: hollow bars are an outline
};

// A picture placed in data coordinates (spy).
struct Image {
  double x0 = 0, x1 = 1, y0 = 0, y1 = 1;  // y0 is the picture's top row
  int width = 0, height = 0;
  std::shared_ptr<const std::vector<std::uint32_t>> rgba;
};

// An arrow from one data point to another shows a change. It begins and ends at the rims of the marks.
struct Arrow {
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  std::string label = {};  // text beside its middle; empty: no text
  Color color = {};
  double width = 1.6;  // logical px
  double gap = 6;      // kept free at both ends for the marks, logical px
};

// Free text at a data position.
struct Note {
  double x = 0, y = 0;
  std::string text;
  Color color;
  bool gives_way = false;  // left out if it would cover a mark or another word
  Align align = Align::center;
};

struct CellText {  // in the middle of a cell that is one unit wide and high
  double x = 0, y = 0;
  std::string text;
  Color color;
};

struct ColorBar {  // The colour scale to the right of the plot area.
  std::string label;
  std::vector<std::uint32_t> rgba;                    // bottom to top
  std::vector<std::pair<double, std::string>> ticks;  // position 0..1
  bool classes = false;                               // ticks are names of the colours; on a page they become a legend
};

// An array printed as a grid of cells, as the papers print them. A figure of tables has no axes.
struct Table {
  std::string name, note;  // above it; the note follows the name, quieter
  int rows = 0, cols = 0;
  struct Cell {
    std::string text;
    bool padding = false;   // drawn as a hole
    std::uint64_t tag = 0;  // cells with the same tag belong to the same entry, in all tables; 0: none
  };
  std::vector<Cell> cells;  // rows x cols, row-major
};

// Boxes and the arrows between them, in a space of `width` x `height` units that fills the frame. A figure of a diagram
// has no axes.
struct Diagram {
  struct Box {
    Rect at;
    std::string title;
    std::vector<std::string> lines;  // below the title, quieter
    Color color;
  };
  // A band from one point to another, with words above and below its middle.
  struct Arrow {
    Point from, to;
    double share = 0;  // share of the widest band's bytes, 0 to 1
    Fill fill = Fill::solid;
    bool missing = false;  // drawn as a dashed line, since the number is not known
    Color color;
    std::vector<std::string> above, below;  // the first line of each is the most important
    std::string tooltip;                    // text of the tooltip, lines split by '\n'
    std::uint64_t id = 0;                   // id of the thing that it shows; 0: none
    double room = 0;                        // upright: how far its words may reach to the right
  };
  struct Heading {
    Point at;  // left end of the baseline
    std::string text, note;
  };
  double width = 1, height = 1;
  std::vector<Box> boxes;
  std::vector<Arrow> arrows;
  std::vector<Heading> headings;
};

// A panel has the lanes of a warp on the left, the 128-byte lines that they ask for on the right, and links between
// them; all steps of the warp stand below. Several panels stand side by side. A figure of warps has no axes.
struct WarpPanel {
  struct Lane {
    std::string text;   // what the lane asks for, or why it is idle
    std::string brief;  // a shorter text for little room; empty: there is none
    Color color;        // colour of the memory from which the data came
    bool idle = false;
    int line = -1, word = 0;  // where its link ends; -1: the lane has no access
  };
  struct Line {
    std::string name, brief;
    std::array<Color, 4> sectors{};  // colours of the sectors that are requested
    std::uint8_t asked = 0;          // bit s: sector s
    std::uint32_t words = 0;         // bit w: the 4-byte word w is used
  };
  // An entry of the matrix, as a place in [0, 1] x [0, 1]; y < 0: the whole column.
  struct Entry {
    double x = 0, y = 0;
    Color color;
  };
  std::string heading;
  std::vector<std::string> facts;  // below it
  std::string code;                // the source line
  std::vector<Lane> lanes;
  std::vector<Line> lines;
  std::vector<std::string> sums;  // below lanes and lines
  std::vector<Entry> entries;     // the entries that the step reads
  double aspect = 1;              // columns of the matrix / rows
  // Steps from left to right, lanes downwards.
  int columns = 0;
  std::vector<std::uint32_t> steps;  // columns x 32 RGBA
  double now = 0;                    // the step that is shown, as a place in [0, 1]
  std::string steps_name;
};

struct Plot {
  std::string title, subtitle;
  Axis x, y;
  std::optional<Axis> y2;
  std::vector<Image> images;
  std::vector<Series> series;
  std::vector<Arrow> arrows;  // above lines, below marks
  std::vector<Note> notes;
  std::vector<CellText> cell_texts;  // drawn for all cells or for none: there must be room for the longest
  std::optional<ColorBar> colorbar;
  std::vector<Table> tables;                        // instead of axes and series
  std::optional<Diagram> diagram;                   // instead of axes and series
  std::optional<Diagram> tall;                      // the same for a narrow page; its arrows in the same order
  std::vector<WarpPanel> warps;                     // instead of axes and series
  std::vector<std::pair<Color, std::string>> keys;  // the meaning of the warps' colours
  std::vector<std::string> foot;                    // below everything: formulas, and what is not available and why
  bool legend = true;
  bool square_cells = false;  // one unit of x is as long as one unit of y (the plot area shrinks to fit)
  // The figure's numbers for CSV and JSON: a header, and rows of text, with provenance as a column.
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

struct Theme {
  Color ground, panel, ink, muted, grid, hairline;
  double text_size = 13;
  double least_text = 0;  // the least size of text
  bool dark = false;
};
Theme light_theme();
Theme dark_theme();

// Each colour has one meaning (the palette of Okabe and Ito).
inline constexpr Color kDram = rgb(0xD55E00), kL2 = rgb(0x0072B2), kL1 = rgb(0x009E73), kShared = rgb(0xCC79A7),
                       kCompute = rgb(0x7A7A7A), kWarning = rgb(0xE69F00), kError = rgb(0xC62828);

struct Hit {
  std::size_t series = 0, point = 0;
  std::uint64_t id = 0;  // Series::ids, else 0
  Point at;              // pixel position of the point
  int part = 0;          // Series::parts, else 0
};

// Tells where draw() has put everything. It converts pixels to data and back, and finds the nearest point.
struct Layout {
  Rect area;  // the data area in pixels
  Axis x, y;
  std::optional<Axis> y2;
  std::vector<Hit> marks;                          // every point of every points series
  std::vector<std::pair<Rect, std::size_t>> bars;  // pixel rect and index, in order of x
  struct PlacedCell {
    Rect rect;
    std::size_t table = 0, cell = 0;
  };
  std::vector<PlacedCell> cells;                     // of tables
  std::vector<std::pair<Rect, std::size_t>> arrows;  // arrows of a diagram: bounds and index
  // Where the parts of a warp's panel are: the picture of all steps, the lanes, and four sectors of each line.
  struct PlacedWarp {
    Rect steps;
    std::vector<Rect> lanes, sectors;
  };
  std::vector<PlacedWarp> warps;
  std::size_t left_out = 0;  // texts that were cut, or had no room; counted for a page
  Point to_pixel(double x, double y) const;
  double x_of(double px) const;
  double y_of(double py) const;
  // Nearest mark within `radius` pixels.
  std::optional<Hit> hit(Point p, double radius = 10) const;
  std::optional<std::size_t> bar_at(Point p) const;
};

// Tells which parts of a figure are drawn. A window that shows title or formulas itself leaves them out.
struct Parts {
  bool ground = true;  // a window that is of that colour already need not be filled again
  bool titles = true;  // title and subtitle
  bool foot = true;
  bool legend = true;
  // For a page, where the mouse cannot show more: every text is drawn whole. Lines wrap, and the legend stands below. A
  // word without room becomes a letter, which the legend explains.
  bool page = false;
};
// Draws a figure into `frame`. For a given canvas the result is always the same.
Layout draw(const Plot& plot, Canvas& canvas, Rect frame, const Theme& theme, Parts parts = {});

// Ticks: 1-2-5 on a linear axis, powers of ten on a log axis. At most `most`.
struct Tick {
  double value = 0;
  std::string label;
};
std::vector<Tick> ticks(const Axis& axis, int most);

// A count in a short form for people: "1.5k", "26.5M".
std::string short_number(double v);

}  // namespace warpspy::plot
