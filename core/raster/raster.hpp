// Counts the entries of a matrix per cell, exactly, and turns counts into pixels. It needs no GPU, so that tests can
// compare it with golden pictures. Export and screen both use it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/jobs/progress.hpp"
#include "core/matrix/csr.hpp"

namespace warpspy {

// Half-open ranges of rows and columns.
struct Window {
  index_t row0 = 0, row1 = 0, col0 = 0, col1 = 0;
  bool operator==(const Window&) const = default;
};
Window whole(const Csr& a);

// counts[y * width + x] = entries in rows [edge(y), edge(y+1)) and columns alike, where edge(y) = row0 + floor(y *
// (row1-row0) / height). The counts of a window sum to the number of its entries, whatever the size.
struct CountGrid {
  Window window;
  int width = 0, height = 0;
  std::vector<std::uint32_t> counts;  // saturates at 2^32-1
  index_t row_edge(int y) const;
  index_t col_edge(int x) const;
  std::uint32_t max() const;
};
// width and height at least 1; window inside the matrix. Parallel; throws Cancelled.
CountGrid count_grid(const Csr& a, Window window, int width, int height, const Progress* progress = nullptr);

// Multi-resolution counts for panning and zooming. A cell of level (kr, kc) covers 2^kr rows x 2^kc columns; a tile is
// kTile x kTile cells. Coarse levels are summed from a base grid that is built once; finer ones are counted from the
// matrix on demand (a few ms at most).
constexpr int kTile = 256;
struct TileKey {
  int kr = 0, kc = 0;
  std::int64_t ty = 0, tx = 0;  // tile row and column
  auto operator<=>(const TileKey&) const = default;
};
struct Tile {
  TileKey key;
  std::vector<std::uint32_t> counts;  // kTile * kTile; cells outside the matrix are 0
};
class Pyramid {
 public:
  // Counts the base grid: the finest level with at most 2048 cells a side (4096 from 2^25 entries on). Parallel; throws
  // Cancelled.
  static std::shared_ptr<const Pyramid> build(std::shared_ptr<const Csr> a, const Progress* progress = nullptr);
  const Csr& matrix() const { return *a_; }
  // Base level per axis: the smallest k with ceil(extent / 2^k) within that number of cells.
  int base_kr() const { return base_kr_; }
  int base_kc() const { return base_kc_; }
  // True when tile() sums base cells instead of reading the matrix.
  bool from_base(TileKey key) const { return key.kr >= base_kr_ && key.kc >= base_kc_; }
  // Exact counts. Thread safe. kr, kc in 0..62.
  Tile tile(TileKey key) const;
  // Largest count of a cell at a level that is no finer than the base on both axes; else an upper bound: the
  // least of the cell's area, its rows x the longest row, and the largest count at the finest such level.
  std::uint32_t max_count(int kr, int kc) const;

 private:
  struct Grid {
    int width = 0, height = 0;
    std::vector<std::uint32_t> counts;
  };
  Pyramid() = default;
  void sum_levels(const Progress* progress);
  void add_from_base(Tile& tile) const;
  void add_from_matrix(Tile& tile) const;

  std::shared_ptr<const Csr> a_;
  int base_kr_ = 0, base_kc_ = 0;
  index_t longest_row_ = 0;
  std::vector<Grid> mips_;  // mips_[j]: all cells of level (base_kr + j, base_kc + j); mips_[0] is the base grid
  // Largest count at level (base_kr + r, base_kc + c): level_max_[r][c]. The last row and column are levels of one
  // cell.
  std::vector<std::vector<std::uint32_t>> level_max_;
};

enum class Shading : std::uint8_t { linear, log, binary };
constexpr const char* name_of(Shading s) {
  constexpr const char* names[] = {"linear", "log", "binary"};
  return names[static_cast<int>(s)];
}
enum class Colormap : std::uint8_t { cividis, viridis, grey };
constexpr const char* name_of(Colormap m) {
  constexpr const char* names[] = {"cividis", "viridis", "grey"};
  return names[static_cast<int>(m)];
}

// One RGBA pixel (0xAABBGGRR, as OpenGL reads it) per count. 0 is `ground`; any count above 0 is at least as far from
// the ground as the first visible step of the map, so a single entry among millions shows. `dark_ground` picks the
// direction of the map (bright = many on dark, dark = many on light).
std::vector<std::uint32_t> shade(const std::vector<std::uint32_t>& counts, std::uint32_t max, Shading shading,
                                 Colormap map, std::uint32_t ground, bool dark_ground);

}  // namespace warpspy
