// The structured suite of Bell & Garland 2008, Table 3: Laplacians on regular grids with zero boundary values.
#include <array>

#include "core/generate/build.hpp"
#include "core/generate/makers.hpp"

namespace warpspy::generate_detail {
namespace {

struct Offset {
  int x, y, z;
};

// Grid point (x, y, z) is row x + nx * (y + ny * z). Each neighbour has the value -1, and the centre the number of all
// neighbours.
struct Stencil {
  std::array<index_t, 3> size;
  std::vector<Offset> offsets;  // by z, then y, then x: increasing columns
  index_t rows = 0, cols = 0;

  Stencil(std::array<index_t, 3> grid, int dimensions, bool corners) : size(grid) {
    rows = cols = size[0] * size[1] * size[2];
    const auto reach = [&](int axis) { return axis < dimensions ? 1 : 0; };
    for (int z = -reach(2); z <= reach(2); ++z)
      for (int y = -reach(1); y <= reach(1); ++y)
        for (int x = -reach(0); x <= reach(0); ++x)
          if (corners || std::abs(x) + std::abs(y) + std::abs(z) <= 1) offsets.push_back({x, y, z});
  }

  struct Point {
    index_t x, y, z;
  };
  Point point(index_t row) const {
    const index_t line = row / size[0];
    return {row % size[0], line % size[1], line / size[1]};
  }
  bool inside(Point p, Offset o) const {
    const auto on = [](index_t at, index_t extent) { return at >= 0 && at < extent; };
    return on(p.x + o.x, size[0]) && on(p.y + o.y, size[1]) && on(p.z + o.z, size[2]);
  }
  index_t length(index_t row) const {
    const Point p = point(row);
    return std::count_if(offsets.begin(), offsets.end(), [&](Offset o) { return inside(p, o); });
  }
  template <class Column>
  void fill(index_t row, Column* columns, double* values) const {
    const Point p = point(row);
    for (const Offset o : offsets) {
      if (!inside(p, o)) continue;
      const index_t step = o.x + size[0] * (o.y + size[1] * o.z);
      *columns++ = static_cast<Column>(row + step);
      *values++ = step == 0 ? static_cast<double>(offsets.size() - 1) : -1.0;
    }
  }
};

Csr make_stencil(const ParamSet& params, int dimensions, bool corners, Progress& progress) {
  std::array<index_t, 3> size{1, 1, 1};
  constexpr const char* names[] = {"nx", "ny", "nz"};
  double rows = 1;
  for (int axis = 0; axis < dimensions; ++axis) {
    size[axis] = whole_number(params, names[axis]);
    rows *= params.at(names[axis]);
  }
  const double points = corners ? std::pow(3, dimensions) : 2 * dimensions + 1;
  // Checked in floating point before the product of the sizes could overflow.
  require_memory(csr_bytes(rows, rows, rows * points), kMatrix, kSmaller);
  return build_rows(Stencil(size, dimensions, corners), rows * points, progress);
}

}  // namespace

Csr make_laplace3(const ParamSet& p, Progress& progress) { return make_stencil(p, 1, false, progress); }
Csr make_laplace5(const ParamSet& p, Progress& progress) { return make_stencil(p, 2, false, progress); }
Csr make_laplace7(const ParamSet& p, Progress& progress) { return make_stencil(p, 3, false, progress); }
Csr make_laplace9(const ParamSet& p, Progress& progress) { return make_stencil(p, 2, true, progress); }
Csr make_laplace27(const ParamSet& p, Progress& progress) { return make_stencil(p, 3, true, progress); }

}  // namespace warpspy::generate_detail
