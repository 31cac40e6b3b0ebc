#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <limits>

#include "core/raster/raster.hpp"
#include "core/raster/scan.hpp"

namespace warpspy {
namespace {

using raster::Count;
// Cells per side of the base grid. A large matrix can afford a finer base (64 MB, compared with at least 400 MB of its
// own). That saves counting the slowest tiles from the matrix.
constexpr index_t kLargeEntries = index_t{1} << 25;
index_t base_cells(const Csr& a) { return a.nnz() < kLargeEntries ? 2048 : 4096; }
// With fewer entries, one thread is done before a second one has started.
constexpr index_t kParallelEntries = 400'000;

index_t cells_at(index_t extent, int k) { return extent == 0 ? 0 : ((extent - 1) >> k) + 1; }

int base_level(index_t extent, index_t most) {
  int k = 0;
  while (cells_at(extent, k) > most) ++k;
  return k;
}

// The cells [first, last) of a tile on one axis, clipped to the matrix, and where a cell begins in rows or columns.
struct Axis {
  index_t extent = 0, first = 0, last = 0;
  int k = 0;
  Axis(index_t size, int level, std::int64_t tile) : extent(size), k(level) {
    const index_t cells = cells_at(size, level);
    if (tile < 0 || tile > cells / kTile) return;
    first = tile * kTile;
    last = std::min(first + kTile, cells);
  }
  bool empty() const { return first >= last; }
  index_t start(index_t cell) const { return cell << k; }
  index_t end(index_t cell) const {
    const index_t from = start(cell), span = index_t{1} << k;
    return extent - from > span ? from + span : extent;
  }
};

struct Shift {
  index_t origin;
  int k;
  std::size_t operator()(index_t column) const { return static_cast<std::size_t>((column - origin) >> k); }
};

}  // namespace

std::shared_ptr<const Pyramid> Pyramid::build(std::shared_ptr<const Csr> a, const Progress* progress) {
  std::shared_ptr<Pyramid> p(new Pyramid);
  p->a_ = std::move(a);
  const Csr& m = *p->a_;
  p->base_kr_ = base_level(m.rows(), base_cells(m));
  p->base_kc_ = base_level(m.cols(), base_cells(m));
  Grid base{static_cast<int>(cells_at(m.cols(), p->base_kc_)), static_cast<int>(cells_at(m.rows(), p->base_kr_)), {}};
  base.counts.resize(static_cast<std::size_t>(base.width) * base.height);
  std::vector<index_t> longest(base.height);
  m.columns().visit([&](auto columns) {
    tbb::parallel_for(tbb::blocked_range<int>(0, base.height), [&](const tbb::blocked_range<int>& band) {
      for (int y = band.begin(); y != band.end(); ++y) {
        if (progress) progress->check();
        const index_t row0 = static_cast<index_t>(y) << p->base_kr_;
        const index_t row1 = std::min(m.rows(), row0 + (index_t{1} << p->base_kr_));
        for (index_t row = row0; row < row1; ++row) longest[y] = std::max(longest[y], m.row_length(row));
        raster::add_rows(m.row_ptr(), columns, row0, row1, {0, m.cols(), true}, Shift{0, p->base_kc_},
                         std::span(base.counts).subspan(static_cast<std::size_t>(y) * base.width, base.width));
      }
    });
  });
  p->longest_row_ = longest.empty() ? 0 : *std::max_element(longest.begin(), longest.end());
  p->mips_.push_back(std::move(base));
  p->sum_levels(progress);
  return p;
}

// Computes every pair of levels from the base to a single cell, to find the exact maxima. Keeps the levels in which
// both axes were halved equally often. Any other tile is a sum of these along one axis.
void Pyramid::sum_levels(const Progress* progress) {
  const auto halved_rows = [](const Grid& g) {
    Grid half{g.width, (g.height + 1) / 2, g.counts};
    half.counts.resize(static_cast<std::size_t>(half.width) * half.height);
    for (int y = 0; y < half.height; ++y) {
      const Count* upper = g.counts.data() + static_cast<std::size_t>(2 * y) * g.width;
      const Count* lower = 2 * y + 1 < g.height ? upper + g.width : nullptr;
      Count* out = half.counts.data() + static_cast<std::size_t>(y) * g.width;
      for (int x = 0; x < g.width; ++x) out[x] = lower ? raster::saturating_add(upper[x], lower[x]) : upper[x];
    }
    return half;
  };
  const auto halved_columns = [](const Grid& g) {
    Grid half{(g.width + 1) / 2, g.height, {}};
    half.counts.resize(static_cast<std::size_t>(half.width) * half.height);
    for (int y = 0; y < g.height; ++y) {
      const Count* in = g.counts.data() + static_cast<std::size_t>(y) * g.width;
      Count* out = half.counts.data() + static_cast<std::size_t>(y) * half.width;
      for (int x = 0; x + 1 < g.width; x += 2) out[x / 2] = raster::saturating_add(in[x], in[x + 1]);
      if (g.width % 2 == 1) out[g.width / 2] = in[g.width - 1];
    }
    return half;
  };
  const auto largest = [](const Grid& g) {
    return g.counts.empty() ? 0 : *std::max_element(g.counts.begin(), g.counts.end());
  };

  Grid by_rows = mips_[0];
  for (std::size_t r = 0;; ++r) {
    if (progress) progress->check();
    level_max_.emplace_back();
    Grid g = by_rows;
    for (std::size_t c = 0;; ++c) {
      level_max_[r].push_back(largest(g));
      if (r == c && r > 0) mips_.push_back(g);
      if (g.width <= 1) break;
      g = halved_columns(g);
    }
    if (by_rows.height <= 1) break;
    by_rows = halved_rows(by_rows);
  }
}

Tile Pyramid::tile(TileKey key) const {
  Tile tile{key, std::vector<Count>(static_cast<std::size_t>(kTile) * kTile)};
  if (from_base(key))
    add_from_base(tile);
  else
    add_from_matrix(tile);
  return tile;
}

void Pyramid::add_from_base(Tile& tile) const {
  const TileKey& key = tile.key;
  const int mip = std::min({key.kr - base_kr_, key.kc - base_kc_, static_cast<int>(mips_.size()) - 1});
  const Grid& g = mips_[mip];
  // What is left to sum. At 2^12 cells the whole axis is one cell.
  const Axis rows(g.height, std::min(key.kr - base_kr_ - mip, 12), key.ty);
  const Axis cols(g.width, std::min(key.kc - base_kc_ - mip, 12), key.tx);
  if (rows.empty() || cols.empty()) return;
  for (index_t y = rows.start(rows.first); y < rows.end(rows.last - 1); ++y) {
    Count* out = tile.counts.data() + ((y >> rows.k) - rows.first) * kTile;
    const Count* in = g.counts.data() + y * g.width;
    for (index_t x = cols.start(cols.first); x < cols.end(cols.last - 1); ++x) {
      Count& cell = out[(x >> cols.k) - cols.first];
      cell = raster::saturating_add(cell, in[x]);
    }
  }
}

void Pyramid::add_from_matrix(Tile& tile) const {
  const TileKey& key = tile.key;
  const Axis rows(a_->rows(), key.kr, key.ty), cols(a_->cols(), key.kc, key.tx);
  if (rows.empty() || cols.empty()) return;
  const index_t row0 = rows.start(rows.first), row1 = rows.end(rows.last - 1);
  const index_t col0 = cols.start(cols.first), col1 = cols.end(cols.last - 1);

  // The base grid shows which bands of rows have no entries in these columns: those are never read.
  const Grid& base = mips_[0];
  const index_t band0 = row0 >> base_kr_;
  std::vector<std::uint8_t> occupied(((row1 - 1) >> base_kr_) - band0 + 1);
  index_t entries = 0;
  for (std::size_t b = 0; b < occupied.size(); ++b) {
    const Count* in = base.counts.data() + (band0 + b) * base.width;
    occupied[b] =
        std::any_of(in + (col0 >> base_kc_), in + ((col1 - 1) >> base_kc_) + 1, [](Count c) { return c > 0; });
    if (!occupied[b]) continue;
    const index_t from = std::max(row0, static_cast<index_t>(band0 + b) << base_kr_);
    const index_t to = std::min(row1, static_cast<index_t>(band0 + b + 1) << base_kr_);
    entries += a_->row_ptr()[to] - a_->row_ptr()[from];
  }
  if (entries == 0) return;

  const raster::ColumnRange range{col0, col1, col0 == 0 && col1 == a_->cols()};
  const auto count_cell_row = [&](index_t y) {
    const auto cells = std::span(tile.counts).subspan((y - rows.first) * kTile, kTile);
    // A row of cells covers several bands, or a part of one.
    for (index_t row = rows.start(y); row < rows.end(y);) {
      const index_t band = row >> base_kr_;
      const index_t next = std::min(rows.end(y), (band + 1) << base_kr_);
      if (occupied[band - band0])
        a_->columns().visit([&](auto columns) {
          raster::add_rows(a_->row_ptr(), columns, row, next, range, Shift{col0, key.kc}, cells);
        });
      row = next;
    }
  };
  if (entries < kParallelEntries)
    for (index_t y = rows.first; y < rows.last; ++y) count_cell_row(y);
  else
    tbb::parallel_for(rows.first, rows.last, count_cell_row);
}

std::uint32_t Pyramid::max_count(int kr, int kc) const {
  const std::size_t r = std::min<std::size_t>(std::max(kr - base_kr_, 0), level_max_.size() - 1);
  const std::size_t c = std::min<std::size_t>(std::max(kc - base_kc_, 0), level_max_[r].size() - 1);
  const Count coarse = level_max_[r][c];
  if (kr >= base_kr_ && kc >= base_kc_) return coarse;
  // Beyond 2^32 either bound is above any count.
  const auto times_two_to = [](index_t n, int k) {
    return k < 32 && n < (index_t{1} << 31) ? n << k : index_t{1} << 62;
  };
  return static_cast<Count>(std::min({index_t{coarse}, times_two_to(1, kr + kc), times_two_to(longest_row_, kr)}));
}

}  // namespace warpspy
