// What to try first, before anything is measured: rules that follow from what won on an H200 (docs/performance.md, The
// first tries).
#pragma once

#include <vector>

#include "core/catalog/catalog.hpp"

namespace warpspy {

// What is known of a kernel on a matrix before it runs.
struct Prospect {
  double least_bytes = 0;             // of its format, x and y
  double longest_row = 0;             // entries
  bool rows_whole = false;            // a thread computes a row whole, or `coop` threads where it has that
  double rows = 0, vector_bytes = 0;  // of the matrix; of what it is multiplied by
  double entries = 0;                 // of the matrix
};
// Microseconds that a product may take, only good for an order: its bytes at 3 TB/s, a third more where the next
// product waits for the end of this one; the longest row where nobody helps with it; and the pieces that rows are cut
// into where stripes of the vector are kept in shared memory, which saves time where the pieces are long.
double promise_us(const KernelInfo& kernel, const Prospect& p);

// What to begin with: the kernel's defaults, products that overlap, and loads that stream where the matrix takes more
// than half of L2. `held` stays.
ParamSet likely_params(const KernelInfo& kernel, const ParamSet& held, double least_bytes, double l2_bytes);

// Every set that differs from `at` in one parameter, which has another of the values that are worth trying
// (ParamSpec::tried and the default). `held` stays.
std::vector<ParamSet> neighbours_of(const KernelInfo& kernel, const ParamSet& held, const ParamSet& at);

}  // namespace warpspy
