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

// One product: its measured time, and the bounds that the model computes for it.
struct TimedProduct {
  std::string matrix, kernel, code;
  ParamSet params;
  double measured_us = 0;
  double launch_us = 0, bounds_us = 0;  // launch_us + bounds_us is the modelled time without calibration samples
  ProductTraits traits{};
  std::string precision = "f32", cache_state = "cold";
};
// Makes it from a measured run and the modelled run of the same product. Nothing if a run has no time, or if the
// modelled time is only that of the launch.
std::optional<TimedProduct> timed_product(const RunRecord& measured, const RunRecord& modelled);

// The modelled run with the time and the interval that these samples give its bounds: a run that --keep kept may be
// older than they are. A failed run stays as it is. `gpu`: the name of the simulated GPU.
RunRecord by_samples(RunRecord modelled, const Calibration* calibration, const std::string& gpu);

// The runs (newest first) that can be samples: measured without error on the GPU `id` (spec_of_device()), by the
// present code of our own kernels. Of equal requests only the newest run counts.
struct MeasuredOf {
  std::vector<const RunRecord*> runs;
  std::size_t unchecked = 0;   // a search ranked it by too few launches, or it is no product
  std::size_t other_code = 0;  // the kernel's code has changed since, or is not recorded
};
MeasuredOf measured_of(const std::string& id, const std::vector<const RunRecord*>& runs,
                       const std::function<std::string(const RunRecord&)>& gpu_of);

// Returns a weight for each product, by kernel ridge regression. A product counts less if most of its time is the
// launch. The work is n^3 / 3 for n products.
std::vector<double> weights_of(const std::vector<TimedProduct>& products);

// Makes the calibration that is stored in assets/calibration. Products with the same kernel, code, parameters,
// precision and state of the caches form a group. Each sample also keeps how far the model is off without its matrix's
// samples. The work is some n^3 for n products: a minute for 3,500.
Calibration calibration_of(const std::string& gpu, const std::string& measured,
                           const std::vector<TimedProduct>& products);

}  // namespace warpspy
