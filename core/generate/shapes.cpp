// Simple shapes: dense, band, diagonal, arrow, wheel, one entry, no entry.
#include "core/generate/build.hpp"
#include "core/generate/makers.hpp"

namespace warpspy::generate_detail {
namespace {

constexpr std::uint64_t kSeed = 1;

// Entries in columns [first(row), first(row) + length(row)).
struct Dense {
  index_t rows, cols;
  index_t length(index_t) const { return cols; }
  template <class Column>
  void fill(index_t row, Column* columns, double* values) const {
    for (index_t col = 0; col < cols; ++col) {
      columns[col] = static_cast<Column>(col);
      values[col] = value_at(kSeed, row, col);
    }
  }
};

struct Band {
  index_t rows, cols, half;
  index_t first(index_t row) const { return row > half ? row - half : 0; }
  index_t last(index_t row) const { return cols - row > half ? row + half + 1 : cols; }
  index_t length(index_t row) const { return last(row) - first(row); }
  template <class Column>
  void fill(index_t row, Column* columns, double* values) const {
    for (index_t col = first(row); col < last(row); ++col) {
      *columns++ = static_cast<Column>(col);
      *values++ = symmetric_value_at(kSeed, row, col);
    }
  }
};

// Diagonal, last column and last row; the arrow's head is at the lower right.
struct Arrow {
  index_t rows, cols;
  index_t length(index_t row) const { return row == rows - 1 ? cols : 2; }
  template <class Column>
  void fill(index_t row, Column* columns, double* values) const {
    const index_t n = length(row);
    for (index_t k = 0; k < n; ++k) {
      const index_t col = row == rows - 1 ? k : (k == 0 ? row : cols - 1);
      columns[k] = static_cast<Column>(col);
      values[k] = symmetric_value_at(kSeed, row, col);
    }
  }
};

// The adjacency matrix of a wheel: vertex 0 is the hub, 1 to n - 1 are the rim in order.
struct Wheel {
  index_t rows, cols;
  index_t length(index_t row) const { return row == 0 ? cols - 1 : 3; }
  template <class Column>
  void fill(index_t row, Column* columns, double* values) const {
    const index_t n = length(row);
    if (row == 0) {
      for (index_t k = 0; k < n; ++k) columns[k] = static_cast<Column>(k + 1);
    } else {
      const index_t previous = row == 1 ? rows - 1 : row - 1, next = row == rows - 1 ? 1 : row + 1;
      columns[0] = 0;
      columns[1] = static_cast<Column>(std::min(previous, next));
      columns[2] = static_cast<Column>(std::max(previous, next));
    }
    for (index_t k = 0; k < n; ++k) values[k] = symmetric_value_at(kSeed, row, columns[k]);
  }
};

struct Single {
  index_t rows, cols;
  index_t length(index_t row) const { return row == rows / 3 ? 1 : 0; }
  template <class Column>
  void fill(index_t, Column* columns, double* values) const {
    columns[0] = static_cast<Column>(cols - 1 - cols / 3);
    values[0] = 1;
  }
};

struct Empty {
  index_t rows, cols;
  index_t length(index_t) const { return 0; }
  template <class Column>
  void fill(index_t, Column*, double*) const {}
};

}  // namespace

Csr make_dense(const ParamSet& p, Progress& progress) {
  return build_rows(Dense{whole_number(p, "rows"), whole_number(p, "cols")}, p.at("rows") * p.at("cols"), progress);
}
Csr make_band(const ParamSet& p, Progress& progress) {
  const index_t n = whole_number(p, "rows"), half = std::min(whole_number(p, "half"), n - 1);
  return build_rows(Band{n, n, half}, static_cast<double>(n) * (2.0 * static_cast<double>(half) + 1), progress);
}
Csr make_diagonal(const ParamSet& p, Progress& progress) {
  const index_t n = whole_number(p, "n");
  return build_rows(Band{n, n, 0}, static_cast<double>(n), progress);
}
Csr make_arrow(const ParamSet& p, Progress& progress) {
  const index_t n = whole_number(p, "n");
  return build_rows(Arrow{n, n}, 3.0 * static_cast<double>(n), progress);
}
Csr make_wheel(const ParamSet& p, Progress& progress) {
  const index_t n = whole_number(p, "n");
  return build_rows(Wheel{n, n}, 4.0 * static_cast<double>(n), progress);
}
Csr make_single(const ParamSet& p, Progress& progress) {
  const index_t n = whole_number(p, "n");
  return build_rows(Single{n, n}, 1, progress);
}
Csr make_empty(const ParamSet& p, Progress& progress) {
  return build_rows(Empty{whole_number(p, "rows"), whole_number(p, "cols")}, 0, progress);
}

}  // namespace warpspy::generate_detail
