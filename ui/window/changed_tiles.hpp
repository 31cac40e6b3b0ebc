// Finds which parts of a picture change, in tiles of 32 x 32 pixels.
#pragma once

#include <span>
#include <vector>

namespace warpspy::ui {

// Pixels of the framebuffer; y goes down.
struct PixelBox {
  int left = 0, top = 0, right = 0, bottom = 0;  // right and bottom are not in it
  bool is_empty() const { return right <= left || bottom <= top; }
  bool operator==(const PixelBox&) const = default;
};
PixelBox common(const PixelBox& a, const PixelBox& b);
PixelBox around(std::span<const PixelBox> boxes);  // at least one
// Cuts the boxes at multiples of `height`, and returns the pieces of each such band; empty bands are left out.
std::vector<std::vector<PixelBox>> in_bands(std::span<const PixelBox> boxes, int height);

class ChangedTiles {
 public:
  ChangedTiles(int width, int height);

  void mark(const PixelBox& box);
  // Boxes within the picture that cover all marked tiles and do not overlap.
  std::vector<PixelBox> boxes() const;

 private:
  bool marked(int column, int row) const;
  std::vector<PixelBox> runs() const;

  int width_, height_, columns_, rows_;
  std::vector<char> marked_;  // by rows
};

}  // namespace warpspy::ui
