// What products took beside what the bounds of the time model say: calibration samples, made from times that were
// measured on a GPU.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/catalog/catalog.hpp"

namespace warpspy {

struct TimeEstimate;

// What two products are alike by: the share of each of five bounds in the sum of the squares (DRAM or L2, lines of L2
// or L1, issue, latency, atomics); how long they take, how many waves of blocks they have and how long a block waits,
// each from -1 for nothing by 0 (20 us, 2 waves, 2 us) to 1 for no end; how long a block waits in the mean over the one
// that waits longest; DRAM's part of it and L2, and that of lines asked of L2 of them and those of L1.
// Sums, products and quotients alone, which are the same on every machine.
constexpr std::size_t product_traits = 11;
using ProductTraits = std::array<double, product_traits>;
ProductTraits traits_of(const TimeEstimate& bounds);

// A product that was measured, and how much it says of those like it. Both are kept as multiples of 0.0001.
struct CalibrationSample {
  ProductTraits traits{};
  double weight = 0;
};

// Samples of one code of a kernel, with these parameters.
struct KernelSamples {
  std::string kernel, code;  // kernel_code() of what was measured
  ParamSet params;
  std::vector<CalibrationSample> samples;
};

// Of a simulated GPU. None where nobody measured.
struct Calibration {
  std::string gpu;       // id
  std::string measured;  // on what, when, and from where: for people
  std::vector<KernelSamples> kernels;
  std::map<std::string, std::size_t> left_out;  // samples by kernel that do not fit this program

  std::size_t samples() const;
  std::size_t samples_of(std::string_view kernel) const;
  std::size_t samples_left_out() const;
};

// Whether samples are of a kernel of this program: of the code and of parameters that it has today.
bool fits_this_program(const KernelSamples& samples);

// assets/calibration/ID.json as text, and back; read, without the samples that do not fit. Throws Error for a file that
// is no such thing, naming it.
std::string to_json(const Calibration& calibration);
Calibration calibration_from_json(const std::string& text, const std::string& file,
                                  const std::function<bool(const KernelSamples&)>& fit = fits_this_program);
// By the GPU's id, of `assets`/calibration; none where there is no such folder. Throws Error as above.
std::map<std::string, Calibration> read_calibrations(const std::string& assets);

// 1 for two products of one kernel with the same traits, 0.1 for those of two kernels; the less the further their
// traits are apart (a rational quadratic kernel).
double likeness(bool same_kernel, double distance_squared);

// By what the time is longer than the bounds say, 0.6 to 1.6: kernel ridge regression (Saunders et al. 1998), the mean
// of a Gaussian process. 1 where nothing like the product was measured.
double calibrated_factor(const Calibration& calibration, std::string_view kernel, const ProductTraits& traits);

// What a modelled time stands on, in words: "x 1.04 by 3195 calibration samples, 129 of this kernel (383 of other code
// left out)"; "no calibration samples" without any.
std::string calibration_words(const Calibration* calibration, std::string_view kernel, double factor);

}  // namespace warpspy
