// Arrays as grids of cells, flowing from left to right.
#include <algorithm>
#include <cmath>

#include "core/plot/frame.hpp"
#include "core/plot/theme.hpp"

namespace warpspy::plot {
namespace {

std::string cut_to(const Canvas& canvas, std::string s, double size, Font font, double width) {
  if (canvas.text_width(s, size, font) <= width) return s;
  while (s.size() > 1 && canvas.text_width(s + "\xE2\x80\xA6", size, font) > width) {
    s.pop_back();
    while (!s.empty() && (static_cast<unsigned char>(s.back()) & 0xC0) == 0x80) s.pop_back();
  }
  return s + "\xE2\x80\xA6";
}

struct Place {
  double x = 0, y = 0, cell_w = 0;
  int rows = 0, cols = 0;  // shown
};

// Places every table at one text size. Returns the height.
double flow(const Frame& f, double size, Rect room, std::vector<Place>& places) {
  const double cell_h = 1.7 * size, head = 1.7 * f.ts, gap = 1.8 * f.ts;
  double x = room.x, y = room.y, line = 0;
  places.clear();
  for (const Table& t : f.plot.tables) {
    double widest = 0;
    for (const auto& c : t.cells) widest = std::max(widest, f.canvas.text_width(c.text, size, Font::mono));
    Place p;
    p.cell_w = std::ceil(std::max(1.7 * size, widest + 0.7 * size));
    p.cols = std::clamp(static_cast<int>(room.w / p.cell_w), 0, t.cols);
    p.rows = t.rows;
    const double name = f.canvas.text_width(t.name, f.ts, Font::bold) +
                        (t.note.empty() ? 0 : f.canvas.text_width(t.note, f.ts) + 0.6 * f.ts);
    const double w = std::min(room.w, std::max(p.cols * p.cell_w, name)), h = head + p.rows * cell_h;
    if (x > room.x && x + w > room.right()) x = room.x, y += line + f.ts, line = 0;
    p.x = x, p.y = y;
    places.push_back(p);
    x += w + gap;
    line = std::max(line, h);
  }
  return y + line - room.y;
}

void draw_table(Frame& f, std::size_t index, const Place& p, double size, double bottom) {
  const Table& t = f.plot.tables[index];
  const Theme& theme = f.theme;
  const double cell_h = 1.7 * size, head = 1.7 * f.ts;
  const double room = f.frame.right() - p.x - 0.5 * f.ts;
  const std::string name = cut_to(f.canvas, t.name, f.ts, Font::bold, room);
  f.canvas.text({p.x, p.y + f.ts}, name, f.ts, theme.ink, Align::left, Font::bold);
  const double used = f.canvas.text_width(name, f.ts, Font::bold) + 0.6 * f.ts;
  if (!t.note.empty() && room - used > 4 * f.ts)
    f.canvas.text({p.x + used, p.y + f.ts}, cut_to(f.canvas, t.note, f.ts, Font::ui, room - used), f.ts, theme.muted);
  const double gap = std::max(1.0, std::floor(f.unit));
  const Color ground = mix(theme.ground, theme.ink, theme.dark ? 0.13 : 0.075);
  int shown = 0;
  for (; shown < p.rows; ++shown) {
    const double y = std::round(p.y + head + shown * cell_h);
    if (y + cell_h > bottom) break;
    for (int c = 0; c < p.cols; ++c) {
      const std::size_t k =
          static_cast<std::size_t>(shown) * static_cast<std::size_t>(t.cols) + static_cast<std::size_t>(c);
      const auto& cell = t.cells[k];
      const Rect r{std::round(p.x + c * p.cell_w), y, p.cell_w - gap, cell_h - gap};
      f.out.cells.push_back({r, index, k});
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
  if (p.cols < t.cols) more += (more.empty() ? "" : ", ") + std::to_string(t.cols - p.cols) + " more columns";
  if (!more.empty())
    f.canvas.text({p.x, std::min(bottom, p.y + head + shown * cell_h + f.ts)}, more, 0.9 * f.ts, theme.muted);
}

}  // namespace

void draw_tables(Frame& f) {
  const double pad = std::min({0.9 * f.ts, f.frame.w * 0.04, f.frame.h * 0.04});
  Rect room{f.frame.x + pad, f.frame.y + pad, f.frame.w - 2 * pad, f.frame.h - 2 * pad};
  const auto header = [&](const std::string& s, double size, Color c, Font font, double down) {
    if (!f.parts.titles || s.empty() || room.h < 8 * f.ts) return;
    f.canvas.text({room.x, room.y + size}, cut_to(f.canvas, s, size, font, room.w), size, c, Align::left, font);
    room.y += down, room.h -= down;
  };
  header(f.plot.title, 1.15 * f.ts, f.theme.ink, Font::bold, 1.55 * f.ts);
  header(f.plot.subtitle, f.ts, f.theme.muted, Font::ui, 1.5 * f.ts);
  if (f.parts.titles && !f.plot.title.empty()) room.y += 0.8 * f.ts, room.h -= 0.8 * f.ts;
  f.out.area = room;
  if (room.w < 4 * f.ts || room.h < 3 * f.ts) return;
  // As large as fits; when nothing does, what fits is shown and the rest is counted.
  std::vector<Place> places;
  double size = 1.3 * f.ts;
  while (flow(f, size, room, places) > room.h && size > 0.8 * f.ts) size -= 0.1 * f.ts;
  const double bottom = room.bottom() - 1.2 * f.ts;
  for (std::size_t k = 0; k < places.size(); ++k)
    if (places[k].y + 3 * f.ts < room.bottom()) draw_table(f, k, places[k], size, bottom + 1.2 * f.ts);
}

}  // namespace warpspy::plot
