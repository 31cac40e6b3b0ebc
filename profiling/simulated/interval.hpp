// How sure a modelled time is: an interval that should hold 90 % of the times that a GPU would show. It comes from how
// far the model was off for products that were measured on that GPU (calibration.hpp).
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/run/record.hpp"
#include "profiling/simulated/calibration.hpp"
#include "profiling/simulated/time_model.hpp"

namespace warpspy {

// The share of measured times that an interval should hold.
constexpr double interval_share = 0.9;

// What samples are compared with, besides their traits.
struct ProductKind {
  std::string_view kernel, label;  // id, and name for people
  ParamSet params;
  Precision precision = Precision::f32;
  CacheState cache_state = CacheState::cold;
};

struct ErrorInterval {
  double least = 1, most = 1;  // measured / modelled time, from..to
  std::size_t samples = 0;     // from how many samples
  std::string like;            // what they have in common with the product: "CSR vector, f32, cold"
};

// Which samples count, by their matrix: all, or those that a test of the intervals leaves.
using Counts = std::function<bool(std::string_view kernel, const SampleError&)>;

// The interval for a product, by the first of four rules that has enough samples:
// 1. the 50 most similar samples of the same kernel, parameters, precision and caches: without the 5 % at each end;
// 2. all samples of the same precision and caches, of any kernel: without 2.5 % at each end, since it is wider;
// 3. all samples of the same kernel, of any parameters, precision and caches: without the 5 % at each end;
// 4. all samples of this GPU, with both ends.
// An end is the sample of order floor(share x (samples + 1)), as in conformal prediction (Vovk et al. 2005): a new
// product that is drawn as the samples were lies outside that often at most. Nothing without samples.
std::optional<ErrorInterval> error_interval(const Calibration& calibration, const ProductKind& kind,
                                            const ProductTraits& traits, const Counts& counts = {});

// Gives a record the interval of its modelled time `t`, or the reason why there is none: nullptr, or no errors, of the
// GPU's samples. A small sample of the blocks makes it 12 % wider at each end (modelled_band of core/diagnosis).
void tell_interval_of(const ProductKind& kind, const Calibration* calibration, const std::string& gpu,
                      const TimeEstimate& t, bool small_sample, RunRecord& r);

}  // namespace warpspy
