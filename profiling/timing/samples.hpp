// Decides how many samples are enough and which do not count, and computes medians and ratios. It needs no CUDA: the
// caller passes the functions that take samples.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/jobs/progress.hpp"

namespace warpspy {

// Returns the median; 0 if there are no values.
double median(std::vector<double> values);
// Returns the value below which `share` of the values lie, interpolated between two values; 0 if there are none.
double quantile(std::vector<double> values, double share);
// Returns (median absolute deviation) / median; 0 if there are no values.
double noise_of(const std::vector<double>& values);

// The clocks at one moment.
struct Clocks {
  double sm_mhz = 0, memory_mhz = 0;
  bool throttled = false;  // the clock was limited by power, heat or the board
  std::string why;         // "power cap"; of a throttled one
};
// Reads the clocks now; nullopt if they are not known. An empty function means the same.
using ReadClocks = std::function<std::optional<Clocks>()>;

// The samples of one product.
struct Samples {
  std::vector<double> us;                  // time of a product in each valid sample
  std::vector<int> rounds;                 // the round in which each sample was taken
  int throttled = 0;                       // how many samples were dropped because the clocks were held down
  bool all_throttled = false;              // every sample was throttled, so all of them count
  std::vector<double> sm_mhz, memory_mhz;  // clocks during each sample; empty if unknown
  std::string throttle_reason;

  double median_us() const { return median(us); }
};

struct SampleRule {
  int least = 9, most = 200;    // samples each
  double wanted_error = 0.005;  // of the median: the larger of 1.48 MAD and quartile range / 1.35, / sqrt(samples)
  double budget_s = 1;          // for all samples together; a minimum is taken in any case
};

// Calls the samplers in turn, round after round, so that a drift of the clocks affects all alike. A sampler returns the
// microseconds of one product. Ends when every median is known well, or as the rule says. Throws Cancelled.
std::vector<Samples> take_samples(std::span<const std::function<double()>> samplers, const SampleRule& rule,
                                  const ReadClocks& clocks, const Progress& progress);

// Tells how many times longer b takes than a: the median of the rounds' ratios, and their quartiles.
struct Ratio {
  double value = 0, low = 0, high = 0;
};
Ratio ratio_of(const Samples& b, const Samples& a);

}  // namespace warpspy
