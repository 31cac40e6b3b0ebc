// Calibration samples correct the time model: they compare measured times of products on a GPU with the times that the
// model computes.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/types.hpp"
#include "core/catalog/catalog.hpp"

namespace warpspy {

struct TimeEstimate;

// The traits by which two products are similar. Five are the shares of bounds in the sum of squares (DRAM or L2, lines
// of L2 or L1, issue, latency, atomics). Three are the time, the number of waves, and how long a block waits, scaled
// from -1 (nothing) over 0 (20 us, 2 waves, 2 us) to 1 (infinite). One is the mean wait of a block / the longest wait.
// One is DRAM / (DRAM + L2), and one L2's lines / (L2's + L1's lines). They use only sums, products and quotients,
// which are the same on every machine.
constexpr std::size_t product_traits = 11;
using ProductTraits = std::array<double, product_traits>;
ProductTraits traits_of(const TimeEstimate& bounds);

// How far the model was off for a measured product, and its matrix.
struct SampleError {
  double log_ratio = 0;    // ln(measured / modelled time), where no sample of its matrix corrected the model
  std::size_t matrix = 0;  // place in Calibration::matrices
};

// A measured product's traits, and its weight in predictions for similar products. Traits, weight and log_ratio are
// stored as multiples of 0.0001.
struct CalibrationSample {
  ProductTraits traits{};
  double weight = 0;
  std::optional<SampleError> error = {};  // nothing: an older file
};

// Samples of one code of a kernel, with these parameters.
struct KernelSamples {
  std::string kernel, code;  // kernel_code() of the measured kernel
  ParamSet params;
  std::vector<CalibrationSample> samples;
  std::string precision = "f32", cache_state = "cold";  // how all of them were measured
};

// The samples for a simulated GPU; empty if none were measured.
struct Calibration {
  std::string gpu;       // id
  std::string measured;  // for people: the GPU, the date and the source of the measurements
  std::vector<KernelSamples> kernels;
  std::map<std::string, std::size_t> left_out;  // by kernel: how many samples do not fit this program
  std::vector<std::string> matrices = {};       // the matrices of the samples, as they were named

  std::size_t samples() const;
  std::size_t samples_of(std::string_view kernel) const;
  std::size_t samples_left_out() const;
};

// Whether samples fit a kernel of this program: its present code and parameters.
bool fits_this_program(const KernelSamples& samples);

// Writes assets/calibration/ID.json as text, and reads it back. Samples that do not fit this program are left out when
// reading. Throws Error, with the file's name, if it is no such file.
std::string to_json(const Calibration& calibration);
Calibration calibration_from_json(const std::string& text, const std::string& file,
                                  const std::function<bool(const KernelSamples&)>& fit = fits_this_program);
// All calibrations of `assets`/calibration, by the GPU's id; none if there is no such folder. Throws Error, with the
// file's name, for an invalid file.
std::map<std::string, Calibration> read_calibrations(const std::string& assets);

double distance_squared(const ProductTraits& a, const ProductTraits& b);
// Returns how similar two products are: 1 for the same kernel, precision and traits, 0.1 times that for different
// kernels, 0.7 times for different precisions; less if their traits differ (a rational quadratic kernel).
double likeness(bool same_kernel, bool same_precision, double distance_squared);

// Keeps a factor between 0.5 and 2.5: one further from 1 would have another cause than the samples know.
double factor_within_limits(double factor);
// The factor (predicted time) / (time that the bounds give), 0.5 to 2.5. It comes from kernel ridge regression
// (Saunders et al. 1998), the mean of a Gaussian process. 1 if no similar product was measured.
double calibrated_factor(const Calibration& calibration, std::string_view kernel, Precision precision,
                         const ProductTraits& traits);

// The calibration of a modelled time, in words: "x 1.04 by 3195 calibration samples, 129 of this kernel (383 of other
// code left out)"; "no calibration samples" without any.
std::string calibration_words(const Calibration* calibration, std::string_view kernel, double factor);

}  // namespace warpspy
