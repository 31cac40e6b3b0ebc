// The points of the plane at which the nodes of a mesh lie. Node i is row i of the mesh's matrix.
#pragma once

#include <vector>

namespace warpspy {

struct MeshPoints {
  std::vector<double> x, y;
  bool operator==(const MeshPoints&) const = default;
};

}  // namespace warpspy
