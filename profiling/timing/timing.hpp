// Warm time of a product on a CUDA device.
#pragma once

#include <string>

#include "core/jobs/progress.hpp"
#include "kernels/table/table.hpp"

namespace warpspy {

struct WarmTime {
  double us = 0;                  // one product: the median sample / launches per sample
  double noise = 0;               // median absolute deviation of the samples / their median
  int samples = 0, launches = 0;  // launches: products per sample
  std::string how;
};

// Runs the product until the device is warm, records a CUDA graph of N launches so that a sample lasts long enough for
// the timer, then samples until the median is known well (half a percent, from the median absolute deviation) or
// `budget_s` is spent. Throws Error when the build has no CUDA or CUDA reports a failure, and Cancelled.
WarmTime time_warm(DeviceProduct& product, double budget_s, const Progress& progress);

// Median; 0 of none.
double median(std::vector<double> values);

}  // namespace warpspy
