#include "ui/window/changed_tiles.hpp"

#include <algorithm>
#include <cstddef>

namespace warpspy::ui {

namespace {

constexpr int kTile = 32;
// Each box is drawn with its own commands, so tiles are joined if there would be more boxes.
constexpr std::size_t kMostBoxes = 24;

int tiles_in(int pixels) { return (pixels + kTile - 1) / kTile; }

}  // namespace

PixelBox common(const PixelBox& a, const PixelBox& b) {
  return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right), std::min(a.bottom, b.bottom)};
}

PixelBox around(std::span<const PixelBox> boxes) {
  PixelBox all = boxes.front();
  for (const PixelBox& b : boxes)
    all = {std::min(all.left, b.left), std::min(all.top, b.top), std::max(all.right, b.right),
           std::max(all.bottom, b.bottom)};
  return all;
}

std::vector<std::vector<PixelBox>> in_bands(std::span<const PixelBox> boxes, int height) {
  std::vector<std::vector<PixelBox>> bands;
  for (const PixelBox& b : boxes)
    for (int k = b.top / height; k * height < b.bottom; ++k) {
      bands.resize(std::max(bands.size(), static_cast<std::size_t>(k) + 1));
      bands[static_cast<std::size_t>(k)].push_back(
          {b.left, std::max(b.top, k * height), b.right, std::min(b.bottom, (k + 1) * height)});
    }
  std::erase_if(bands, [](const auto& band) { return band.empty(); });
  return bands;
}

ChangedTiles::ChangedTiles(int width, int height)
    : width_(std::max(0, width)),
      height_(std::max(0, height)),
      columns_(tiles_in(width_)),
      rows_(tiles_in(height_)),
      marked_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_)) {}

bool ChangedTiles::marked(int column, int row) const {
  return marked_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(column)];
}

void ChangedTiles::mark(const PixelBox& box) {
  const PixelBox b = common(box, {0, 0, width_, height_});
  if (b.is_empty()) return;
  const auto first = static_cast<std::ptrdiff_t>(b.left / kTile), past = static_cast<std::ptrdiff_t>(tiles_in(b.right));
  for (int row = b.top / kTile; row < tiles_in(b.bottom); ++row) {
    const auto begin = marked_.begin() + static_cast<std::ptrdiff_t>(row) * columns_;
    std::fill(begin + first, begin + past, 1);
  }
}

// Row by row: a run of changed tiles extends downwards while all of its tiles have changed.
std::vector<PixelBox> ChangedTiles::runs() const {
  ChangedTiles left = *this;
  std::vector<PixelBox> all;
  for (int row = 0; row < rows_; ++row)
    for (int column = 0; column < columns_; ++column) {
      if (!left.marked(column, row)) continue;
      int past = column, below = row + 1;
      while (past < columns_ && left.marked(past, row)) ++past;
      const auto goes_on = [&] {
        for (int c = column; c < past; ++c)
          if (!left.marked(c, below)) return false;
        return true;
      };
      while (below < rows_ && goes_on()) ++below;
      for (int r = row; r < below; ++r) {
        const auto begin = left.marked_.begin() + static_cast<std::ptrdiff_t>(r) * columns_;
        std::fill(begin + column, begin + past, 0);
      }
      all.push_back(common({column * kTile, row * kTile, past * kTile, below * kTile}, {0, 0, width_, height_}));
    }
  return all;
}

std::vector<PixelBox> ChangedTiles::boxes() const {
  std::vector<PixelBox> all = runs();
  for (int together = 2; all.size() > kMostBoxes; together *= 2) {
    ChangedTiles coarser(width_, height_);
    const int side = together * kTile;
    for (int row = 0; row < rows_; ++row)
      for (int column = 0; column < columns_; ++column) {
        const int left = column / together * side, top = row / together * side;
        if (marked(column, row)) coarser.mark({left, top, left + side, top + side});
      }
    all = coarser.runs();
  }
  return all;
}

}  // namespace warpspy::ui
