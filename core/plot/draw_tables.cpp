// Draws arrays as grids of cells, placed from left to right.
#include <algorithm>
#include <cmath>

#include "core/plot/frame.hpp"
#include "core/plot/glyphs.hpp"
#include "core/plot/theme.hpp"

namespace warpspy::plot {
namespace {

struct Place {
  std::size_t table = 0;
  double x = 0, y = 0, cell_w = 0, head = 0;
  int rows = 0, first_col = 0, cols = 0;  // shown
  std::string name;
  std::vector<std::string> note;  // drawn below the name if there is no room after it
};

// A table that is wider than the page continues below.
std::vector<Place> pieces_of(const Frame& f, const Table& t, double cell_w, double width) {
  const int most = std::max(f.parts.page ? 1 : 0, static_cast<int>(width / cell_w));
  std::vector<Place> result;
  for (int first = 0; first == 0 || (f.parts.page && first < t.cols); first += most) {
    Place p;
    p.rows = t.rows, p.first_col = first, p.cols = std::clamp(most, 0, t.cols - first), p.cell_w = cell_w;
    p.name = t.name;
    if (f.parts.page && t.cols > most)
      p.name += first + 1 == first + p.cols
                    ? " (column " + std::to_string(first + 1) + ")"
                    : " (columns " + std::to_string(first + 1) + " to " + std::to_string(first + p.cols) + ")";
    result.push_back(std::move(p));
  }
  return result;
}

// Places all tables with one size of text. Returns the height.
double flow(const Frame& f, double size, Rect room, std::vector<Place>& places) {
  const double cell_h = 1.7 * size, gap = 1.8 * f.ts;
  double x = room.x, y = room.y, line = 0;
  places.clear();
  for (std::size_t k = 0; k < f.plot.tables.size(); ++k) {
    const Table& t = f.plot.tables[k];
    double widest = 0;
    for (const auto& c : t.cells) widest = std::max(widest, f.canvas.text_width(c.text, size, Font::mono));
    for (Place& p : pieces_of(f, t, std::ceil(std::max(1.7 * size, widest + 0.7 * size)), room.w)) {
      p.table = k;
      double name = f.canvas.text_width(p.name, f.ts, Font::bold);
      const double with_note = name + (t.note.empty() ? 0 : f.canvas.text_width(t.note, f.ts) + 0.6 * f.ts);
      p.head = 1.7 * f.ts;
      if (!f.parts.page || with_note <= room.w) {
        name = with_note;
      } else {
        p.note = wrapped(f.canvas, t.note, f.ts, Font::ui, room.w);
        p.head += 1.25 * f.ts * static_cast<double>(p.note.size());
      }
      const double w = std::min(room.w, std::max(p.cols * p.cell_w, name)), h = p.head + p.rows * cell_h;
      if (x > room.x && x + w > room.right()) x = room.x, y += line + f.ts, line = 0;
      p.x = x, p.y = y;
      places.push_back(p);
      x += w + gap;
      line = std::max(line, h);
    }
  }
  return y + line - room.y;
}

void draw_table(Frame& f, const Place& p, double size, double bottom) {
  const Table& t = f.plot.tables[p.table];
  const Theme& theme = f.theme;
  const double cell_h = 1.7 * size, head = p.head;
  const double room = f.frame.right() - p.x - 0.5 * f.ts;
  const std::string name = fitted(f.canvas, p.name, f.ts, Font::bold, room);
  if (name != p.name) ++f.out.left_out;
  f.canvas.text({p.x, p.y + f.ts}, name, f.ts, theme.ink, Align::left, Font::bold);
  const double used = f.canvas.text_width(name, f.ts, Font::bold) + 0.6 * f.ts;
  for (std::size_t k = 0; k < p.note.size(); ++k)
    f.canvas.text({p.x, p.y + (2.25 + 1.25 * static_cast<double>(k)) * f.ts}, p.note[k], f.ts, theme.muted);
  if (p.note.empty() && !t.note.empty() && room - used > 4 * f.ts)
    f.canvas.text({p.x + used, p.y + f.ts}, fitted(f.canvas, t.note, f.ts, Font::ui, room - used), f.ts, theme.muted);
  const double gap = std::max(1.0, std::floor(f.unit));
  const Color ground = mix(theme.ground, theme.ink, theme.dark ? 0.13 : 0.075);
  int shown = 0;
  for (; shown < p.rows; ++shown) {
    const double y = std::round(p.y + head + shown * cell_h);
    if (y + cell_h > bottom) break;
    for (int c = 0; c < p.cols; ++c) {
      const std::size_t k = static_cast<std::size_t>(shown) * static_cast<std::size_t>(t.cols) +
                            static_cast<std::size_t>(p.first_col + c);
      const auto& cell = t.cells[k];
      const Rect r{std::round(p.x + c * p.cell_w), y, p.cell_w - gap, cell_h - gap};
      f.out.cells.push_back({r, p.table, k});
      if (cell.padding)
        f.canvas.stroke_rect({r.x + 0.5, r.y + 0.5, r.w - 1, r.h - 1}, theme.hairline, gap);
      else if (!cell.text.empty())
        f.canvas.fill_rect(r, ground);
      f.canvas.text({r.x + r.w / 2, r.y + r.h / 2 + 0.36 * size}, cell.text, size,
                    cell.padding ? theme.muted : theme.ink, Align::center, Font::mono);
    }
  }
  std::string more;
  if (shown < p.rows) more = std::to_string(p.rows - shown) + " more rows";
  if (p.cols < t.cols && !f.parts.page)
    more += (more.empty() ? "" : ", ") + std::to_string(t.cols - p.cols) + " more columns";
  if (!more.empty()) ++f.out.left_out;
  if (!more.empty())
    f.canvas.text({p.x, std::min(bottom, p.y + head + shown * cell_h + f.ts)}, more, f.small(0.9), theme.muted);
}

}  // namespace

void draw_tables(Frame& f) {
  const double pad = std::min({0.9 * f.ts, f.frame.w * 0.04, f.frame.h * 0.04});
  Rect room{f.frame.x + pad, f.frame.y + pad, f.frame.w - 2 * pad, f.frame.h - 2 * pad};
  room = draw_titles(f, room);
  if (f.parts.titles && !f.plot.title.empty()) room.y += 0.8 * f.ts, room.h -= 0.8 * f.ts;
  f.out.area = room;
  if (room.w < 4 * f.ts || room.h < 3 * f.ts) {
    f.out.left_out += f.plot.tables.size();
    return;
  }
  // Uses the largest text size with which all tables fit. If even the smallest is too large, draws the tables that fit,
  // and counts those that are left out.
  std::vector<Place> places;
  double size = (f.parts.page ? 1 : 1.3) * f.ts;
  while (flow(f, size, room, places) > room.h && size > f.small(0.8)) size = std::max(f.small(0.8), size - 0.1 * f.ts);
  for (const Place& p : places) {
    if (p.y + 3 * f.ts < room.bottom())
      draw_table(f, p, size, room.bottom());
    else
      ++f.out.left_out;
  }
}

}  // namespace warpspy::plot
