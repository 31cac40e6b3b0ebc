// Which parameters the benchmark tries for a kernel. The one place that says so.
#pragma once

#include <vector>

#include "core/catalog/catalog.hpp"

namespace warpspy {

struct BenchCandidate {
  ParamSet params, format_params;  // complete: every parameter of the kernel and of its format
  bool operator==(const BenchCandidate&) const = default;
};
// The defaults first, then what usually matters: a short list, far from exhaustive. `format` is the kernel's, nullptr
// for a kernel that reads no matrix.
std::vector<BenchCandidate> candidates_of(const KernelInfo& kernel, const FormatInfo* format);
// Whether a candidate that asks L2 for a share of the matrix may gain by it: the matrix (bytes) does not fit beside x
// and y, and the share does with room to spare. True for every other candidate. `l2_bytes`: 0 where not known.
bool share_fits(const BenchCandidate& candidate, double matrix_bytes, double l2_bytes);

}  // namespace warpspy
