// The solid fuel ignition problem (Bratu) in space, as PETSc's SNES example 14 has it: -Laplace u = lambda e^u on the
// unit cube, u = 0 on its boundary. The grid has n points along each edge, at distance h = 1 / (n - 1). The 7-point
// star is multiplied by h^3:
//   inside     F(u) = 6 h u_i - h (sum of the six neighbours) - h^3 lambda e^(u_i)
//   boundary   F(u) = u_i
// The Jacobian keeps couplings of inner points to boundary points, so it is symmetric only without boundary rows.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/jobs/progress.hpp"
#include "core/matrix/csr.hpp"

namespace warpspy {

// Point (x, y, z) is unknown x + n (y + n z).
struct Bratu {
  index_t n = 64;
  double lambda = 6;
  std::size_t unknowns() const { return static_cast<std::size_t>(n * n * n); }
  // The point's distance to the boundary, in steps of the grid.
  index_t steps_to_boundary(index_t point) const;

  // lambda / (lambda + 1) * sqrt(distance to the boundary).
  std::vector<double> start() const;
  // F(u); `u` has an element for each unknown.
  std::vector<double> residual(std::span<const double> u) const;
  // dF/du, with 7 entries in inner rows and 1 in boundary rows. Throws Error when memory does not suffice, and
  // Cancelled.
  Csr jacobian(std::span<const double> u, Progress& progress) const;
};

// The problem whose first Jacobian is the matrix "gen:bratu?...". Nothing if `source` is another matrix, or has other
// values (spd=1). Throws Error as generate() does, and for a matrix that was put into another order.
std::optional<Bratu> bratu_of(const std::string& source);

}  // namespace warpspy
