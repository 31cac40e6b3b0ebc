#include "core/plot/frame.hpp"

namespace warpspy::plot {

Layout draw(const Plot& plot, Canvas& canvas, Rect frame, const Theme& theme, Parts parts) {
  canvas.fill_rect(frame, theme.ground);
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
  measure(f);
  canvas.push_clip(frame);
  draw_axes(f);
  draw_series(f);
  draw_frame(f);
  draw_header(f);
  draw_colorbar(f);
  draw_foot(f);
  canvas.pop_clip();
  return f.out;
}

}  // namespace warpspy::plot
