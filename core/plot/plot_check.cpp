#include "core/plot/plot_check.hpp"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/base/types.hpp"

namespace warpspy::plot {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error("the figure in the recipe cannot be drawn: " + what, {}, "take the file as it was written");
}
std::string text_of(std::size_t n) { return std::to_string(n); }

constexpr double kFarAway = 1e6;        // lengths and places of a diagram
constexpr double kFarthestEnd = 1e300;  // ends of an axis
constexpr std::size_t kWarpLanes = 32;  // of a warp
constexpr std::size_t kMostCategories = 2000, kMostLines = 1024, kMostSeries = 1 << 16;
// Limits the work: each text in the data area is compared with every mark and line there.
constexpr double kMostWordsTimesPoints = 1e7;

class Checking {
 public:
  void axis(const Axis& a) {
    text(a.label), texts(a.categories, kMostCategories * 10), count(a.named.size(), kMostLines, "named places");
    for (const auto& [at, name] : a.named) place(at, kFarthestEnd), text(name);
    for (const double end : {a.min, a.max}) place(end, kFarthestEnd);
    if (a.min != 0 && std::abs(a.min) < 1 / kFarthestEnd) refuse("an axis ends at a number too small");
    if (a.max != 0 && std::abs(a.max) < 1 / kFarthestEnd) refuse("an axis ends at a number too small");
  }

  void series(const Series& s) {
    text(s.name), text(s.label);
    within(s.width, 0, 100, "a line's width"), place(s.base, kFarthestEnd);
    points_ += s.x.size() + s.y.size();
    count(points_, 2 * kMostPoints, "points");
    words_ += s.label.empty() ? 0 : 1;
  }

  void image(const Image& i) {
    for (const double v : {i.x0, i.x1, i.y0, i.y1}) place(v, kFarthestEnd);
    within(i.width, 0, kMostImageSide, "a picture's width"), within(i.height, 0, kMostImageSide, "a picture's height");
    same(i.rgba ? i.rgba->size() : 0, i.width, i.height, "a picture", "pixels");
  }

  void arrow(const Arrow& a) {
    text(a.label), within(a.width, 0, 100, "an arrow's width"), within(a.gap, 0, 1000, "an arrow's gap");
    words_ += 1;
  }

  void note(const Note& n) { text(n.text), words_ += 1; }
  void cell_text(const CellText& c) { text(c.text); }

  void colorbar(const ColorBar& b) {
    text(b.label), count(b.rgba.size(), kMostImageSide, "colours"), count(b.ticks.size(), kMostLines, "colour ticks");
    for (const auto& [at, name] : b.ticks) place(at, kFarAway), text(name);
  }

  void table(const Table& t) {
    text(t.name), text(t.note);
    within(t.rows, 0, 1 << 16, "a table's rows"), within(t.cols, 0, 1 << 16, "a table's columns");
    same(t.cells.size(), t.rows, t.cols, "a table", "cells");
    if (t.cells.empty() && t.cols > 0) refuse("a table has columns and no cells");
    for (const Table::Cell& c : t.cells) text(c.text);
  }

  void diagram(const Diagram& d) {
    within(d.width, 1 / kFarAway, kFarAway, "a diagram's width"),
        within(d.height, 1 / kFarAway, kFarAway, "a diagram's height");
    count(d.boxes.size() + d.arrows.size() + d.headings.size(), kMostLines, "parts of a diagram");
    for (const Diagram::Box& b : d.boxes) {
      text(b.title), texts(b.lines, kMostLines);
      for (const double v : {b.at.x, b.at.y, b.at.w, b.at.h}) place(v, kFarAway);
    }
    for (const Diagram::Arrow& a : d.arrows) {
      texts(a.above, kMostLines), texts(a.below, kMostLines);
      for (const double v : {a.from.x, a.from.y, a.to.x, a.to.y, a.room}) place(v, kFarAway);
      within(a.share, 0, 1, "an arrow's share");
    }
    for (const Diagram::Heading& h : d.headings)
      text(h.text), text(h.note), place(h.at.x, kFarAway), place(h.at.y, kFarAway);
  }

  void warp(const WarpPanel& w) {
    text(w.heading), text(w.code), text(w.steps_name), texts(w.facts, kMostLines), texts(w.sums, kMostLines);
    count(w.lanes.size(), kWarpLanes, "lanes of a warp"), count(w.lines.size(), kMostLines, "lines of a warp");
    for (const WarpPanel::Lane& l : w.lanes) {
      text(l.text), text(l.brief);
      within(l.line, -1, static_cast<double>(w.lines.size()) - 1, "a lane's line");
    }
    for (const WarpPanel::Line& l : w.lines) text(l.name), text(l.brief);
    for (const WarpPanel::Entry& e : w.entries) within(e.x, 0, 1, "an entry"), within(e.y, -1, 1, "an entry");
    within(w.aspect, 0, HUGE_VAL, "a warp's matrix"), within(w.now, 0, 1, "a warp's step");
    within(w.columns, 0, kMostImageSide, "a warp's columns");
    same(w.steps.size(), w.columns, kWarpLanes, "a warp", "steps");
  }

  void text(const std::string& s) {
    count(s.size(), kMostTextBytes, "letters of one text");
    text_bytes_ += s.size();
    count(text_bytes_, kMostAllTextBytes, "letters");
  }
  void texts(const std::vector<std::string>& list, std::size_t most) {
    count(list.size(), most, "texts");
    for (const std::string& s : list) text(s);
  }

  void count(std::size_t n, std::size_t most, const std::string& of) {
    if (n > most) refuse("it has " + text_of(n) + " " + of + ", and at most " + text_of(most) + " are drawn");
  }
  void work() const {
    if (words_ * (words_ + static_cast<double>(points_)) > kMostWordsTimesPoints)
      refuse("it has too many words among too many points");
  }

 private:
  void within(double v, double least, double most, const std::string& what) {
    if (!(v >= least && v <= most)) refuse(what + " is out of range");
  }
  void place(double v, double most) { within(v, -most, most, "a place"); }
  void same(std::size_t n, std::size_t rows, std::size_t cols, const char* what, const char* of) {
    if (n != rows * cols)
      refuse(std::string(what) + " of " + text_of(rows) + " x " + text_of(cols) + " has " + text_of(n) + " " + of);
  }

  std::size_t points_ = 0, text_bytes_ = 0;
  double words_ = 0;
};

}  // namespace

void require_drawable(const Plot& p) {
  Checking c;
  c.text(p.title), c.text(p.subtitle), c.texts(p.foot, kMostLines);
  c.axis(p.x), c.axis(p.y);
  if (p.y2) c.axis(*p.y2);
  // Names along x are tried all together, then fewer and fewer of them.
  c.count(p.x.categories.size(), kMostCategories, "names along an axis");
  c.count(p.images.size(), kMostPanels, "pictures"), c.count(p.tables.size(), kMostPanels, "tables");
  c.count(p.warps.size(), kMostPanels, "warps"), c.count(p.keys.size(), kMostLines, "keys");
  c.count(p.series.size(), kMostSeries, "series");
  for (const Image& i : p.images) c.image(i);
  for (const Series& s : p.series) c.series(s);
  for (const Arrow& a : p.arrows) c.arrow(a);
  for (const Note& n : p.notes) c.note(n);
  for (const CellText& t : p.cell_texts) c.cell_text(t);
  if (p.colorbar) c.colorbar(*p.colorbar);
  for (const Table& t : p.tables) c.table(t);
  if (p.diagram) c.diagram(*p.diagram);
  if (p.tall) c.diagram(*p.tall);
  for (const WarpPanel& w : p.warps) c.warp(w);
  for (const auto& [color, name] : p.keys) c.text(name);
  c.work();
}

void require_drawable(const Page& p) {
  constexpr double kMostSide = 10000, kMostPixels = 1 << 28;
  const bool good = p.width >= 1 && p.width <= kMostSide && p.height >= 1 && p.height <= kMostSide &&
                    p.font_pt >= kLeastPt && p.font_pt <= kMostPt && p.png_scale > 0 && p.png_scale <= 64 &&
                    p.width * p.height * p.png_scale * p.png_scale <= kMostPixels;
  if (!good) refuse("its page is none that a figure can have");
}

}  // namespace warpspy::plot
