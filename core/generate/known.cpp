// Matrices of the papers whose pattern is known exactly; their values may differ from the original.
#include <algorithm>
#include <array>
#include <vector>

#include "core/generate/build.hpp"
#include "core/generate/makers.hpp"

namespace warpspy::generate_detail {
namespace {

// mc2depi: a Markov chain of an epidemic. State (s, i) counts up to 512 susceptible and 1024 infected people: 513 x
// 1025 states. The steps are: one more susceptible, one infection, one recovery. Each is missing at the sides of the
// rectangle, which gives the 4 * 525825 - 3 * 1025 = 2100225 entries. States are in breadth-first order from (0, 0): by
// their distance s + 2 i, then by i. That gives the 769 diagonals, with most entries on three, that Bell & Garland
// report (section 5.2). Line by line there would be four diagonals.
struct Epidemic {
  static constexpr index_t most_s = 512, most_i = 1024;
  index_t rows = (most_s + 1) * (most_i + 1), cols = rows;
  std::uint64_t seed;
  std::vector<index_t> first = first_rows();  // for each distance, its first row

  // The smallest and the largest i of a distance.
  static index_t low(index_t distance) { return std::max<index_t>(0, (distance - most_s + 1) / 2); }
  static index_t high(index_t distance) { return std::min(most_i, distance / 2); }
  static std::vector<index_t> first_rows() {
    std::vector<index_t> first = {0};
    for (index_t d = 0; d <= most_s + 2 * most_i; ++d) first.push_back(first.back() + high(d) - low(d) + 1);
    return first;
  }
  index_t row_of(index_t s, index_t i) const { return first[s + 2 * i] + i - low(s + 2 * i); }
  struct State {
    index_t s, i;
  };
  State state(index_t row) const {
    const index_t distance = std::upper_bound(first.begin(), first.end(), row) - first.begin() - 1;
    const index_t i = row - first[distance] + low(distance);
    return {distance - 2 * i, i};
  }
  index_t length(index_t row) const {
    const State at = state(row);
    return 1 + (at.s < most_s) + (at.s > 0 && at.i < most_i) + (at.i > 0);
  }
  template <class Column>
  void fill(index_t row, Column* columns, double* values) const {
    const State at = state(row);
    std::array<index_t, 4> to;
    int n = 0;
    if (at.i > 0) to[n++] = row_of(at.s, at.i - 1);
    to[n++] = row;
    if (at.s < most_s) to[n++] = row_of(at.s + 1, at.i);
    if (at.s > 0 && at.i < most_i) to[n++] = row_of(at.s - 1, at.i + 1);
    // Rates. The diagonal is minus the sum of the others.
    double sum = 0;
    for (int k = 0; k < n; ++k) {
      columns[k] = static_cast<Column>(to[k]);
      if (to[k] == row) continue;
      const double rate = value_at(seed, row, to[k]);
      sum += values[k] = rate < 0 ? -rate : rate;
    }
    for (int k = 0; k < n; ++k)
      if (to[k] == row) values[k] = -sum;
  }
};

// The hopping part of the Wilson operator of lattice QCD on 8^4 sites, with 4 spins and 3 colours each. A hop along a
// direction of space joins each spin with two spins, for three colours each: 6 hops * 2 * 3 = 36 entries. The gamma
// matrix of time is diagonal: the hop forward keeps the two lower spins, the hop backward the two upper ones. That
// gives 3 more entries, which have no mirror. There is no diagonal.
struct Lattice {
  static constexpr index_t size = 8, inner = 12;
  index_t rows = size * size * size * size * inner, cols = rows;
  std::uint64_t seed;

  index_t length(index_t) const { return 39; }
  template <class Column>
  void fill(index_t row, Column* columns, double* values) const {
    const index_t site = row / inner, spin = row % inner / 3;
    Column* out = columns;
    index_t stride = 1;
    for (int direction = 0; direction < 4; ++direction, stride *= size) {
      const index_t at = site / stride % size;
      for (const index_t step : {index_t{1}, size - 1}) {
        const index_t other = site + ((at + step) % size - at) * stride;
        // Nonzeros of gamma in the Dirac representation: x and y join spin s with 3 - s, z with s + 2 mod 4.
        std::array<index_t, 2> spins{spin, direction == 2 ? (spin + 2) % 4 : 3 - spin};
        int n = 2;
        if (direction == 3) n = (spin >= 2) == (step == 1) ? 1 : 0;
        for (int k = 0; k < n; ++k)
          for (index_t colour = 0; colour < 3; ++colour)
            *out++ = static_cast<Column>(other * inner + spins[k] * 3 + colour);
      }
    }
    std::sort(columns, out);
    for (int k = 0; k < 39; ++k) values[k] = value_at(seed, row, columns[k]);
  }
};

// Linear elements on triangles: a grid of points, each square cut along the same diagonal.
struct Triangles {
  index_t width, height;
  index_t rows = width * height, cols = rows;

  template <class Visit>
  void neighbours(index_t row, const Visit& visit) const {
    const index_t x = row % width, y = row / width;
    constexpr int steps[7][2] = {{-1, -1}, {0, -1}, {-1, 0}, {0, 0}, {1, 0}, {0, 1}, {1, 1}};
    for (const auto& [dx, dy] : steps)
      if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height) visit(row + dx + width * dy);
  }
  index_t length(index_t row) const {
    index_t n = 0;
    neighbours(row, [&](index_t) { ++n; });
    return n;
  }
  template <class Column>
  void fill(index_t row, Column* columns, double* values) const {
    neighbours(row, [&](index_t col) {
      *columns++ = static_cast<Column>(col);
      *values++ = col == row ? 6.0 : -1.0;
    });
  }
};

Csr dense2(std::uint64_t, Progress& progress) { return make_dense({{"rows", 2000}, {"cols", 2000}}, progress); }
Csr mc2depi(std::uint64_t seed, Progress& progress) {
  Epidemic g;
  g.seed = seed;
  return build_rows(g, 2100225, progress);
}
Csr qcd(std::uint64_t seed, Progress& progress) {
  Lattice g;
  g.seed = seed;
  return build_rows(g, 39.0 * 49152, progress);
}
Csr parabolic_fem(std::uint64_t, Progress& progress) { return build_rows(Triangles{1025, 513}, 3674625, progress); }
// Air flows along the axes, so the upwind neighbour has more weight: the pattern is symmetric, the values are not.
Csr atmosmodd(std::uint64_t, Progress& progress) {
  const Csr grid = make_laplace7({{"nx", 148}, {"ny", 148}, {"nz", 58}}, progress);
  const std::vector<index_t> row_ptr(grid.row_ptr().begin(), grid.row_ptr().end());
  std::vector<double> values(grid.values().begin(), grid.values().end());
  for (index_t row = 0; row < grid.rows(); ++row)
    for (index_t k = row_ptr[row]; k < row_ptr[row + 1]; ++k)
      if (const index_t column = grid.columns()[k]; column != row) values[k] *= column < row ? 1.25 : 0.75;
  return Csr(grid.rows(), grid.cols(), row_ptr, grid.columns(), std::move(values));
}
template <Maker make, int points>
Csr laplace(std::uint64_t, Progress& progress) {
  constexpr double n = points == 1 ? 1e6 : points == 2 ? 1000 : 100;
  return make({{"nx", n}, {"ny", n}, {"nz", n}}, progress);
}

}  // namespace

std::span<const KnownMatrix> known_matrices() {
  static constexpr KnownMatrix table[] = {
      {"dense2", "general", dense2},
      {"mc2depi", "general", mc2depi},
      {"qcd5_4", "general", qcd},
      {"conf5_4-8x8-05", "general", qcd},
      {"conf5_4-8x8-10", "general", qcd},
      {"parabolic_fem", "symmetric", parabolic_fem},
      {"atmosmodd", "general", atmosmodd},
      {"laplace_3pt", "symmetric", laplace<make_laplace3, 1>},
      {"laplace_5pt", "symmetric", laplace<make_laplace5, 2>},
      {"laplace_7pt", "symmetric", laplace<make_laplace7, 3>},
      {"laplace_9pt", "symmetric", laplace<make_laplace9, 2>},
      {"laplace_27pt", "symmetric", laplace<make_laplace27, 3>},
  };
  return table;
}

}  // namespace warpspy::generate_detail
