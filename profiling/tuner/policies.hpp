// Which wishes of the caches a strategy tries.
#pragma once

#include <vector>

#include "profiling/tuner/search.hpp"

namespace warpspy {

// Whether what `params` ask L2 to keep of the matrix, if anything, fits into it (share_fits). Where products are cold,
// or what the kernel reads is not known, nothing does.
bool shares_fit(const KernelInfo& kernel, const ParamSet& params, const Problem& problem);

// The values of a cache policy: all that load something, and of shares to keep those of the matrix that fit. x is in L2
// as long as products go on, so none of it is asked for.
std::vector<double> policies_of(const ParamSpec& spec, const KernelInfo& kernel, const Problem& problem);
inline constexpr int kMostPolicies = 15;  // of x and of the matrix: 4 and 11

}  // namespace warpspy
