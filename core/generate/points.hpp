// The nodes of generated grids.
#pragma once

#include <optional>
#include <string>

#include "core/base/types.hpp"
#include "core/matrix/points.hpp"

namespace warpspy {

// Of the matrix that generate() makes of it, in its order; nothing for generators without a grid, and for grids
// of more than `most` nodes. Throws Error as generate() does.
bool has_mesh_points(const std::string& spec, index_t most);
std::optional<MeshPoints> mesh_points(const std::string& spec, index_t most);

}  // namespace warpspy
