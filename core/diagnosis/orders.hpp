// Explains what another order of the rows does to the caches, from two runs of the same request.
#pragma once

#include <string>

#include "core/run/record.hpp"

namespace warpspy {

// Whether both runs did the same, except that the rows of one matrix stand in another order.
bool differ_in_order(const RunRecord& a, const RunRecord& b);

// Returns a sentence on why the caches hit more or less often in b than in a. It has the sectors per request for x, and
// both hit rates. Empty if the runs differ in more than the order, or lack numbers of their caches.
std::string order_difference(const RunRecord& a, const RunRecord& b);

}  // namespace warpspy
