// The mesh of a matrix, and its cut.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/generate/generate.hpp"
#include "core/generate/points.hpp"
#include "core/io/io.hpp"
#include "samples.hpp"

namespace warpspy::plot {
namespace {

using samples::grid_points;
using samples::stencil;

std::vector<std::string> column(const Plot& p, const std::string& name) {
  const auto at = std::find(p.columns.begin(), p.columns.end(), name) - p.columns.begin();
  std::vector<std::string> all;
  for (const auto& row : p.rows) all.push_back(row.at(static_cast<std::size_t>(at)));
  return all;
}
using Words = std::vector<std::string>;

// A grid of 4 x 4 in two blocks of two lines: 24 edges, and the four between the lines in the middle are cut.
TEST(MeshFigure, CountsWhatBlocksCut) {
  const Plot p = mesh_figure(stencil(4), grid_points(4, 4), 8, light_theme());
  EXPECT_EQ(p.subtitle, "16 rows in 2 blocks of 8: 4 of 24 edges cut (16.7 %)");
  EXPECT_EQ(column(p, "edges_within"), (Words{"10", "10"}));
  EXPECT_EQ(column(p, "edges_cut"), (Words{"4", "4"}));
  EXPECT_EQ(column(p, "x_of_other_blocks"), (Words{"4", "4"}));
  EXPECT_EQ(column(p, "row_last"), (Words{"8", "16"}));
}

TEST(MeshFigure, WithoutANumberThereAreFourBlocksAndTheLastMayBeShorter) {
  EXPECT_EQ(mesh_figure(stencil(5), grid_points(5, 5), 0, light_theme()).rows.size(), 4u);
  EXPECT_EQ(column(mesh_figure(stencil(5), grid_points(5, 5), 0, light_theme()), "row_last").back(), "25");
  EXPECT_EQ(mesh_figure(stencil(5), grid_points(5, 5), 100, light_theme()).subtitle,
            "25 rows in 1 block of 100: 0 of 40 edges cut (0 %)");
}

TEST(MeshFigure, WhatIsNoPictureIsRefused) {
  EXPECT_THROW(mesh_figure(stencil(150), grid_points(150, 150), 0, light_theme()), Error);  // 22,500 nodes
  EXPECT_THROW(mesh_figure(stencil(30), grid_points(30, 30), 2, light_theme()), Error);     // 450 blocks
  EXPECT_THROW(mesh_figure(stencil(4), grid_points(4, 5), 4, light_theme()), Error);
}

// Every edge of a grid is as long as one of its generator's stencil.
TEST(MeshPoints, AreWhereTheGeneratorsNodesLie) {
  Progress progress;
  const struct {
    const char* spec;
    double longest;
  } cases[] = {{"gen:laplace3?nx=7", 1},
               {"gen:laplace5?nx=7&ny=4", 1},
               {"gen:laplace9?nx=7&ny=4", std::sqrt(2)},
               {"gen:fem_quad?nx=3&ny=2&degree=1", std::sqrt(2)},
               {"gen:fem_quad?nx=3&ny=2&degree=3", std::sqrt(18)}};
  for (const auto& c : cases) {
    const Matrix m = generate(c.spec, progress);
    const auto points = mesh_points(c.spec, 1000);
    ASSERT_TRUE(points) << c.spec;
    ASSERT_EQ(static_cast<index_t>(points->x.size()), m.csr->rows()) << c.spec;
    double longest = 0;
    for (index_t r = 0; r < m.csr->rows(); ++r)
      for (index_t k = m.csr->row_ptr()[r]; k < m.csr->row_ptr()[r + 1]; ++k) {
        const index_t to = m.csr->columns()[static_cast<std::size_t>(k)];
        longest = std::max(longest, std::hypot(points->x[r] - points->x[to], points->y[r] - points->y[to]));
      }
    EXPECT_NEAR(longest, c.longest, 1e-12) << c.spec;
  }
  EXPECT_EQ(static_cast<index_t>(mesh_points("gen:laplace27?nx=3&ny=4&nz=5", 60)->x.size()), 60);
  EXPECT_FALSE(mesh_points("gen:laplace27?nx=3&ny=4&nz=5", 59));
  EXPECT_TRUE(has_mesh_points("gen:fem_quad?nx=3&ny=2&degree=2", 35));
  EXPECT_FALSE(has_mesh_points("gen:fem_quad?nx=3&ny=2&degree=2", 34));
  EXPECT_FALSE(mesh_points("gen:random?rows=10&cols=10", 1000));
}

// An order takes the nodes along: edges stay as long as they were.
TEST(MeshPoints, GoWithAnOrder) {
  Progress progress;
  const std::string source = "gen:laplace5?nx=9&ny=7 | rcm";
  const Matrix m = open_matrix(source, progress);
  const auto points = points_of(source, 1000, progress);
  ASSERT_TRUE(points);
  EXPECT_NE(*points, *points_of("gen:laplace5?nx=9&ny=7", 1000, progress));
  for (index_t r = 0; r < m.csr->rows(); ++r)
    for (index_t k = m.csr->row_ptr()[r]; k < m.csr->row_ptr()[r + 1]; ++k) {
      const index_t to = m.csr->columns()[static_cast<std::size_t>(k)];
      if (to == r) continue;
      EXPECT_NEAR(std::hypot(points->x[r] - points->x[to], points->y[r] - points->y[to]), 1, 1e-12);
    }
}

}  // namespace
}  // namespace warpspy::plot
