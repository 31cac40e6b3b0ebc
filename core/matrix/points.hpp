// Where the nodes of a mesh lie in the plane, by the rows of its matrix.
#pragma once

#include <vector>

namespace warpspy {

struct MeshPoints {
  std::vector<double> x, y;
  bool operator==(const MeshPoints&) const = default;
};

}  // namespace warpspy
