// Tells where the nodes of generated grids lie in the plane.
#pragma once

#include <optional>
#include <string>

#include "core/base/types.hpp"
#include "core/matrix/points.hpp"

namespace warpspy {

// mesh_points() returns the points of the matrix that generate() makes of `spec`, in the order of its rows. There are
// none for generators without a grid, and for grids of more than `most` nodes. Throws Error as generate() does.
bool has_mesh_points(const std::string& spec, index_t most);
std::optional<MeshPoints> mesh_points(const std::string& spec, index_t most);

}  // namespace warpspy
