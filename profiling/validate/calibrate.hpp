// Makes calibration samples from measured times (profiling/simulated/calibration.hpp).
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/run/record.hpp"
#include "profiling/simulated/calibration.hpp"

namespace warpspy {

// One product: its measured time, and the model's bounds for it.
struct TimedProduct {
  std::string matrix, kernel, code;
  ParamSet params;
  double measured_us = 0;
  double launch_us = 0, bounds_us = 0;  // together the model's time, without any sample
  ProductTraits traits{};
};
// Nothing if one of the two has no time, or the modelled time is only the launch.
std::optional<TimedProduct> timed_product(const RunRecord& measured, const RunRecord& modelled);

// Of runs (the newest first), those that can be samples: good, measured, products of today's code of kernels of ours on
// what spec_of_device() says is the GPU `id`; of each request one, the newest.
struct MeasuredOf {
  std::vector<const RunRecord*> runs;
  std::size_t unchecked = 0;   // only ranked by a search, by a short look or one launch; or no product at all
  std::size_t other_code = 0;  // of a kernel that has changed since, or of one that nobody noted
};
MeasuredOf measured_of(const std::string& id, const std::vector<const RunRecord*>& runs,
                       const std::function<std::string(const RunRecord&)>& gpu_of);

// A weight for each, by kernel ridge regression. What all kernels of a matrix have in common is left out, since the
// model is for their order; where most of the time is the launch, a product says less. Work: n^3 / 3 for n products.
std::vector<double> weights_of(const std::vector<TimedProduct>& products);

// The asset: products of one kernel, code and parameters together.
Calibration calibration_of(const std::string& gpu, const std::string& measured,
                           const std::vector<TimedProduct>& products);

}  // namespace warpspy
