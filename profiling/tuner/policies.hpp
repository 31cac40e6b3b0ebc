// Chooses which cache policies a strategy tries.
#pragma once

#include <vector>

#include "profiling/tuner/search.hpp"

namespace warpspy {

// Whether the share of the matrix that `params` ask L2 to keep, if any, fits (share_fits). If products are cold, or the
// kernel's bytes are not known, no share fits.
bool shares_fit(const KernelInfo& kernel, const ParamSet& params, const Problem& problem);

// The values of a cache policy to try: all that load something, and those shares of the matrix that fit. For x no share
// is tried, since x stays in L2 anyway.
std::vector<double> policies_of(const ParamSpec& spec, const KernelInfo& kernel, const Problem& problem);
inline constexpr int kMostPolicies = 15;  // policies of x and of the matrix: 4 and 11

}  // namespace warpspy
