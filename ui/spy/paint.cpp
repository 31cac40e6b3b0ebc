#include "ui/spy/paint.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

ImVec2 vec(double x, double y) { return {static_cast<float>(x), static_cast<float>(y)}; }

}  // namespace

plot::Rect shown_rect(const SpyScene& s) {
  const auto& v = s.map.view;
  const double x0 = std::max(v.x, s.map.x_of(0)),
               x1 = std::min(v.right(), s.map.x_of(static_cast<double>(s.extent.cols)));
  const double y0 = std::max(v.y, s.map.y_of(0)),
               y1 = std::min(v.bottom(), s.map.y_of(static_cast<double>(s.extent.rows)));
  return {x0, y0, std::max(0.0, x1 - x0), std::max(0.0, y1 - y0)};
}

SpyScene scene_of(const Look& l, const OpenMatrix& m, const Camera& resolved, plot::Rect view) {
  const Csr& a = *m.matrix->csr;
  SpyScene s{m, {resolved, view}, {a.rows(), a.cols()}, level_of(resolved.row_px), level_of(resolved.col_px), false};
  const double px = kCellPx * l.scale;
  s.cells = resolved.row_px >= px && resolved.col_px >= px;
  return s;
}

TileLook tile_look(const Look& l, const AppState& s, const OpenMatrix& m) {
  TileLook look{s.spy.style, u32(l.palette->panel), l.palette->dark, {}, false, 0};
  const auto* shade = plot::pattern_shade(s.spy.shade);
  if (!shade || s.pattern.matrix != m.id || !s.pattern.trace) return look;
  look.run = {shade, s.pattern.trace, plot_theme(*l.palette, 12)};
  return look;
}

int paint_tiles(const Look& l, TileCache& tiles, const SpyScene& s, const TileLook& look, ImDrawList* list) {
  const Window w = visible(s.map, s.extent);
  const plot::Rect clip = shown_rect(s);
  if (w.row0 == w.row1 || w.col0 == w.col1 || !s.m.pyramid) return 0;
  list->PushClipRect(vec(clip.x, clip.y), vec(clip.right(), clip.bottom()), true);
  struct Piece {
    ImTextureID texture;
    ImVec2 from, to, uv0, uv1;
  };
  std::vector<Piece> pieces;
  bool covered = true;
  const auto tile_of = [](index_t at, int k) { return (at >> k) / kTile; };
  int missing = 0;
  const double mid_y = static_cast<double>(tile_of(static_cast<index_t>(s.map.camera.row), s.kr));
  const double mid_x = static_cast<double>(tile_of(static_cast<index_t>(s.map.camera.col), s.kc));
  for (index_t ty = tile_of(w.row0, s.kr); ty <= tile_of(w.row1 - 1, s.kr); ++ty) {
    for (index_t tx = tile_of(w.col0, s.kc); tx <= tile_of(w.col1 - 1, s.kc); ++tx) {
      const double urgency = std::hypot(static_cast<double>(ty) - mid_y, static_cast<double>(tx) - mid_x);
      const TileCache::Entry* e = tiles.want(s.m.id, s.m.pyramid, {s.kr, s.kc, ty, tx}, look, urgency);
      ImVec2 uv0(0, 0), uv1(1, 1);
      if (!e || !(e->look == look)) ++missing;
      // While a tile is being made, the part of a coarser tile with the same entries is drawn.
      for (int up = 1; !e && up < 12; ++up) {
        e = tiles.find(s.m.id, {s.kr + up, s.kc + up, ty >> up, tx >> up}, look.beside);
        const auto part = 1.f / static_cast<float>(1 << up);
        const auto fy = static_cast<float>(ty & ((1 << up) - 1)), fx = static_cast<float>(tx & ((1 << up) - 1));
        uv0 = ImVec2(fx * part, fy * part);
        uv1 = ImVec2((fx + 1) * part, (fy + 1) * part);
      }
      covered = covered && e;
      if (!e) continue;
      const double side_r = std::ldexp(kTile, s.kr), side_c = std::ldexp(kTile, s.kc);
      const double y = static_cast<double>(ty) * side_r, x = static_cast<double>(tx) * side_c;
      pieces.push_back({(ImTextureID)(std::uintptr_t)e->texture.id(), vec(s.map.x_of(x), s.map.y_of(y)),
                        vec(s.map.x_of(x + side_c), s.map.y_of(y + side_r)), uv0, uv1});
    }
  }
  // Tiles are opaque, and with software OpenGL every filled pixel takes time.
  if (!covered) list->AddRectFilled(vec(clip.x, clip.y), vec(clip.right(), clip.bottom()), u32(l.palette->panel));
  for (const Piece& p : pieces) list->AddImage(p.texture, p.from, p.to, p.uv0, p.uv1);
  list->PopClipRect();
  return missing;
}

Color value_color(double v, double most, bool dark) {
  // Blue - white - red, with the same lightness on both sides of 0.
  const double t = most > 0 && std::isfinite(v) ? std::clamp(std::abs(v) / most, 0.0, 1.0) : 0;
  const Color end = v < 0 ? plot::rgb(0x2166AC) : plot::rgb(0xB2182B),
              mid = dark ? plot::rgb(0xE9E7E2) : plot::rgb(0xFFFFFF);
  const double s = v == 0 ? 0 : 0.12 + 0.88 * t;  // the sign shows, however small the value
  const auto mix = [&](std::uint8_t a, std::uint8_t b) {
    return static_cast<std::uint8_t>(std::lround(a + s * (b - a)));
  };
  return {mix(mid.r, end.r), mix(mid.g, end.g), mix(mid.b, end.b), 255};
}

double paint_cells(const Look& l, const SpyScene& s, RealView view, const ShadeLook& run, ImDrawList* list) {
  const Csr& a = *s.m.matrix->csr;
  const Window w = visible(s.map, s.extent);
  const plot::Rect clip = shown_rect(s);
  list->PushClipRect(vec(clip.x, clip.y), vec(clip.right(), clip.bottom()), true);
  list->AddRectFilled(vec(clip.x, clip.y), vec(clip.right(), clip.bottom()), u32(l.palette->panel));
  struct Entry {
    index_t row, col, at;
  };
  std::vector<Entry> entries;
  double most = 0;
  a.columns().visit([&](auto columns) {
    for (index_t row = w.row0; row < w.row1; ++row) {
      const auto first = columns.begin() + a.row_ptr()[row], last = columns.begin() + a.row_ptr()[row + 1];
      for (auto it = std::lower_bound(first, last, w.col0); it != last && *it < w.col1; ++it) {
        const index_t at = it - columns.begin();
        entries.push_back({row, *it, at});
        const double v = std::abs(a.real_value(at, view));
        if (std::isfinite(v)) most = std::max(most, v);
      }
    }
  });
  const auto& cam = s.map.camera;
  const double gap =
      std::min(cam.row_px, cam.col_px) > 20 * l.scale ? std::max(1.0, std::floor(static_cast<double>(l.scale))) : 1;
  const bool values = cam.col_px >= kValuePx * l.scale && cam.row_px >= 16 * l.scale;
  const float size = cam.col_px >= 52 * l.scale ? 13.f : 11.f;
  for (const auto& e : entries) {
    const double x = std::floor(s.map.x_of(static_cast<double>(e.col))),
                 y = std::floor(s.map.y_of(static_cast<double>(e.row)));
    const double x1 = std::floor(s.map.x_of(static_cast<double>(e.col) + 1)) - gap,
                 y1 = std::floor(s.map.y_of(static_cast<double>(e.row) + 1)) - gap;
    const double v = a.real_value(e.at, view);
    const auto* read = run.shade ? run.trace->find(e.at) : nullptr;
    const Color c = !run.shade ? value_color(v, most, l.palette->dark)
                    : read     ? plot::shade_color(*run.shade, run.shade->value(*run.trace, *read), run.theme)
                               : plot::not_run_color(run.theme);
    list->AddRectFilled(vec(x, y), vec(x1, y1), u32(c));
    // A stored zero is an entry too: its outline shows it on a white background.
    if (contrast(c, l.palette->panel) < 1.25) list->AddRect(vec(x, y), vec(x1, y1), u32(l.palette->outline, 0.6f));
    if (!values) continue;
    std::string text = real_text(v, 4);
    if (text_width(l, Face::mono, size, text) > x1 - x - 4) text = real_text(v, 2);
    const float width = text_width(l, Face::mono, size, text);
    if (width > x1 - x - 2) continue;
    const Color ink = contrast(c, plot::rgb(0x1F1E1B)) > 4.5 ? plot::rgb(0x1F1E1B) : plot::rgb(0xFFFFFF);
    draw_text(l, list, vec((x + x1 - width) / 2, (y + y1) / 2 - l.u(size) * 0.58), Face::mono, size, ink, text);
  }
  list->PopClipRect();
  return most;
}

void paint_highlight(const Look& l, const SpyScene& s, const RowMask& rows, float margin, ImDrawList* list) {
  const plot::Rect clip = shown_rect(s);
  const Color c = l.palette->highlight;
  const auto& v = s.map.view;
  // In steps of one pixel, or of one row if rows are higher; neighbouring steps with equal shares are drawn as one.
  const double step = std::max(1.0, s.map.camera.row_px);
  const double least = l.u(5);  // so that one row of a million is visible at the edge
  const auto row_at = [&](double y) {
    return std::clamp<index_t>(static_cast<index_t>(std::floor(s.map.row_of(y) + 1e-9)), 0, s.extent.rows);
  };
  // A line of one pixel is opaque enough to be seen; many rows are pale enough to show their entries.
  const auto alpha = [&](float share) { return step > 1 ? 0.2f : 0.25f + 0.1f * share; };
  double y = step > 1 ? s.map.y_of(static_cast<double>(row_at(clip.y))) : std::floor(clip.y);
  while (y < clip.bottom()) {
    const index_t r0 = row_at(y), r1 = std::max(r0 + 1, row_at(y + step));
    const index_t n = r0 < s.extent.rows ? rows.count(r0, std::min(r1, s.extent.rows)) : 0;
    if (n > 0) {
      const float share = static_cast<float>(n) / static_cast<float>(r1 - r0);
      const double top = std::max(y, v.y), bottom = std::min(y + step, v.bottom());
      const double more = std::max(0.0, least - (bottom - top)) / 2;
      list->AddRectFilled(vec(clip.x - margin, top - more), vec(clip.x - margin + l.u(4), bottom + more), u32(c));
      list->AddRectFilled(vec(clip.x, top), vec(clip.right(), bottom), u32(c, alpha(share)));
    }
    y += step;
  }
  // Arrows point to marked rows outside the view.
  const index_t first = row_at(clip.y), past = row_at(clip.bottom());
  const double x = clip.x - margin + l.u(2), half = l.u(5), high = l.u(7);
  if (first > 0 && rows.count(0, first) > 0)
    list->AddTriangleFilled(vec(x - half, clip.y + high), vec(x + half, clip.y + high), vec(x, clip.y), u32(c));
  if (past < s.extent.rows && rows.count(past, s.extent.rows) > 0)
    list->AddTriangleFilled(vec(x - half, clip.bottom() - high), vec(x, clip.bottom()),
                            vec(x + half, clip.bottom() - high), u32(c));
}

void paint_rulers(const Look& l, const SpyScene& s, plot::Rect frame, std::optional<plot::Point> mouse,
                  ImDrawList* list) {
  const auto& v = s.map.view;
  const plot::Rect in = shown_rect(s);
  const Palette& p = *l.palette;
  const auto draw_axis = [&](bool rows) {
    plot::Axis axis;
    axis.integers = true;
    const double lo = rows ? s.map.row_of(in.y) : s.map.col_of(in.x),
                 hi = rows ? s.map.row_of(in.bottom()) : s.map.col_of(in.right());
    if (hi - lo < 1e-9) return;
    // Entry numbers start at 1, as in Matrix Market files.
    axis.min = std::max(1.0, lo + 1);
    axis.max = std::max(axis.min + 1, hi + 0.5);
    const double extent = rows ? in.h : in.w;
    const int most = std::max(2, static_cast<int>(extent / (rows ? l.u(40) : l.u(72))));
    auto marks = plot::ticks(axis, most);
    if (lo < 0.5 && (marks.empty() || marks.front().value > 1)) marks.insert(marks.begin(), plot::Tick{1, "1"});
    for (const auto& t : marks) {
      if (t.value != std::floor(t.value)) continue;
      const auto n = static_cast<index_t>(t.value) - 1;
      if (n < 0 || n >= (rows ? s.extent.rows : s.extent.cols)) continue;
      // At the middle of a large cell.
      const double half = (rows ? s.map.camera.row_px : s.map.camera.col_px) / 2;
      const double at = rows ? s.map.y_of(t.value - 1) + half : s.map.x_of(t.value - 1) + half;
      const std::string text = count_text(n + 1);
      if (rows) {
        if (at < v.y || at > v.bottom()) continue;
        const float w = text_width(l, Face::mono, 11, text);
        draw_text(l, list, vec(in.x - l.u(10) - w, at - l.u(11) * 0.62), Face::mono, 11, p.muted, text);
        list->AddLine(vec(in.x - l.u(7), at), vec(in.x - l.u(2), at), u32(p.outline), 1);
      } else {
        const float w = text_width(l, Face::mono, 11, text);
        if (at - w / 2 < frame.x || at + w / 2 > frame.right()) continue;
        draw_text(l, list, vec(at - w / 2, in.y - l.u(20)), Face::mono, 11, p.muted, text);
        list->AddLine(vec(at, in.y - l.u(6)), vec(at, in.y - l.u(2)), u32(p.outline), 1);
      }
    }
  };
  draw_axis(true);
  draw_axis(false);
  if (!mouse || !in.contains(*mouse)) return;
  // The position of the mouse, drawn over the ticks.
  const float pad = l.u(4), h = l.u(16);
  const std::string row = count_text(static_cast<index_t>(std::floor(s.map.row_of(mouse->y))) + 1);
  const std::string col = count_text(static_cast<index_t>(std::floor(s.map.col_of(mouse->x))) + 1);
  const auto tag = [&](ImVec2 at, const std::string& text) {
    const float w = text_width(l, Face::mono, 11, text);
    list->AddRectFilled(at, ImVec2(at.x + w + 2 * pad, at.y + h), u32(p.accent), l.u(3));
    draw_text(l, list, ImVec2(at.x + pad, at.y + l.u(1.5f)), Face::mono, 11, p.on_accent, text);
  };
  const float rw = text_width(l, Face::mono, 11, row) + 2 * pad, cw = text_width(l, Face::mono, 11, col) + 2 * pad;
  tag(vec(in.x - l.u(4) - rw, mouse->y - h / 2), row);
  tag(vec(std::clamp(mouse->x - cw / 2, frame.x, frame.right() - cw), in.y - l.u(4) - h), col);
  const ImU32 cross = u32(p.ink, 0.35f);
  list->AddLine(vec(in.x, mouse->y), vec(in.right(), mouse->y), cross, 1);
  list->AddLine(vec(mouse->x, in.y), vec(mouse->x, in.bottom()), cross, 1);
}

}  // namespace warpspy::ui
