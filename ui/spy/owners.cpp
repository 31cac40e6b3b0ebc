#include "ui/spy/owners.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/plot/pattern_shades.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

Color owner_color(std::int32_t part) { return plot::pattern_shade("block")->color(part); }

std::int32_t most_rows_of(const RowOwners& owners, index_t row0, index_t row1) {
  constexpr index_t most_looked_at = 64;
  const index_t rows = row1 - row0, looked_at = std::min(rows, most_looked_at);
  std::vector<int> count(owners.parts);
  for (index_t k = 0; k < looked_at; ++k)
    ++count[static_cast<std::size_t>(owners.of_row[static_cast<std::size_t>(row0 + k * rows / looked_at)])];
  return static_cast<std::int32_t>(std::max_element(count.begin(), count.end()) - count.begin());
}

const RowOwners* shown_owners(const AppState& s, const OpenMatrix& m) {
  const RowOwners* owners = s.parts.owners.get();
  return owners && m.matrix && owners->matrix == m.matrix->csr ? owners : nullptr;
}

void paint_owners(const SpyScene& s, const RowOwners& owners, float scale, ImDrawList* list) {
  constexpr float tint = 0.16f;  // entries stay readable below it
  const plot::Rect clip = shown_rect(s);
  // In steps of one pixel, or of one row if rows are higher.
  const double step = std::max(1.0, s.map.camera.row_px);
  const auto row_at = [&](double y) {
    return std::clamp<index_t>(static_cast<index_t>(std::floor(s.map.row_of(y) + 1e-9)), 0, s.extent.rows);
  };
  const auto owner_at = [&](double y) {
    const index_t row = std::min(row_at(y), s.extent.rows - 1);
    return most_rows_of(owners, row, std::clamp(row_at(y + step), row + 1, s.extent.rows));
  };
  const float x = static_cast<float>(clip.x), right = static_cast<float>(clip.right());
  double y = step > 1 ? s.map.y_of(static_cast<double>(row_at(clip.y))) : std::floor(clip.y);
  while (y < clip.bottom()) {
    const double begin = y;
    const std::int32_t owner = owner_at(y);
    while ((y += step) < clip.bottom() && owner_at(y) == owner) continue;
    const auto top = static_cast<float>(std::max(begin, clip.y)),
               bottom = static_cast<float>(std::min(y, clip.bottom()));
    list->AddRectFilled(ImVec2(x, top), ImVec2(right, bottom), u32(owner_color(owner), tint));
    list->AddRectFilled(ImVec2(x - 4 * scale, top), ImVec2(x - scale, bottom), u32(owner_color(owner)));
  }
}

}  // namespace warpspy::ui
