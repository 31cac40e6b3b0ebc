// The kernel launches of one iteration of a solve, as details of its record. The detail "launch_3_updates" has the time
// of the third launch, which updates vectors. Over several GPUs they are those of the slowest part, with its waiting.
#pragma once

#include <string>
#include <vector>

#include "core/run/record.hpp"

namespace warpspy {

struct SolveLaunch {
  int number = 1;    // in the order in which they run, from 1 on
  std::string part;  // the kind of work: "product", "dots", "updates", "waiting"
  double us = 0;     // time of this launch alone
  bool operator==(const SolveLaunch&) const = default;
};
Detail detail_of(const SolveLaunch& launch, Provenance provenance);
// The launches of a solve's record in the order in which they run; empty if the record lacks them.
std::vector<SolveLaunch> launches_of(const RunRecord& r);

inline constexpr const char* solve_launch_prefix = "launch_";  // of the details' ids

}  // namespace warpspy
