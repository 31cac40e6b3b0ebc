// A kernel's parameters as a space to search: which parameters may change, and by how much a step changes each.
#pragma once

#include <optional>
#include <vector>

#include "core/catalog/grid.hpp"

namespace warpspy {

// The next value of a walk up (direction 1) or down (-1); nothing where the range ends, and for choices, which have no
// direction.
//   power of two: twice or half
//   multiple: one more or less, as Reguly & Giles turn `blockSize` in warps of 32
//   integer: twice or half, as they turn `repeat`; one that begins above 1 counts in units of its smallest value
//   instead real: a tenth of the range
std::optional<double> step_of(const ParamSpec& spec, double value, int direction);

// Returns the parameters that a search may change, in the order of the kernel: those that are searched and not in
// `held`. Cache policies are included only on demand.
std::vector<ParamSpec> turned(const KernelInfo& kernel, const ParamSet& held, bool cache_policies);

// The kernel's defaults with what is held. Values for parameters that the kernel lacks are left out.
ParamSet start_of(const KernelInfo& kernel, const ParamSet& held);

}  // namespace warpspy
