#include "core/plot/frame.hpp"

namespace warpspy::plot {

Layout draw(const Plot& plot, Canvas& canvas, Rect frame, const Theme& theme, Parts parts) {
  if (parts.ground) canvas.fill_rect(frame, theme.ground);
  Frame f{.plot = plot,
          .canvas = canvas,
          .theme = theme,
          .frame = frame,
          .parts = parts,
          .ts = theme.text_size,
          .unit = theme.text_size / 13};
  if (!plot.tables.empty()) {
    canvas.push_clip(frame);
    draw_tables(f);
    canvas.pop_clip();
    return f.out;
  }
  if (plot.diagram) {
    canvas.push_clip(frame);
    draw_diagram(f);
    canvas.pop_clip();
    return f.out;
  }
  if (!plot.warps.empty()) {
    canvas.push_clip(frame);
    draw_warps(f);
    canvas.pop_clip();
    return f.out;
  }
  // A text without room becomes a letter, and its text goes into the legend. The legend then grows, which leaves less
  // room for the data. So this repeats until every text has a place. On a screen texts never become letters.
  for (;;) {
    const std::size_t letters = f.lettered.size();
    const bool upright = f.upright_notes;
    measure(f);
    find_marks(f);
    place_words(f);
    if (f.lettered.size() == letters && f.upright_notes == upright) break;
  }
  canvas.push_clip(frame);
  draw_axes(f);
  draw_series(f);
  draw_frame(f);
  draw_header(f);
  draw_legend(f);
  draw_colorbar(f);
  draw_foot(f);
  canvas.pop_clip();
  return f.out;
}

Rect draw_titles(Frame& f, Rect room) {
  const auto lines = [&](const std::string& s, double size, double first, double more, Color c, Font font) {
    if (!f.parts.titles || s.empty() || (!f.parts.page && room.h < 10 * f.ts)) return;
    double y = room.y + size;
    std::size_t count = 0;
    for (const std::string& line : lines_of(f, s, size, font, room.w)) {
      f.canvas.text({room.x, y}, cut(f, line, size, font, room.w), size, c, Align::left, font);
      y += more * f.ts, ++count;
    }
    const double down = (first + more * static_cast<double>(count - 1)) * f.ts;
    room.y += down, room.h -= down;
  };
  lines(f.plot.title, 1.15 * f.ts, 1.55, 1.4, f.theme.ink, Font::bold);
  lines(f.plot.subtitle, f.ts, 1.5, 1.3, f.theme.muted, Font::ui);
  return room;
}

}  // namespace warpspy::plot
