// Whether intervals of modelled times hold what was measured, by the calibration samples themselves.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "profiling/simulated/calibration.hpp"

namespace warpspy {

struct Coverage {
  std::string what;
  std::size_t products = 0, matrices = 0, held = 0;
  double median_ratio = 0;  // upper / lower end
  double least_kernel = 0;  // share that is held, of the kernel where it is least
  double share() const { return products > 0 ? static_cast<double>(held) / static_cast<double>(products) : 0; }
};

// Each sample against an interval that no sample of its matrix made:
// - of all matrices, by all other matrices;
// - of the matrices `aside`, by those that are not aside: the rules were chosen without them;
// - of all matrices, by the samples of other kernels on other matrices: as of a kernel that is new.
// Throws Error if the calibration has no errors of samples, or not all of the matrices.
std::vector<Coverage> interval_coverage(const Calibration& calibration, const std::vector<std::string>& aside);

// The table as CSV, for docs/bench/intervals.csv.
std::string to_csv(const std::vector<Coverage>& all);

}  // namespace warpspy
