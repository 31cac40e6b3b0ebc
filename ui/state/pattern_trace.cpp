#include "ui/state/pattern_trace.hpp"

#include <algorithm>
#include <cmath>

namespace warpspy::ui {

RowSpan traced_rows(const Csr& a, const Camera& camera) {
  const RowSpan all{0, a.rows()};
  // The largest height of a view that is considered, in pixels.
  constexpr double tallest = 2200;
  if (a.nnz() <= TraceLimits{}.entries || camera.fit || camera.row_px <= 0) return all;
  const double rows = std::exp2(std::ceil(std::log2(tallest / camera.row_px)));
  if (rows * 2 >= static_cast<double>(a.rows())) return all;
  const auto step = std::max<index_t>(1, static_cast<index_t>(rows) / 2);
  const index_t first = (static_cast<index_t>(std::max(0.0, camera.row)) - step) / step * step;
  return {std::clamp<index_t>(first, 0, a.rows()), std::clamp<index_t>(first + 4 * step, 0, a.rows())};
}

}  // namespace warpspy::ui
