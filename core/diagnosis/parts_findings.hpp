// What limits a run over several GPUs: its halo, the latency of messages, uneven parts, the sums of a solve, or nothing
// of them.
#pragma once

#include <vector>

#include "core/run/record.hpp"

namespace warpspy {

// Findings of a run with parts, the largest share of the time first; empty for any other run. What the slowest part
// takes beyond the mean local product (of a solve: products, vectors and sums) is divided among the causes.
std::vector<Finding> diagnose_parts(const RunRecord& r);

}  // namespace warpspy
