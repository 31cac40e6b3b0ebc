// What a run's numbers must obey whatever the kernel. A number that does not is shown with what it means, not hidden.
#pragma once

#include <string>
#include <vector>

#include "core/model/roofline.hpp"

namespace warpspy {

struct SanityFinding {
  std::string id;        // "above_roof", "hit_rate", "l2_below_dram", "l1_below_l2", "below_compulsory"
  std::string sentence;  // the numbers, and what they mean
};

// Of a finished run, against the roofs of its device: a level faster than its roof, hit rates outside 0..100 %, L2 that
// moved less than DRAM, L1 that moved less than L2, DRAM that moved less than every array once. Differences of less
// than 0.5 % are rounding. Counters without a value are not judged. Empty for a failed run.
std::vector<SanityFinding> sanity_checks(const RunRecord& run, const std::vector<Roof>& roofs);

}  // namespace warpspy
