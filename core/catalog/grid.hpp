// The values of a parameter that a search tries; they are few enough for a figure.
#pragma once

#include <vector>

#include "core/catalog/catalog.hpp"

namespace warpspy {

// Whether the parameter is a cache policy: x_cache and matrix_cache of every kernel.
bool is_cache_policy(const ParamSpec& spec);
inline constexpr double kConstantPolicy = 4;  // loads nothing, computes no product: never a candidate

// Increasing, the default among them.
//   power of two: every one in the range
//   multiple: those that are so many powers of two of the smallest, and the largest
//   integer: the smallest, the largest, 0 and every power of two (and its negative) in the range
//   real: five values, evenly spread
//   choice: all of them (of the cache policies all but "constant")
std::vector<double> grid_of(const ParamSpec& spec);

}  // namespace warpspy
