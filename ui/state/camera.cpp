#include "ui/state/camera.hpp"

#include <algorithm>
#include <cmath>

namespace warpspy::ui {

namespace {
constexpr double kMaxPx = 160;  // an entry is never larger
double clamp_scale(double px, double smallest) { return std::clamp(px, std::min(smallest, kMaxPx), kMaxPx); }
}  // namespace

Camera resolve(const Camera& c, Extent m, plot::Rect view, Aspect aspect) {
  const double rows = std::max<double>(1, static_cast<double>(m.rows)),
               cols = std::max<double>(1, static_cast<double>(m.cols));
  const double fit_row = std::max(1.0, view.h) / rows, fit_col = std::max(1.0, view.w) / cols;
  Camera out = c;
  if (c.fit) {
    const bool extreme = rows > 4 * cols || cols > 4 * rows;
    const bool stretch = aspect == Aspect::stretch || (aspect == Aspect::automatic && extreme);
    const double both = std::min(fit_row, fit_col);
    out.row_px = std::min(stretch ? fit_row : both, kMaxPx);
    out.col_px = std::min(stretch ? fit_col : both, kMaxPx);
    out.row = rows / 2;
    out.col = cols / 2;
    return out;
  }
  // The matrix takes at least a quarter of the view, and a part of it is always in the middle.
  out.row_px = clamp_scale(c.row_px, fit_row / 4);
  out.col_px = clamp_scale(c.col_px, fit_col / 4);
  out.row = std::clamp(c.row, 0.0, rows);
  out.col = std::clamp(c.col, 0.0, cols);
  return out;
}

Camera zoom_at(const Camera& c, plot::Rect view, plot::Point at, double factor) {
  Camera out = c;
  out.fit = false;
  // Both axes stop together, so that square cells stay square.
  factor = std::min(factor, kMaxPx / std::max(c.row_px, c.col_px));
  out.row_px = c.row_px * factor;
  out.col_px = c.col_px * factor;
  const double dx = at.x - view.x - view.w / 2, dy = at.y - view.y - view.h / 2;
  out.col = c.col + dx / c.col_px - dx / out.col_px;
  out.row = c.row + dy / c.row_px - dy / out.row_px;
  return out;
}

Camera pan(const Camera& c, double dx, double dy) {
  Camera out = c;
  out.fit = false;
  out.col -= dx / c.col_px;
  out.row -= dy / c.row_px;
  return out;
}

Camera box(const Camera& c, plot::Rect view, plot::Rect b) {
  if (b.w < 3 || b.h < 3) return c;
  const SpyMap map{c, view};
  Camera out = zoom_at(c, view, {view.x + view.w / 2, view.y + view.h / 2}, std::min(view.w / b.w, view.h / b.h));
  out.col = map.col_of(b.x + b.w / 2);
  out.row = map.row_of(b.y + b.h / 2);
  return out;
}

Camera one_to_one(const Camera& c, Extent m) {
  Camera out = c;
  if (c.fit) {
    out.row = static_cast<double>(m.rows) / 2;
    out.col = static_cast<double>(m.cols) / 2;
  }
  out.fit = false;
  out.row_px = out.col_px = 1;
  return out;
}

Camera go_to(const Camera& c, index_t row, index_t col, double entry_px) {
  Camera out = c;
  out.fit = false;
  out.row = static_cast<double>(row) + 0.5;
  out.col = static_cast<double>(col) + 0.5;
  out.row_px = out.col_px = entry_px;
  return out;
}

int level_of(double px) {
  if (px >= 1 || !(px > 0)) return 0;
  // px * 2^k is in [1, 2): k = ceil(-log2 px). The small slack keeps a view of 2^n rows on n pixels at 1 px per cell.
  return std::clamp(static_cast<int>(std::ceil(-std::log2(px) - 1e-9)), 0, 62);
}

Window visible(const SpyMap& map, Extent m) {
  const auto whole = [](double lo, double hi, index_t n) {
    const double top = static_cast<double>(n);
    return std::pair{static_cast<index_t>(std::floor(std::clamp(lo, 0.0, top))),
                     static_cast<index_t>(std::ceil(std::clamp(hi, 0.0, top)))};
  };
  const auto [r0, r1] = whole(map.row_of(map.view.y), map.row_of(map.view.bottom()), m.rows);
  const auto [c0, c1] = whole(map.col_of(map.view.x), map.col_of(map.view.right()), m.cols);
  return {r0, std::max(r0, r1), c0, std::max(c0, c1)};
}

}  // namespace warpspy::ui
