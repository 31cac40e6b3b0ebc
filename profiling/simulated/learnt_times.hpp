// What products took beside what the bounds of the time model say: learnt from times that were measured on a GPU.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

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

// A product that was measured, and how much it says of those like it.
struct LearntProduct {
  std::string_view kernel;
  std::array<float, product_traits> traits;
  float weight;
};
// Those of a simulated GPU; none where nobody measured. `warpspy validate --measured REPORT --learn FILE` writes such a
// list; how these were made stands in docs/validation.md.
std::span<const LearntProduct> learnt_products(std::string_view gpu);

// 1 for two products of one kernel with the same traits, 0.1 for those of two kernels; the less the further their
// traits are apart (a rational quadratic kernel).
double likeness(bool same_kernel, double distance_squared);

// By what the time is longer than the bounds say, 0.6 to 1.6: kernel ridge regression (Saunders et al. 1998), the mean
// of a Gaussian process. 1 where nothing like the product was measured.
double learnt_factor(std::string_view gpu, std::string_view kernel, const ProductTraits& traits);

}  // namespace warpspy
