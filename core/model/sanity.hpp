// Rules that a run's numbers must obey, whatever the kernel. A number that breaks a rule is shown with an explanation,
// not hidden.
#pragma once

#include <string>
#include <vector>

#include "core/model/roofline.hpp"

namespace warpspy {

struct SanityFinding {
  std::string id;        // "above_roof", "hit_rate", "l2_below_dram", "l1_below_l2", "below_compulsory"
  std::string sentence;  // the numbers, and what they mean
};

// Checks a finished run with the roofs of its device. It finds a level faster than its roof, hit rates outside 0..100
// %, L2 with fewer bytes than DRAM, L1 with fewer bytes than L2, and DRAM with fewer bytes than all arrays once.
// Differences of less than 0.5 % count as rounding. Counters without a value are not checked. Empty for a failed run.
std::vector<SanityFinding> sanity_checks(const RunRecord& run, const std::vector<Roof>& roofs);

}  // namespace warpspy
