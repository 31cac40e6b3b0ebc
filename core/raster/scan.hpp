// The inner loops that count the stored entries of each cell. count_grid() and Pyramid share them; only this folder
// uses them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/matrix/csr.hpp"

namespace warpspy::raster {

using Count = std::uint32_t;
constexpr Count kFull = std::numeric_limits<Count>::max();

inline void bump(Count& c) { c += c != kFull; }
inline Count saturating_add(Count a, Count b) { return a > kFull - b ? kFull : a + b; }

// Columns [first, last); `all` says that every entry lies inside, so that no entry must be tested.
struct ColumnRange {
  index_t first = 0, last = 0;
  bool all = false;
};

// From this row length on, two binary searches take less time than testing every entry of the row.
constexpr index_t kSearchLength = 48;

// Neighbouring entries often fall into the same cell, and an increment must wait until the previous increment is stored
// (about 2 ns). So dense rows of cells are counted in four copies in turn, and the copies are added up at the end.
class Lanes {
 public:
  Lanes(std::span<Count> cells, index_t entries) : cells_(cells) {
    for (Count*& lane : lane_) lane = cells.data();
    if (entries < 8 * static_cast<index_t>(cells.size())) return;
    copies_.resize(3 * cells.size());
    for (int i = 1; i < 4; ++i) lane_[i] = copies_.data() + (i - 1) * cells.size();
  }
  Lanes(const Lanes&) = delete;
  ~Lanes() {
    if (copies_.empty()) return;
    for (int i = 1; i < 4; ++i)
      for (std::size_t x = 0; x < cells_.size(); ++x) cells_[x] = saturating_add(cells_[x], lane_[i][x]);
  }
  // add(column, cells) for every column of a run.
  template <class Column, class Add>
  void run(const Column* c, const Column* end, const Add& add) const {
    for (; end - c >= 4; c += 4)
      for (int i = 0; i < 4; ++i) add(c[i], lane_[i]);
    for (; c != end; ++c) add(*c, lane_[0]);
  }

 private:
  std::span<Count> cells_;
  std::vector<Count> copies_;
  std::array<Count*, 4> lane_;
};

// Adds the entries of rows [row0, row1) that lie in `range` to cells[to_cell(column)].
template <class Column, class ToCell>
void add_rows(std::span<const index_t> row_ptr, std::span<const Column> columns, index_t row0, index_t row1,
              ColumnRange range, const ToCell& to_cell, std::span<Count> cells) {
  const Column* first = columns.data() + row_ptr[row0];
  const Column* last = columns.data() + row_ptr[row1];
  const Lanes lanes(cells, last - first);
  const auto add = [&](Column c, Count* lane) { bump(lane[to_cell(c)]); };
  // Rows follow each other in memory, so one flat loop is enough, whatever their lengths.
  if (range.all) return lanes.run(first, last, add);
  if (last - first < kSearchLength * (row1 - row0)) {
    const auto width = static_cast<std::uint64_t>(range.last - range.first);
    return lanes.run(first, last, [&](Column c, Count* lane) {
      if (static_cast<std::uint64_t>(c - range.first) < width) add(c, lane);
    });
  }
  for (index_t row = row0; row < row1; ++row) {
    const Column* end = columns.data() + row_ptr[row + 1];
    const Column* from = std::lower_bound(columns.data() + row_ptr[row], end, range.first);
    lanes.run(from, std::lower_bound(from, end, range.last), add);
  }
}

}  // namespace warpspy::raster
